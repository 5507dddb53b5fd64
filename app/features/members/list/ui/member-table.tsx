import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { EmailText } from "~/ui/email-text";
import type { RowColumn } from "~/ui/row-table";
import type { SentRow } from "~/ui/use-sent-row";
import { STATUS_OPTIONS } from "../../copy";
import { isSettable, type SettableStatus } from "../../model";
import {
  InvitationButtons,
  joinedColumn,
  MemberChoice,
  MemberStatus,
  personColumn,
  roleColumn,
} from "../../ui/member-columns";
import { type MemberFilter, memberList, removalPath } from "../definition";
import type { LinkedMember } from "../read-members.server";

/** Names the form of the statuses. */
export const STATUSES_FORM = "statuses";

type Choices = { mayChange: boolean; viewerId: string; roles: SentRow; statuses: SentRow };

const CHOICE_WIDTH = "w-[9.25rem]";

/** Shows memberships; role and status of each can be set in its row. */
export function MemberTable(props: ListTableProps<LinkedMember, MemberFilter> & Choices) {
  return <ListTable {...props} definition={memberList} columns={(shown) => columns(shown, props)} />;
}

function columns(
  { rows, zone, readAt, query }: ShownRows<LinkedMember, "joined">,
  { mayChange, viewerId, roles, statuses }: Choices,
): RowColumn<LinkedMember>[] {
  const settable = rows.filter((row) => mayChange && isSettable(row, viewerId));
  return [
    personColumn("Member", ({ name, personPath }) =>
      personPath ? (
        <a href={personPath}>{name}</a>
      ) : (
        <b>
          <EmailText email={name} />
        </b>
      ),
    ),
    {
      label: "Organization",
      width: "w-[19%]",
      cell: ({ organizationName, organizationPath }) =>
        organizationPath ? <a href={organizationPath}>{organizationName}</a> : organizationName,
    },
    { ...roleColumn(settable, roles), width: CHOICE_WIDTH },
    {
      label: "Status",
      width: CHOICE_WIDTH,
      cell: (row) => {
        if (!settable.includes(row)) return <MemberStatus row={row} zone={zone} readAt={readAt} />;
        return (
          <MemberChoice
            form={STATUSES_FORM}
            name="status"
            label="Status"
            row={row}
            settable={settable}
            value={row.status as SettableStatus}
            options={STATUS_OPTIONS}
            sent={statuses}
          />
        );
      },
    },
    joinedColumn(zone),
    {
      label: "Actions",
      width: "w-[7.5rem]",
      controls: true,
      cell: (row) => {
        if (mayChange && row.status === "pending") return <InvitationButtons row={row} />;
        return settable.includes(row) ? (
          <a href={removalPath(row.id, query)} aria-label={`Remove ${row.name}…`}>
            Remove…
          </a>
        ) : null;
      },
    },
  ];
}
