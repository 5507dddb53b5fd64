import type { ReactNode } from "react";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { initialsOf } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { type Option, optionsWithNone, type SentRow } from "~/ui/form";
import { ChoiceField } from "~/ui/list-fields";
import { RowChoice } from "~/ui/row-choice";
import type { RowColumn } from "~/ui/row-table";
import { Tag } from "~/ui/status-pill";
import { EmailText, formatInstant } from "~/ui/text";
import { MEMBER_STATUS_LABELS, ORGANIZATION_ROLE_OPTIONS } from "./labels";
import { hasFailedMail, type ListedMember, MEMBER_ROLES, MEMBERSHIP_STATUSES, type PendingMember } from "./model";

const ROLES: readonly Option[] = optionsWithNone("Any role", MEMBER_ROLES, ORGANIZATION_ROLE_LABELS);
const STATUSES: readonly Option[] = optionsWithNone("Any status", MEMBERSHIP_STATUSES, MEMBER_STATUS_LABELS);

export function MembershipFields({ filter }: { filter: { role: string | null; status: string | null } }) {
  return (
    <>
      <ChoiceField name="role" id="filter-role" label="Role" options={ROLES} value={filter.role} />
      <ChoiceField name="status" id="filter-status" label="Status" options={STATUSES} value={filter.status} />
    </>
  );
}

/*
 * The columns that the lists of members have in common: that of all, for staff, and that of one organization.
 */

export const ROLES_FORM = "roles";
export const INVITATION_FORMS = ["resend", "revoke"] as const;

export const personColumn = <Row extends ListedMember>(
  label: string,
  nameOf: (row: Row) => ReactNode,
): RowColumn<Row> => ({
  label,
  header: true,
  cell: (row) => (
    <>
      <span role="img" aria-hidden="true">
        {initialsOf(row.name)}
      </span>
      {nameOf(row)}
      {row.email === row.name ? null : (
        <small>
          <EmailText email={row.email} />
        </small>
      )}
    </>
  ),
});

type ChoiceProps<Value extends string> = {
  form: string;
  name: "role" | "status";
  label: string;
  row: ListedMember;
  settable: readonly ListedMember[];
  value: Value;
  options: readonly { value: Value; label: string }[];
  sent: SentRow;
};

export const MemberChoice = <Value extends string>({ row, settable, sent, ...choice }: ChoiceProps<Value>) => (
  <RowChoice
    {...choice}
    id={row.id}
    of={row.name}
    position={settable.indexOf(row)}
    state={sent.stateOf(row.id)}
    isPlain
  />
);

export const roleColumn = <Row extends ListedMember>(settable: readonly Row[], sent: SentRow): RowColumn<Row> => ({
  label: "Role",
  width: "w-[9.25rem]",
  cell: (row) =>
    settable.includes(row) ? (
      <MemberChoice
        form={ROLES_FORM}
        name="role"
        label="Role"
        row={row}
        settable={settable}
        value={row.role}
        options={ORGANIZATION_ROLE_OPTIONS}
        sent={sent}
      />
    ) : (
      <Tag>{ORGANIZATION_ROLE_LABELS[row.role]}</Tag>
    ),
});

export const joinedColumn = <Row extends ListedMember>(zone: string): RowColumn<Row> => ({
  label: "Joined",
  width: "w-[7.4rem]",
  labelled: true,
  cell: ({ joinedAt }) =>
    joinedAt === null ? (
      "—"
    ) : (
      <time dateTime={new Date(joinedAt).toISOString()}>{formatInstant(joinedAt, zone, "date")}</time>
    ),
});

export function MemberStatus({ row, zone, readAt }: { row: ListedMember; zone: string; readAt: Instant }) {
  const { invitation, status } = row;
  return (
    <>
      {invitation && invitation.expiresAt <= readAt ? "Invitation expired" : MEMBER_STATUS_LABELS[status]}{" "}
      {invitation ? <small>{invitationLabel(invitation, zone)}</small> : null}
    </>
  );
}

function invitationLabel(invitation: PendingMember, zone: string): string {
  const { invitedBy, sentAt, failure } = invitation;
  const sent = `Invited by ${invitedBy}, ${formatInstant(sentAt, zone, "date")}`;
  if (invitation.mail === "delayed") return `${sent}. Email delayed`;
  if (!hasFailedMail(invitation)) return sent;
  return `${sent}. Email failed${failure ? `: ${failure}` : ""}`;
}

export const RowButton = ({ form, row, children }: { form: string; row: ListedMember; children: string }) => (
  <button type="submit" form={form} name="id" value={row.id} aria-label={`${children} ${row.name}`}>
    {children}
  </button>
);

export const InvitationButtons = ({ row }: { row: ListedMember }) => (
  <>
    <RowButton form="resend" row={row}>
      Resend
    </RowButton>
    <RowButton form="revoke" row={row}>
      Revoke
    </RowButton>
  </>
);
