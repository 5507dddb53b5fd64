import { useLocation } from "@remix-run/react";
import { NEW_USER_PATH, userPath } from "~/features/users/model";
import { mailtoHref } from "~/lib/email";
import { cappedText } from "~/lib/numbers";
import { type LoadedList, type PageSize, ROWS_CAPTION } from "~/lists/model";
import { ListFilters, ListPage, ListTable, RowsForm, SavedStatus, type ShownRows } from "~/lists/ui/list-page";
import { ButtonRow, LinkButton } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";
import { type SentRow, usePostedResult, useSentRow } from "~/ui/form";
import { Link } from "~/ui/link";
import { ChoiceField, SortField } from "~/ui/list-fields";
import { Notice } from "~/ui/page";
import { choiceOfRows } from "~/ui/row-choice";
import type { RowColumn } from "~/ui/row-table";
import { StatCards } from "~/ui/stat-cards";
import { EmailText, formatInstant } from "~/ui/text";
import { type UserFilter, userList, userListHeading } from "./definition";
import { invitationLabel, NO_USERS_FOUND, NONE_INVITED, ROLE_LABELS, ROLE_OPTIONS, USER_STATUS_TAGS } from "./labels";
import type { RowRejection, UserListRead } from "./list-page.server";
import type { ListedUser, UserCounts } from "./model";
import { RoleDescriptionsPanel } from "./role-descriptions";

const ANY_ROLE = [{ value: "", label: "All roles" }, ...ROLE_OPTIONS.toReversed()];

