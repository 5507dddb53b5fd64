import { NO_MATCH, scanStopped } from "~/lists/copy";
import { showingText } from "~/lists/match-count";
import { type PageSize, sizeLinks, sizeParam } from "~/lists/page-size";
import { ListSummary } from "~/ui/filter-chips";
import { Notice } from "~/ui/flash";
import { Form } from "~/ui/form";
import { ListFoot } from "~/ui/list-foot";
import { NoRows } from "~/ui/no-rows";
import { StatCards } from "~/ui/stat-cards";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND } from "../../copy";
import { type MemberFilter, memberList, ONE_ORGANIZATION } from "../definition";
import type { MembersRead } from "../read-members.server";
import { MemberFilters } from "./member-filters";
import { MemberTable, ROLES_FORM, STATUSES_FORM } from "./member-table";

const CAPTION = "members-caption";
const UNFILTERED = memberList.readFilter(new URLSearchParams());

type MemberListPanelProps = {
  members: MembersRead;
  filter: MemberFilter;
  size: PageSize;
  token: string;
  path: string;
  viewerId: string;
  mayChange: boolean;
  /** Says why a form of a row was rejected; null if none was. */
  rejection: string | null;
  resetKey: string;
};

/** Shows all memberships with everything around them: figures, filters, rows, links to the neighbouring pages. */
export function MemberListPanel(props: MemberListPanelProps) {
  const { members, filter, size, rejection } = props;
  const { page, total, counts, organizationName } = members;
  const labels = memberList.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const caption = showingText(page.rows.length, total, memberList.noun);
  const chips = memberList
    .chips(filter, sized)
    .map((chip) => (chip.label === ONE_ORGANIZATION && organizationName ? { ...chip, label: organizationName } : chip));
  const clearTo = memberList.isFiltered(filter) ? memberList.pathTo(UNFILTERED, sized) : null;
  return (
    <>
      <StatCards label="Members" items={cards(counts, filter)} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <MemberFilters filter={filter} size={size} organizations={organizationsOf(members, filter)} />
        <ListSummary
          id={CAPTION}
          caption={caption}
          isResult={page.rows.length > 0}
          chips={chips}
          clearTo={memberList.pathTo(UNFILTERED, sized)}
        />
        {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, memberList.noun, labels)} /> : null}
        {rejection ? (
          <div role="alert">
            <Notice kind="error" message={rejection} />
          </div>
        ) : null}
        {page.rows.length > 0 ? (
          <Rows {...props} />
        ) : (
          <NoRows
            empty={{ title: NONE_FOUND, body: "They arrive with the organizations." }}
            noMatch={{ title: NONE_FOUND, body: memberList.noMatchReason?.(filter) ?? NO_MATCH }}
            chips={chips}
            clearTo={clearTo}
          />
        )}
        <ListFoot
          caption={caption}
          sizes={sizeLinks(size, (param) => memberList.pathTo(filter, { size: param }))}
          previousTo={page.previous && memberList.pathTo(filter, { ...sized, before: page.previous })}
          nextTo={page.next && memberList.pathTo(filter, { ...sized, after: page.next })}
          labels={labels}
        />
      </div>
    </>
  );
}

/** Returns the four figures; those that are a filter of the list lead to its rows. */
function cards({ all, active, pending, administrators }: MembersRead["counts"], filter: MemberFilter) {
  const isOnlyStatus = !filter.q && !filter.organization && !filter.role;
  const to = (status: MemberFilter["status"]) => memberList.pathTo({ ...UNFILTERED, status });
  const current = (status: MemberFilter["status"]) => isOnlyStatus && filter.status === status;
  return [
    { label: "Total", value: all, to: to(null), current: current(null) },
    { label: "Active", value: active, to: to("active"), current: current("active") },
    { label: "Pending Invites", value: pending, to: to("pending"), current: current("pending") },
    { label: "Administrators", value: administrators, note: "Owners and admins" },
  ];
}

/** Returns the organizations of the rows, by name, and the one the list is limited to. */
function organizationsOf({ page, organizationName }: MembersRead, { organization }: MemberFilter) {
  const found = new Map(page.rows.map((row) => [row.organizationId, row.organizationName]));
  if (organization) found.set(organization, organizationName ?? ONE_ORGANIZATION);
  return [...found].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name, "en"));
}

/** Shows the rows, and the two forms that their choices belong to. */
function Rows({ members, filter, size, token, path, viewerId, mayChange, resetKey }: MemberListPanelProps) {
  const roles = useSentRow({ path, form: ROLES_FORM });
  const statuses = useSentRow({ path, form: STATUSES_FORM });
  return (
    <section aria-labelledby={CAPTION}>
      <p className="sr-only" role="status">
        {roles.saved || statuses.saved ? "Saved" : null}
      </p>
      <MemberTable
        rows={members.page.rows}
        labelledBy={CAPTION}
        zone={members.zone}
        query={memberList.query(filter)}
        sortOf={(column) => memberList.sortLink(filter, column, { size: sizeParam(size) })}
        mayChange={mayChange}
        viewerId={viewerId}
        roles={roles}
        statuses={statuses}
        resetKey={resetKey}
      />
      {mayChange
        ? (
            [
              [ROLES_FORM, "role", roles],
              [STATUSES_FORM, "status", statuses],
            ] as const
          ).map(([name, intent, row]) => (
            <Form key={name} id={name} name={name} action={path} token={token} staysFilled onSubmit={row.remember}>
              <input type="hidden" name="intent" value={intent} />
              <input type="hidden" name="return_to" value={path} />
              <input type="hidden" name="answer" value="beside" />
            </Form>
          ))
        : null}
    </section>
  );
}
