import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { EmailText } from "~/ui/email-text";
import type { RowColumn } from "~/ui/row-table";
import type { SentRow } from "~/ui/use-sent-row";
import { hasFailedMail, isSettable, type ListedMember } from "../../model";
import {
  INVITATION_FORMS,
  InvitationButtons,
  joinedColumn,
  MemberStatus,
  personColumn,
  RowButton,
  roleColumn,
} from "../../ui/member-columns";
import { type TeamFilter, teamList, teamRemovalPath } from "../definition";

/** Names the forms of the buttons, each like what it does. */
export const ROW_FORMS = ["suspend", "reactivate", ...INVITATION_FORMS, "copy-link"] as const;

type Choices = { viewerId: string; roles: SentRow };

/** Shows the members of the organization, and the people who are invited to it. */
export function TeamTable(props: ListTableProps<ListedMember, TeamFilter> & Choices) {
  return <ListTable {...props} definition={teamList} columns={(shown) => columns(shown, props)} />;
}

function columns(
  { rows, zone, readAt }: ShownRows<ListedMember, "joined">,
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
