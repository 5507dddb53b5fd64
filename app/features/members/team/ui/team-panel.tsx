import { ROWS_CAPTION } from "~/lists/match-count";
import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ListPanel } from "~/lists/ui/list-panel";
import { RowsForm, SavedStatus } from "~/lists/ui/rows-form";
import { Notice } from "~/ui/flash";
import { formKey, useFormResult } from "~/ui/form-answer";
import { SortField } from "~/ui/list-fields";
import { Box } from "~/ui/panel";
import { StatCards } from "~/ui/stat-cards";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND } from "../../copy";
import { ROLES_FORM } from "../../ui/member-columns";
import { MembershipFields } from "../../ui/membership-fields";
import type { TeamResult } from "../actions.server";
import { type TeamFilter, teamList } from "../definition";
import type { TeamRead } from "../read-team.server";
import { ROW_FORMS, TeamTable } from "./team-table";

export function TeamFilters({ filter, size }: { filter: TeamFilter; size: PageSize }) {
  const values = { role: filter.role ?? "", status: filter.status ?? "" };
  return (
    <ListFilters
      definition={teamList}
      label="Team"
      search="Search name or email"
      filter={filter}
      size={size}
      values={values}
    >
      <MembershipFields role={values.role} status={values.status} />
      <SortField options={teamList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
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
  const { counts } = team;
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
      <ListPanel
        definition={teamList}
        list={team}
        filter={filter}
        size={size}
        filters={<TeamFilters filter={filter} size={size} />}
        empty={{ title: NONE_FOUND, body: "Invite the first one." }}
      >
        <Rows {...props} />
      </ListPanel>
    </>
  );
}

/** Shows the rows, and the forms that their choices and buttons belong to. */
function Rows({ team, filter, size, token, path, viewerId, organizationId, resetKey }: TeamPanelProps) {
  const roles = useSentRow({ path, form: ROLES_FORM });
  const result = useFormResult<TeamResult>(formKey(path, "copy-link"));
  const organization = <input type="hidden" name="organization_id" value={organizationId} />;
  return (
    <section aria-labelledby={ROWS_CAPTION} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {result && "link" in result ? <CopiedLink link={result.link} /> : null}
      {result && "rejection" in result ? (
        <div role="alert">
          <Notice kind="error" message={result.rejection} />
        </div>
      ) : null}
      <SavedStatus sent={[roles]} />
      <TeamTable list={team} filter={filter} size={size} viewerId={viewerId} roles={roles} resetKey={resetKey} />
      <RowsForm name={ROLES_FORM} intent="role" path={path} token={token} sent={roles}>
        {organization}
      </RowsForm>
      {ROW_FORMS.map((name) => (
        <RowsForm key={name} name={name} path={path} token={token}>
          {organization}
        </RowsForm>
      ))}
    </section>
  );
}

/** Shows the link of an invitation, once: only its hash is stored. */
function CopiedLink({ link }: { link: string }) {
  return (
    <Box className="grid gap-2">
      <p role="status">
        This is the link of the invitation. Hand it over yourself: it is shown once, and the earlier one no longer
        works.
      </p>
      <p className="wrap-anywhere select-all font-mono text-sm">{link}</p>
    </Box>
  );
}
