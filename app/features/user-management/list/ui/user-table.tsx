import { userPath } from "~/features/users/subject";
import { mailtoHref } from "~/lib/contact-links";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { EmailText } from "~/ui/email-text";
import { choiceOfRows } from "~/ui/row-choice";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/time";
import type { SentRow } from "~/ui/use-sent-row";
import { ROLE_LABELS, ROLE_OPTIONS, STATUS_TAGS } from "../../copy";
import { invitationWords } from "../../invitation-words";
import type { ListedUser } from "../../model";
import { type UserFilter, userList } from "../definition";

/** Names the forms that the controls of the rows belong to. */
export const ROLES_FORM = "roles";
export const RESEND_FORM = "resend";
export const REVOKE_FORM = "revoke";

type RowOptions = {
  /** Holds the id of the person who looks: nobody changes their own role. */
  ownId: string;
  /** Tells whether it shows what became of each invitation, and what can be done about it. */
  showsInvitations: boolean;
  roles: SentRow;
};

/** Shows the list of users; each row can be opened, and its person given another role. */
export function UserTable(props: ListTableProps<ListedUser, UserFilter> & RowOptions) {
  return <ListTable {...props} definition={userList} columns={(shown) => columns(shown, props)} />;
}

/** Tells whose role can be set: nobody changes their own role, and an address that nobody has confirmed gets none. */
const mayChangeRole = ({ id, status }: ListedUser, ownId: string) => id !== ownId && status !== "unverified";

function columns(
  { rows, zone, readAt: now, sortOf }: ShownRows<ListedUser, "joined" | "name">,
  { ownId, showsInvitations, roles }: RowOptions,
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
        const mark = id === ownId ? "you" : STATUS_TAGS[status];
        const words = showsInvitations && invitation ? invitationWords(invitation, { now, zone }) : mark;
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
      width: showsInvitations ? "w-[13rem]" : "w-[5rem]",
      controls: true,
      cell: ({ id, name }) => (
        <>
          <a href={userPath(id)} aria-label={`View ${name}`}>
            View
          </a>
          {showsInvitations ? (
            <>
              <button type="submit" form={RESEND_FORM} name="id" value={id} aria-label={`Resend ${name}`}>
                Resend
              </button>
              <button type="submit" form={REVOKE_FORM} name="id" value={id} aria-label={`Revoke ${name}`}>
                Revoke
              </button>
            </>
          ) : null}
        </>
      ),
    },
  ];
}
