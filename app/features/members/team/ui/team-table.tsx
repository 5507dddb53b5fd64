import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { cx } from "~/ui/cx";
import { EmailText } from "~/ui/email-text";
import type { RowColumn } from "~/ui/row-table";
import type { SentRow } from "~/ui/use-sent-row";
import { hasFailedMail, isSettable, type ListedMember } from "../../model";
import {
  INVITATION_FORMS,
  InvitationButtons,
  joinedColumn,
  MemberStatus,
  PERSON_PLACES,
  personColumn,
  RowButton,
  roleColumn,
} from "../../ui/member-columns";
import { type TeamFilter, teamList, teamRemovalPath } from "../definition";

/** Names the forms of the buttons, each like what it does. */
export const ROW_FORMS = ["suspend", "reactivate", ...INVITATION_FORMS, "copy-link"] as const;

type Choices = { viewerId: string; roles: SentRow };

/** Says where the cells of a row stand if it is no line of a table. */
const PLACES = cx(
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:role] *:*:nth-3:[grid-area:status] *:*:nth-4:[grid-area:time]",
  "*:*:nth-3:whitespace-normal *:*:nth-5:[grid-area:open]",
  "max-table:*:grid-cols-[minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-4 max-table:*:gap-y-1",
  "max-table:*:py-[0.6rem] max-table:*:[grid-template-areas:'name_role'_'status_time'_'open_open']",
  "max-md:*:[grid-template-areas:'name_name'_'status_time'_'role_role'_'open_open']",
  "max-md:row-idle-save:hidden max-md:*:*:nth-2:flex max-md:[&_select]:flex-1",
  "*:*:nth-5:[&>button]:mr-2 *:*:nth-5:[&>button]:ml-0 *:*:nth-5:[&>button]:w-auto *:*:nth-5:[&>button]:px-2",
  "*:*:nth-5:[&>button]:border-control *:*:nth-5:[&>button]:bg-sheet *:*:nth-5:[&>button]:text-ink",
  PERSON_PLACES,
  "max-md:[&_small]:block!",
  "print:*:*:nth-5:hidden",
);

/** Shows the members of the organization, and the people who are invited to it. */
export function TeamTable(props: ListTableProps<ListedMember, TeamFilter> & Choices) {
  return <ListTable {...props} definition={teamList} look={PLACES} columns={(shown) => columns(shown, props)} />;
}

function columns(
  { rows, zone, readAt, sortOf }: ShownRows<ListedMember, "joined">,
  { viewerId, roles }: Choices,
): RowColumn<ListedMember>[] {
  const settable = rows.filter((row) => isSettable(row, viewerId));
  return [
    personColumn("Name", ({ name, userId }) => (
      <b>
        <EmailText email={userId === viewerId ? `${name} (you)` : name} />
      </b>
    )),
    roleColumn(settable, roles),
    { label: "Status", width: "w-[25%]", cell: (row) => <MemberStatus row={row} zone={zone} readAt={readAt} /> },
    joinedColumn(zone, sortOf("joined")),
    {
      label: "Actions",
      width: "w-[15rem] print:hidden",
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
