import { ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-table";
import { cx } from "~/ui/cx";
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
  PERSON_PLACES,
  personColumn,
  roleColumn,
} from "../../ui/member-columns";
import { type MemberFilter, memberList, removalPath } from "../definition";
import type { LinkedMember } from "../read-members.server";

/** Names the form of the statuses. */
export const STATUSES_FORM = "statuses";

type Choices = { mayChange: boolean; viewerId: string; roles: SentRow; statuses: SentRow };

const CHOICE_WIDTH = "w-[12.6rem] max-[85rem]:w-[8.7rem]";

/** Says where the cells of a row stand if it is no line of a table. */
const PLACES = cx(
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:organization] *:*:nth-3:[grid-area:role]",
  "*:*:nth-4:[grid-area:status] *:*:nth-5:[grid-area:time] *:*:nth-6:[grid-area:open]",
  "max-table:*:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_auto_auto] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:gap-y-1 max-table:*:py-[0.55rem]",
  "max-table:*:[grid-template-areas:'name_organization_role_open'_'name_time_status_open']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto]",
  "max-lines:*:[grid-template-areas:'name_open'_'organization_time'_'role_status']",
  "max-md:*:[grid-template-areas:'name_name'_'organization_organization'_'time_open'_'role_role'_'status_status']",
  "max-md:row-idle-save:hidden max-md:*:*:nth-3:flex max-md:*:*:nth-4:flex max-md:*:*:nth-4:gap-x-2 max-md:[&_select]:flex-1",
  // Where the table is narrow, the button that saves stands below its choice: the addresses need the room.
  "*:*:nth-2:whitespace-normal max-[85rem]:*:*:nth-3:whitespace-normal max-[85rem]:*:*:nth-6:whitespace-normal max-[85rem]:*:*:nth-6:[&>button]:my-[0.1rem]",
  PERSON_PLACES,
  "max-md:[&_th>small]:block! *:*:nth-4:whitespace-normal",
  "*:*:nth-6:[&>button]:mr-2 *:*:nth-6:[&>button]:ml-0 *:*:nth-6:[&>button]:w-auto *:*:nth-6:[&>button]:px-2",
  "*:*:nth-6:[&>button]:border-control *:*:nth-6:[&>button]:bg-sheet *:*:nth-6:[&>button]:text-ink",
  "print:*:*:nth-6:hidden",
);

/** Shows memberships; role and status of each can be set in its row. */
export function MemberTable(props: ListTableProps<LinkedMember, MemberFilter> & Choices) {
  return <ListTable {...props} definition={memberList} look={PLACES} columns={(shown) => columns(shown, props)} />;
}

function columns(
  { rows, zone, readAt, query, sortOf }: ShownRows<LinkedMember, "joined">,
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
      width: "w-[19%] max-[85rem]:w-[17%]",
      cell: ({ organizationName, organizationPath }) =>
        organizationPath ? <a href={organizationPath}>{organizationName}</a> : organizationName,
    },
    { ...roleColumn(settable, roles), width: CHOICE_WIDTH },
    {
      label: "Status",
      width: CHOICE_WIDTH,
      cell: (row) => {
        if (!settable.includes(row)) {
          return row.role === "owner" && row.status === "active" ? null : (
            <MemberStatus row={row} zone={zone} readAt={readAt} />
          );
        }
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
    joinedColumn(zone, sortOf("joined")),
    {
      label: "Actions",
      width: "w-[10.5rem] max-[85rem]:w-[6rem] print:hidden",
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
