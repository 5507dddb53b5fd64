import { userPath } from "~/features/users/subject";
import { mailtoHref } from "~/lib/contact-links";
import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { cx } from "~/ui/cx";
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
  /** Id of the person who looks: nobody changes their own role. */
  ownId: string;
  /** Shows what became of each invitation, and what can be done about it. */
  showsInvitations: boolean;
  roles: SentRow;
};

/** Says where the cells of a row stand if it is no line of a table. */
const PLACES = cx(
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:email] *:*:nth-3:[grid-area:role] *:*:nth-4:[grid-area:joined]",
  "*:*:nth-5:[grid-area:open]",

  // Two lines.
  "max-table:*:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)_13rem_auto]",
  "max-table:*:[grid-template-areas:'name_joined_role_open'_'email_joined_role_open']",
  "max-table:*:items-center max-table:*:gap-x-4 max-table:*:gap-y-0 max-table:*:py-[0.45rem]",
  "max-table:*:*:nth-1:flex max-table:*:*:nth-1:items-baseline max-table:*:*:nth-1:gap-2",

  // A card.
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-[0.2rem] max-lines:*:py-[0.7rem]",
  "max-lines:*:[grid-template-areas:'name_name'_'email_email'_'joined_open'_'role_role']",
  "max-md:*:*:nth-3:mt-1 max-md:*:*:nth-3:flex max-md:*:*:nth-3:items-center max-md:[&_select]:flex-1",
  "max-md:row-idle-save:hidden max-lines:*:*:nth-4:text-ink-2 max-lines:*:*:nth-4:before:content-['Joined_']",

  // An address is shown in full: it is what tells people of one name apart.
  "*:*:nth-2:whitespace-normal *:*:nth-2:[&>a]:block *:*:nth-2:[&>a]:w-fit *:*:nth-2:[&>a]:max-w-full",
  "*:*:nth-2:[&>a]:text-xs *:*:nth-2:[&>a]:leading-6",
  "*:*:nth-1:[&_small]:font-sans",
  // What is pressed beside a link says what it does in words, not by its colour.
  "*:*:nth-5:[&_button]:w-auto *:*:nth-5:[&_button]:border-control *:*:nth-5:[&_button]:bg-sheet",
  "*:*:nth-5:[&_button]:px-2 *:*:nth-5:[&_button]:text-ink",
  "print:*:*:nth-5:hidden",
);

/** Shows the list of users; each row can be opened, and its person given another role. */
export function UserTable(props: ListTableProps<ListedUser, UserFilter> & RowOptions) {
  return <ListTable {...props} definition={userList} look={PLACES} columns={(shown) => columns(shown, props)} />;
}

/** Tells whose role can be set: nobody changes their own role, and an address that nobody has confirmed gets none. */
const mayChangeRole = ({ id, status }: ListedUser, ownId: string) => id !== ownId && status !== "unverified";

function columns(
  { rows, zone, readAt: now, sortOf }: ShownRows<ListedUser, "joined" | "name">,
  { ownId, showsInvitations, roles }: RowOptions,
): RowColumn<ListedUser>[] {
  const choices = rows.filter((row) => mayChangeRole(row, ownId));
  const choiceOf = choiceOfRows(choices, roles, {
    ...{ form: ROLES_FORM, name: "role", label: "Role", isPlain: true },
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
      width: "w-[12.6rem]",
      cell: (row) => (choices.includes(row) ? choiceOf(row) : ROLE_LABELS[row.role]),
    },
    {
      label: "Joined",
      width: "w-[8rem]",
      sort: sortOf("joined"),
      cell: ({ joinedAt }) => (
        <time dateTime={new Date(joinedAt).toISOString()}>{formatInstant(joinedAt, zone, "date")}</time>
      ),
    },
    {
      label: "Actions",
      width: showsInvitations ? "w-[13rem] print:hidden" : "w-[5rem] print:hidden",
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
