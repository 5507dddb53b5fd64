import { initialsOf } from "~/lib/initials";
import { cx } from "~/ui/cx";
import { RowChoice } from "~/ui/row-choice";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { Tag } from "~/ui/status-pill";
import { formatInstant } from "~/ui/time";
import { ROLE_LABELS, ROLE_OPTIONS, STATUS_LABELS, STATUS_OPTIONS } from "../../copy";
import { isSettable, type SettableRole, type SettableStatus } from "../../model";
import { removalPath } from "../definition";
import type { LinkedMember } from "../read-members.server";

/** Names the forms of the rows: one for roles, one for statuses. */
export const ROLES_FORM = "roles";
export const STATUSES_FORM = "statuses";

/** Tells which row is being saved, and which was saved last. */
export type SentRow = { sending: string | null; saved: string | null };

type MemberTableProps = {
  rows: readonly LinkedMember[];
  labelledBy: string;
  zone: string;
  /** The query of the list, which the page of a removal keeps for the way back. */
  query: string;
  sortOf: (column: "joined") => RowColumn<LinkedMember>["sort"];
  mayChange: boolean;
  viewerId: string;
  roles: SentRow;
  statuses: SentRow;
  resetKey: string;
};

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
  "max-md:row-idle-save:hidden max-md:*:*:nth-3:flex max-md:*:*:nth-4:flex max-md:[&_select]:flex-1",
  "max-table:*:*:nth-1:pl-9! [&_th>span]:absolute [&_th>span]:top-1/2 [&_th>span]:left-3 [&_th]:relative [&_th]:pl-11!",
  "max-md:[&_th>small]:block! max-table:*:*:nth-1:min-h-8 [&_th>span]:-translate-y-1/2 max-table:[&_th>span]:left-0",
  "print:*:*:nth-6:hidden",
);

/** Shows memberships; role and status of each can be set in its row. */
export function MemberTable({ rows, labelledBy, resetKey, ...rest }: MemberTableProps) {
  return (
    <RowTable
      labelledBy={labelledBy}
      look={PLACES}
      columns={columns({ rows, ...rest })}
      rows={rows}
      rowKey={({ id }) => id}
      resetKey={resetKey}
    />
  );
}

const stateOf = ({ sending, saved }: SentRow, id: string) =>
  id === sending ? "sending" : id === saved ? "saved" : null;

function columns({
  rows,
  zone,
  query,
  sortOf,
  mayChange,
  viewerId,
  roles,
  statuses,
}: Omit<MemberTableProps, "labelledBy" | "resetKey">): RowColumn<LinkedMember>[] {
  const settable = rows.filter((row) => mayChange && isSettable(row, viewerId));
  const choiceOf = (row: LinkedMember) => ({ id: row.id, of: row.name, position: settable.indexOf(row) });
  return [
    {
      label: "Member",
      header: true,
      cell: ({ name, email, personPath }) => (
        <>
          <span role="img" aria-hidden="true">
            {initialsOf(name)}
          </span>
          {personPath ? <a href={personPath}>{name}</a> : <b>{name}</b>}
          {email === name ? null : <small title={email}>{email}</small>}
        </>
      ),
    },
    {
      label: "Organization",
      width: "w-[19%]",
      cell: ({ organizationName, organizationPath }) =>
        organizationPath ? <a href={organizationPath}>{organizationName}</a> : organizationName,
    },
    {
      label: "Role",
      width: "w-[12.4rem]",
      cell: (row) =>
        settable.includes(row) ? (
          <RowChoice
            form={ROLES_FORM}
            name="role"
            label="Role"
            {...choiceOf(row)}
            value={row.role as SettableRole}
            options={ROLE_OPTIONS}
            state={stateOf(roles, row.id)}
            isPlain
          />
        ) : (
          <Tag>{ROLE_LABELS[row.role]}</Tag>
        ),
    },
    {
      label: "Status",
      width: "w-[12.4rem]",
      cell: (row) =>
        settable.includes(row) ? (
          <RowChoice
            form={STATUSES_FORM}
            name="status"
            label="Status"
            {...choiceOf(row)}
            value={row.status as SettableStatus}
            options={STATUS_OPTIONS}
            state={stateOf(statuses, row.id)}
            isPlain
          />
        ) : row.role === "owner" && row.status === "active" ? null : (
          STATUS_LABELS[row.status]
        ),
    },
    {
      label: "Joined",
      width: "w-[7.4rem]",
      sort: sortOf("joined"),
      cell: ({ joinedAt }) =>
        joinedAt === null ? (
          "—"
        ) : (
          <time dateTime={new Date(joinedAt).toISOString()}>{formatInstant(joinedAt, zone, "date")}</time>
        ),
    },
    {
      label: "Actions",
      width: "w-[5.9rem] print:hidden",
      cell: (row) =>
        settable.includes(row) ? (
          <a href={removalPath(row.id, query)} aria-label={`Remove ${row.name}…`}>
            Remove…
          </a>
        ) : null,
    },
  ];
}
