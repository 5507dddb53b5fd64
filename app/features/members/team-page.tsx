import { useLocation } from "@remix-run/react";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import type { FieldErrors, FormValues } from "~/lib/form";
import { plural } from "~/lib/text";
import { type LoadedList, type PageSize, ROWS_CAPTION } from "~/lists/model";
import { ListFilters, ListPage, ListTable, RowsForm, SavedStatus, type ShownRows } from "~/lists/ui/list-page";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import {
  ErrorSummary,
  Field,
  Form,
  formKey,
  type SentRow,
  SubmitButton,
  Textarea,
  Tick,
  useFormResult,
  useSentRow,
} from "~/ui/form";
import { SortField } from "~/ui/list-fields";
import { Box, Notice, Rejection } from "~/ui/page";
import type { RowColumn } from "~/ui/row-table";
import { StatCards } from "~/ui/stat-cards";
import { EmailText } from "~/ui/text";
import { INVITE_PATH, TEAM_PATH, type TeamFilter, teamList, teamRemovalPath } from "./definition";
import { INVITE_MEMBER, NO_MEMBER_FOUND, ROLE_HINTS } from "./labels";
import {
  INVITATION_FORMS,
  InvitationButtons,
  joinedColumn,
  MemberStatus,
  MembershipFields,
  personColumn,
  ROLES_FORM,
  RowButton,
  roleColumn,
} from "./member-columns";
import { hasFailedMail, hasSettableRole, isSettable, type ListedMember, type SettableRole } from "./model";
import type { InviteResult, TeamRead, TeamResult } from "./team-page.server";

const ROW_FORMS = ["suspend", "reactivate", ...INVITATION_FORMS, "copy-link"] as const;

function columns(
  { rows, zone, readAt }: ShownRows<ListedMember, "joined">,
  { viewerId, roles }: { viewerId: string; roles: SentRow },
): RowColumn<ListedMember>[] {
  const settable = rows.filter((row) => isSettable(row, viewerId));
  return [
    personColumn("Name", ({ name, userId }) => (
      <b>
        <EmailText email={userId === viewerId ? `${name} (you)` : name} />
      </b>
    )),
    roleColumn(
      rows.filter((row) => hasSettableRole(row, viewerId)),
      roles,
    ),
    { label: "Status", width: "w-[20%]", cell: (row) => <MemberStatus row={row} zone={zone} readAt={readAt} /> },
    joinedColumn(zone),
    {
      label: "Actions",
      width: "w-[17rem]",
      controls: true,
      cell: (row) => {
        if (row.status === "pending" && row.role !== "owner") {
          return (
            <>
              <InvitationButtons row={row} />
              {row.invitation && hasFailedMail(row.invitation) ? (
                <RowButton form="copy-link" row={row}>
                  Copy link
                </RowButton>
              ) : null}
            </>
          );
        }
        if (!settable.includes(row)) return null;
        const isActive = row.status === "active";
        return (
          <>
            <RowButton form={isActive ? "suspend" : "reactivate"} row={row}>
              {isActive ? "Suspend" : "Reactivate"}
            </RowButton>
            <a href={teamRemovalPath(row.id)} aria-label={`Remove ${row.name}…`}>
              Remove…
            </a>
          </>
        );
      },
    },
  ];
}

function TeamFilters({ filter, size }: { filter: TeamFilter; size: PageSize }) {
  return (
    <ListFilters definition={teamList} label="Team" search="Search name or email" filter={filter} size={size}>
      <MembershipFields filter={filter} />
      <SortField options={teamList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

const cards = ({ all, administrators, active }: TeamRead["counts"]) => [
  { label: "Total Members", value: all },
  { label: "Admins", value: administrators },
  { label: "Active Members", value: active },
];

type LoadedTeam = LoadedList<TeamFilter, TeamRead> & { token: string; viewerId: string; organizationId: string };

export function TeamListPage({ loaded }: { loaded: LoadedTeam }) {
  const { list, filter, size } = loaded;
  return (
    <ListPage
      definition={teamList}
      loaded={loaded}
      title="Team"
      actions={<LinkButton to={INVITE_PATH}>{INVITE_MEMBER}</LinkButton>}
      above={list ? <StatCards label="Team" items={cards(list.counts)} /> : null}
      filters={<TeamFilters filter={filter} size={size} />}
      empty={{ title: NO_MEMBER_FOUND, body: "Invite the first one." }}
    >
      {(team, path) => <Rows {...loaded} team={team} path={path} />}
    </ListPage>
  );
}

type RowsProps = Omit<LoadedTeam, "list"> & { team: TeamRead; path: string };

function Rows({ team, filter, size, token, path, viewerId, organizationId }: RowsProps) {
  const { key: resetKey } = useLocation();
  const roles = useSentRow({ path, form: ROLES_FORM });
  const result = useFormResult<TeamResult>(formKey(path, "copy-link"));
  const organization = <input type="hidden" name="organization_id" value={organizationId} />;
  return (
    <section aria-labelledby={ROWS_CAPTION} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {result && "link" in result ? <CopiedLink link={result.link} /> : null}
      {result && "rejection" in result ? <Rejection message={result.rejection} /> : null}
      <SavedStatus sent={[roles]} />
      <ListTable
        {...{ filter, size, resetKey }}
        list={team}
        definition={teamList}
        columns={(shown) => columns(shown, { viewerId, roles })}
      />
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

export const INVITE_FORM = "invite";

type InviteFormProps = {
  token: string;
  organizationId: string;
  defaultRole: SettableRole;
  result: InviteResult | undefined;
};

export function InviteForm({ token, organizationId, defaultRole, result }: InviteFormProps) {
  const errors: FieldErrors = result?.error.errors ?? {};
  const values: FormValues = result?.error.values ?? {};
  const role = values.role ?? defaultRole;
  return (
    <Box className="grid max-w-160 gap-5">
      {result && result.invitedCount > 0 ? (
        <div role="status">
          <Notice kind="success" message={`${plural(result.invitedCount, "person", "people")} invited.`} />
        </div>
      ) : null}
      {result ? <ErrorSummary key={values.emails} title={result.error.title} errors={errors} /> : null}
      {result && result.rejected.length > 0 ? (
        <ul className="grid gap-1 text-sm">
          {result.rejected.map(({ email, reason }) => (
            <li key={email} className="wrap-anywhere">
              <b>{email}</b>: {reason}
            </li>
          ))}
        </ul>
      ) : null}
      <Form action={INVITE_PATH} name={INVITE_FORM} token={token} className="grid gap-5">
        <input type="hidden" name="organization_id" value={organizationId} />
        <Field
          name="emails"
          label="Email"
          hint="One or several, separated by commas, blanks or lines."
          error={errors.emails}
        >
          <Textarea key={values.emails} rows={4} spellCheck={false} defaultValue={values.emails} />
        </Field>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">Role</legend>
          {(["member", "admin"] as const).map((each) => (
            <Tick key={each} type="radio" name="role" value={each} defaultChecked={each === role}>
              <span>
                <b>{ORGANIZATION_ROLE_LABELS[each]}</b>
                <small className="block text-ink-2 text-sm">{ROLE_HINTS[each]}</small>
              </span>
            </Tick>
          ))}
        </fieldset>
        <ButtonRow dense>
          <SubmitButton pendingLabel="Inviting...">{INVITE_MEMBER}</SubmitButton>
          <CancelLink to={TEAM_PATH} />
        </ButtonRow>
      </Form>
    </Box>
  );
}