function UserFilters({ filter, size }: { filter: UserFilter; size: PageSize }) {
  return (
    <ListFilters definition={userList} label="Filter users" search="Search name or email" filter={filter} size={size}>
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      <ChoiceField name="role" id="filter-role" label="Role" options={ANY_ROLE} value={filter.role} />
      <SortField options={userList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

const CARDS = [
  { counted: "all", label: "Total Users", role: null },
  { counted: "admin", label: "Admins", role: "admin" },
  { counted: "moderator", label: "Moderators", role: "moderator" },
  { counted: "user", label: "Regular Users", role: "user" },
] as const;

const UNFILTERED = userList.readFilter(new URLSearchParams());

function UserStatCards({ counts, filter }: { counts: UserCounts | null; filter: UserFilter }) {
  return (
    <StatCards
      label="Users by role"
      items={CARDS.map(({ counted, label, role }) => ({
        label,
        value: counts?.[counted] ?? null,
        to: userList.pathTo({ ...UNFILTERED, role }),
        current: filter.view === null && filter.role === role,
      }))}
    />
  );
}

const ROLES_FORM = "roles";
const RESEND = { form: "resend", label: "Resend" };
const REVOKE = { form: "revoke", label: "Revoke" };

const isInvited = ({ status }: ListedUser): boolean => status === "pending";

const mayChangeRole = ({ id, status }: ListedUser, ownId: string) => id !== ownId && status !== "unverified";

function columns(
  { rows, zone, readAt: now, sortOf }: ShownRows<ListedUser, "joined" | "name">,
  { ownId, roles }: { ownId: string; roles: SentRow },
): RowColumn<ListedUser>[] {
  const choices = rows.filter((row) => mayChangeRole(row, ownId));
  const choiceOf = choiceOfRows(choices, roles, {
    form: ROLES_FORM,
    name: "role",
    label: "Role",
    isPlain: true,
    of: ({ name }) => name,
    value: ({ role }) => role,
    options: () => ROLE_OPTIONS,
  });
  return [
    {
      label: "User",
      header: true,
      sort: sortOf("name"),
      cell: ({ id, name, status, invitation }) => {
        const mark = id === ownId ? "you" : USER_STATUS_TAGS[status];
        const words = invitation ? invitationLabel(invitation, { now, zone }) : mark;
        return (
          <>
            <a href={userPath(id)}>{name}</a>
            {words ? <small>{words}</small> : null}
          </>
        );
      },
    },
    {
      label: "Email",
      cell: ({ email }) => (
        <a href={mailtoHref(email)}>
          <EmailText email={email} />
        </a>
      ),
    },
    {
      label: "Role",
      width: "w-[12.75rem]",
      cell: (row) => (choices.includes(row) ? choiceOf(row) : ROLE_LABELS[row.role]),
    },
    {
      label: "Joined",
      width: "w-[8rem]",
      labelled: true,
      sort: sortOf("joined"),
      cell: ({ joinedAt }) => (
        <time dateTime={new Date(joinedAt).toISOString()}>{formatInstant(joinedAt, zone, "date")}</time>
      ),
    },
    {
      label: "Actions",
      width: rows.some(isInvited) ? "w-[13rem]" : "w-[5rem]",
      controls: true,
      cell: (row) => (
        <>
          <a href={userPath(row.id)} aria-label={`View ${row.name}`}>
            View
          </a>
          {isInvited(row)
            ? [RESEND, REVOKE].map(({ form, label }) => (
                <button
                  key={form}
                  type="submit"
                  form={form}
                  name="id"
                  value={row.id}
                  aria-label={`${label} ${row.name}`}
                >
                  {label}
                </button>
              ))
            : null}
        </>
      ),
    },
  ];
}

type LoadedUsers = LoadedList<UserFilter, UserListRead> & { token: string; ownId: string };

export function UserListPage({ loaded }: { loaded: LoadedUsers }) {
  const { list, filter, size } = loaded;
  const { view } = filter;
  const invited = list?.invited;
  const rejection = usePostedResult<RowRejection>()?.rejection ?? null;
  const actions = (
    <ButtonRow dense>
      <ExportLink to={userList.exportPathTo(filter)} />
      <LinkButton to={NEW_USER_PATH}>Add New User</LinkButton>
    </ButtonRow>
  );
  const links = (
    <>
      {view ? (
        <Link to={userList.path}>See all users</Link>
      ) : invited && invited.count > 0 ? (
        <Link to={userList.pathTo({ ...UNFILTERED, view: "invited" })}>
          Pending invitations ({cappedText(invited)})
        </Link>
      ) : null}
      <RoleDescriptionsPanel />
    </>
  );
  return (
    <ListPage
      definition={userList}
      loaded={loaded}
      title={userListHeading(filter)}
      actions={actions}
      above={<UserStatCards counts={list?.counts ?? null} filter={filter} />}
      filters={<UserFilters filter={filter} size={size} />}
      kept={{ view }}
      links={links}
      empty={{ title: NO_USERS_FOUND, body: "No people yet." }}
      noMatch={view ? { body: NONE_INVITED } : undefined}
    >
      {(users, path) => <Rows {...loaded} users={users} path={path} rejection={rejection} />}
    </ListPage>
  );
}

type RowsProps = Omit<LoadedUsers, "list"> & { users: UserListRead; path: string; rejection: string | null };

function Rows({ users, filter, size, token, ownId, path, rejection }: RowsProps) {
  const { key: resetKey } = useLocation();
  const roles = useSentRow({ path, form: ROLES_FORM });
  return (
    <section aria-labelledby={ROWS_CAPTION}>
      <SavedStatus sent={[roles]} />
      <ListTable
        {...{ filter, size, resetKey }}
        list={users}
        definition={userList}
        columns={(shown) => columns(shown, { ownId, roles })}
      />
      <div className="list-dock">
        <div role="alert">{rejection ? <Notice kind="error" message={rejection} /> : null}</div>
        <RowsForm name={ROLES_FORM} intent="role" path={path} token={token} sent={roles} />
        {users.page.rows.some(isInvited)
          ? [RESEND, REVOKE].map(({ form }) => <RowsForm key={form} name={form} path={path} token={token} />)
          : null}
      </div>
    </section>
  );
}
