import { initialsOf } from "~/lib/initials";
import type { Instant } from "~/lib/time";
import { cx } from "~/ui/cx";
import { RowChoice } from "~/ui/row-choice";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { Tag } from "~/ui/status-pill";
import { formatInstant } from "~/ui/time";
import { ROLE_LABELS, ROLE_OPTIONS, STATUS_LABELS } from "../../copy";
import { hasFailedMail, isSettable, type ListedMember } from "../../model";
import { teamRemovalPath } from "../definition";

/** Names the form of the roles. The others are named like what they do. */
export const ROLES_FORM = "roles";
export const ROW_FORMS = ["suspend", "reactivate", "resend", "revoke", "copy-link"] as const;

type TeamTableProps = {
  rows: readonly ListedMember[];
  labelledBy: string;
  zone: string;
  readAt: Instant;
  viewerId: string;
  sortOf: (column: "joined") => RowColumn<ListedMember>["sort"];
  sending: string | null;
  saved: string | null;
  resetKey: string;
};

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
  "max-table:*:*:nth-1:pl-9! [&_th>span]:absolute [&_th>span]:top-1/2 [&_th>span]:left-3 [&_th]:relative [&_th]:pl-11!",
  "max-md:[&_small]:block! max-table:*:*:nth-1:min-h-8 [&_th>span]:-translate-y-1/2 max-table:[&_th>span]:left-0",
  "print:*:*:nth-5:hidden",
);

/** Shows the members of the organization, and the people who are invited to it. */
export function TeamTable({ rows, labelledBy, resetKey, ...rest }: TeamTableProps) {
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

function columns({
  rows,
  zone,
  readAt,
  viewerId,
  sortOf,
  sending,
  saved,
}: Omit<TeamTableProps, "labelledBy" | "resetKey">): RowColumn<ListedMember>[] {
  const settable = rows.filter((row) => isSettable(row, viewerId));
  return [
    {
      label: "Name",
      header: true,
      cell: ({ name, email, userId }) => (
        <>
          <span role="img" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <b>{userId === viewerId ? `${name} (you)` : name}</b>
          {email === name ? null : <small title={email}>{email}</small>}
        </>
      ),
    },
    {
      label: "Role",
      width: "w-[12.4rem]",
      cell: (row) =>
        settable.includes(row) && row.role !== "owner" ? (
          <RowChoice
            form={ROLES_FORM}
            name="role"
            label="Role"
            id={row.id}
            of={row.name}
            position={settable.indexOf(row)}
            value={row.role}
            options={ROLE_OPTIONS}
            state={row.id === sending ? "sending" : row.id === saved ? "saved" : null}
            isPlain
          />
        ) : (
          <Tag>{ROLE_LABELS[row.role]}</Tag>
        ),
    },
    {
      label: "Status",
      width: "w-[25%]",
      cell: (row) => (
        <>
          {row.invitation && row.invitation.expiresAt <= readAt ? "Invitation expired" : STATUS_LABELS[row.status]}
          {row.invitation ? <small className="whitespace-normal">{invitationWords(row.invitation, zone)}</small> : null}
        </>
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
      width: "w-[15rem] print:hidden",
      cell: (row) => {
        if (row.status === "pending" && row.role !== "owner") return <InvitationButtons row={row} />;
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

/** Says who invited, when, and what became of the mail. */
function invitationWords(invitation: NonNullable<ListedMember["invitation"]>, zone: string): string {
  const { invitedBy, sentAt, failure } = invitation;
  const sent = `Invited by ${invitedBy}, ${formatInstant(sentAt, zone, "date")}`;
  if (!hasFailedMail(invitation)) return sent;
  return `${sent}. E-mail failed${failure ? `: ${failure}` : ""}`;
}

function InvitationButtons({ row }: { row: ListedMember }) {
  return (
    <>
      <RowButton form="resend" row={row}>
        Resend
      </RowButton>
      <RowButton form="revoke" row={row}>
        Revoke
      </RowButton>
      {row.invitation && hasFailedMail(row.invitation) ? (
        <RowButton form="copy-link" row={row}>
          Copy link
        </RowButton>
      ) : null}
    </>
  );
}

type RowButtonProps = { form: (typeof ROW_FORMS)[number]; row: ListedMember; children: string };

function RowButton({ form, row, children }: RowButtonProps) {
  return (
    <button type="submit" form={form} name="id" value={row.id} aria-label={`${children} ${row.name}`}>
      {children}
    </button>
  );
}
