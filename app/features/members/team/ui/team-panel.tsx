import { NO_MATCH, scanStopped } from "~/lists/copy";
import { SEARCH_MAX } from "~/lists/fields";
import { showingText } from "~/lists/match-count";
import { type PageSize, sizeLinks, sizeParam } from "~/lists/page-size";
import { Field } from "~/ui/field";
import { ListSummary } from "~/ui/filter-chips";
import { Filters } from "~/ui/filters";
import { Notice } from "~/ui/flash";
import { Form } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { SearchField } from "~/ui/list-fields";
import { ListFoot } from "~/ui/list-foot";
import { NoRows } from "~/ui/no-rows";
import { Box } from "~/ui/panel";
import { Select } from "~/ui/select";
import { StatCards } from "~/ui/stat-cards";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND, ROLE_LABELS, STATUS_LABELS } from "../../copy";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "../../model";
import type { TeamResult } from "../actions.server";
import { type TeamFilter, teamList } from "../definition";
import type { TeamRead } from "../read-team.server";
import { ROLES_FORM, ROW_FORMS, TeamTable } from "./team-table";

const CAPTION = "team-caption";
const UNFILTERED = teamList.readFilter(new URLSearchParams());
const option = (labels: Record<string, string>) => (value: string) => ({ value, label: labels[value] ?? value });
const ROLES = [{ value: "", label: "Any role" }, ...MEMBER_ROLES.map(option(ROLE_LABELS))];
const STATUSES = [{ value: "", label: "Any status" }, ...MEMBERSHIP_STATUSES.map(option(STATUS_LABELS))];

export function TeamFilters({ filter, size }: { filter: TeamFilter; size: PageSize }) {
  const values = { q: filter.q, role: filter.role ?? "", status: filter.status ?? "" };
  const sizeOf = sizeParam(size);
  return (
    <Filters label="Team" action={teamList.path} values={values} defaults={teamList.defaults}>
      {sizeOf ? <input type="hidden" name="size" value={sizeOf} /> : null}
      <SearchField label="Search name or email" value={values.q} max={SEARCH_MAX} />
      <Field name="role" id="filter-role" label="Role">
        <Select options={ROLES} defaultValue={values.role} />
      </Field>
      <Field name="status" id="filter-status" label="Status">
        <Select options={STATUSES} defaultValue={values.status} />
      </Field>
    </Filters>
  );
}

type TeamPanelProps = {
  team: TeamRead;
  filter: TeamFilter;
  size: PageSize;
  token: string;
  path: string;
  viewerId: string;
  organizationId: string;
  resetKey: string;
};

/** Shows the members of the organization with everything around them. */
export function TeamPanel(props: TeamPanelProps) {
  const { team, filter, size } = props;
  const { page, total, counts } = team;
  const labels = teamList.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const caption = showingText(page.rows.length, total, teamList.noun);
  const chips = teamList.chips(filter, sized);
  const clearTo = teamList.isFiltered(filter) ? teamList.pathTo(UNFILTERED, sized) : null;
  return (
    <>
      <StatCards
        label="Team"
        items={[
          { label: "Total Members", value: counts.all },
          { label: "Admins", value: counts.administrators },
          { label: "Active Members", value: counts.active },
        ]}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <TeamFilters filter={filter} size={size} />
        <ListSummary
          id={CAPTION}
          caption={caption}
          isResult={page.rows.length > 0}
          chips={chips}
          clearTo={teamList.pathTo(UNFILTERED, sized)}
        />
        {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, teamList.noun, labels)} /> : null}
        {page.rows.length > 0 ? (
          <Rows {...props} />
        ) : (
          <NoRows
            empty={{ title: NONE_FOUND, body: "Invite the first one." }}
            noMatch={{ title: NONE_FOUND, body: teamList.noMatchReason?.(filter) ?? NO_MATCH }}
            chips={chips}
            clearTo={clearTo}
          />
        )}
        <ListFoot
          caption={caption}
          sizes={sizeLinks(size, (param) => teamList.pathTo(filter, { size: param }))}
          previousTo={page.previous && teamList.pathTo(filter, { ...sized, before: page.previous })}
          nextTo={page.next && teamList.pathTo(filter, { ...sized, after: page.next })}
          labels={labels}
        />
      </div>
    </>
  );
}

/** Shows the rows, and the forms that their choices and buttons belong to. */
function Rows({ team, filter, size, token, path, viewerId, organizationId, resetKey }: TeamPanelProps) {
  const roles = useSentRow({ path, form: ROLES_FORM });
  const result = useFormResult<TeamResult>(formKey(path, "copy-link"));
  return (
    <section aria-labelledby={CAPTION} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {result && "link" in result ? <CopiedLink link={result.link} /> : null}
      {result && "rejection" in result ? (
        <div role="alert">
          <Notice kind="error" message={result.rejection} />
        </div>
      ) : null}
      <p className="sr-only" role="status">
        {roles.saved ? "Saved" : null}
      </p>
      <TeamTable
        rows={team.page.rows}
        labelledBy={CAPTION}
        zone={team.zone}
        readAt={team.readAt}
        viewerId={viewerId}
        sortOf={(column) => teamList.sortLink(filter, column, { size: sizeParam(size) })}
        sending={roles.sending}
        saved={roles.saved}
        resetKey={resetKey}
      />
      <Form id={ROLES_FORM} name={ROLES_FORM} action={path} token={token} staysFilled onSubmit={roles.remember}>
        <input type="hidden" name="organization_id" value={organizationId} />
        <input type="hidden" name="intent" value="role" />
        <input type="hidden" name="return_to" value={path} />
        <input type="hidden" name="answer" value="beside" />
      </Form>
      {ROW_FORMS.map((name) => (
        <Form key={name} id={name} name={name} action={path} token={token}>
          <input type="hidden" name="organization_id" value={organizationId} />
          <input type="hidden" name="intent" value={name} />
          <input type="hidden" name="return_to" value={path} />
        </Form>
      ))}
    </section>
  );
}

/** Shows the link of an invitation, once: only its hash is stored. */
function CopiedLink({ link }: { link: string }) {
  return (
    <Box className="grid gap-2">
      <p role="status">
        This is the link of the invitation. Hand it over yourself: it is shown once, and the one before no longer works.
      </p>
      <p className="wrap-anywhere select-all font-mono text-sm">{link}</p>
    </Box>
  );
}
