import type { OrganizationChoices } from "~/features/organizations/model";
import { ROWS_CAPTION } from "~/lists/match-count";
import type { PageSize } from "~/lists/page-size";
import { ListPanel } from "~/lists/ui/list-panel";
import { RowsForm, SavedStatus } from "~/lists/ui/rows-form";
import { Notice } from "~/ui/flash";
import { StatCards } from "~/ui/stat-cards";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND } from "../../copy";
import { INVITATION_FORMS, ROLES_FORM } from "../../ui/member-columns";
import { type MemberFilter, memberList, ONE_ORGANIZATION } from "../definition";
import type { MembersRead } from "../read-members.server";
import { MemberFilters } from "./member-filters";
import { MemberTable, STATUSES_FORM } from "./member-table";

const UNFILTERED = memberList.readFilter(new URLSearchParams());

type MemberListPanelProps = {
  members: MembersRead;
  organizations: OrganizationChoices;
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
  const { members, organizations, filter, size, rejection } = props;
  const name = organizations.choices.find(({ id }) => id === filter.organization)?.name ?? ONE_ORGANIZATION;
  // Only the page knows the name of the organization.
  const chips: typeof memberList.chips = (...shown) =>
    memberList.chips(...shown).map((chip) => (chip.label === ONE_ORGANIZATION ? { ...chip, label: name } : chip));
  return (
    <>
      <StatCards label="Members" items={cards(members.counts, filter)} />
      <ListPanel
        definition={{ ...memberList, chips }}
        list={members}
        filter={filter}
        size={size}
        filters={<MemberFilters filter={filter} size={size} organizations={organizations} />}
        notice={
          rejection ? (
            <div role="alert">
              <Notice kind="error" message={rejection} />
            </div>
          ) : null
        }
        empty={{ title: NONE_FOUND, body: "They arrive with the organizations." }}
      >
        <Rows {...props} />
      </ListPanel>
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

/** Shows the rows, and the forms that their choices and buttons belong to. */
function Rows({ members, filter, size, token, path, viewerId, mayChange, resetKey }: MemberListPanelProps) {
  const roles = useSentRow({ path, form: ROLES_FORM });
  const statuses = useSentRow({ path, form: STATUSES_FORM });
  return (
    <section aria-labelledby={ROWS_CAPTION}>
      <SavedStatus sent={[roles, statuses]} />
      <MemberTable
        list={members}
        filter={filter}
        size={size}
        mayChange={mayChange}
        viewerId={viewerId}
        roles={roles}
        statuses={statuses}
        resetKey={resetKey}
      />
      {mayChange ? (
        <>
          <RowsForm name={ROLES_FORM} intent="role" path={path} token={token} sent={roles} />
          <RowsForm name={STATUSES_FORM} intent="status" path={path} token={token} sent={statuses} />
          {INVITATION_FORMS.map((name) => (
            <RowsForm key={name} name={name} path={path} token={token} />
          ))}
        </>
      ) : null}
    </section>
  );
}
