import type { Actor } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { activityRows } from "~/features/audit/activity/definition.server";
import type { AuditAction, AuditSubject } from "~/features/audit/model";
import { letterRows, ownLetterRows } from "~/features/letters/list.server";
import { memberRows, teamRows } from "~/features/members/definition.server";
import { organizationRows } from "~/features/organization-management/definition.server";
import { eventRows } from "~/features/security/events/definition.server";
import { factorRows } from "~/features/security/people/definition.server";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { clientTicketRows } from "~/features/tickets/client-list/definition.server";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { userRows } from "~/features/user-management/definition.server";
import type { ListExport } from "~/lists/define-rows.server";

export type Export = {
  rows: {
    list: { name: string; ability: Ability; path: string; csvPath: string; sorts: readonly string[]; fields: object };
    csvExport: ListExport;
  };
  ability: Ability;
  /** Then it needs a fresh proof of identity. */
  isPersonal: boolean;
  auditAction: AuditAction;
  about: Exclude<AuditSubject["type"], "settings" | "database" | "report">;
};

const OF_LISTS: readonly Export[] = [
  {
    rows: submissionRows,
    ability: "submission.export",
    isPersonal: true,
    auditAction: "submission.exported",
    about: "submission",
  },
  {
    rows: activityRows,
    ability: "activity.export",
    isPersonal: true,
    auditAction: "security.activity_exported",
    about: "activity",
  },
  {
    rows: userRows,
    ability: "user.view",
    isPersonal: true,
    auditAction: "user.exported",
    about: "user",
  },
  {
    rows: organizationRows,
    ability: "organization.manage",
    isPersonal: true,
    auditAction: "organization.exported",
    about: "organization",
  },
  {
    rows: ticketRows,
    ability: "ticket.export",
    isPersonal: true,
    auditAction: "ticket.exported",
    about: "ticket",
  },
  {
    rows: memberRows,
    ability: "member.export",
    isPersonal: true,
    auditAction: "organization.members_exported",
    about: "organization",
  },
  {
    rows: eventRows,
    ability: "security.view",
    isPersonal: true,
    auditAction: "security.events_exported",
    about: "activity",
  },
  {
    rows: factorRows,
    ability: "security.view",
    isPersonal: true,
    auditAction: "security.factors_exported",
    about: "activity",
  },
  {
    rows: letterRows,
    ability: "report.export",
    isPersonal: false,
    auditAction: "organization.letters_exported",
    about: "organization",
  },
];

/** Their lists show the organization that the person works in. */
const OF_PORTAL: readonly Export[] = [
  {
    rows: clientTicketRows,
    ability: "ticket.view",
    isPersonal: true,
    auditAction: "ticket.exported",
    about: "ticket",
  },
  {
    rows: teamRows,
    ability: "member.export",
    isPersonal: true,
    auditAction: "organization.members_exported",
    about: "organization",
  },
  {
    rows: ownLetterRows,
    ability: "letter.read",
    isPersonal: false,
    auditAction: "organization.letters_exported",
    about: "organization",
  },
];

const fileOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const byFile = <Entry extends Export>(entries: readonly Entry[]): ReadonlyMap<string, Entry> =>
  new Map(entries.map((entry) => [fileOf(entry.rows.list.csvPath), entry]));

/** The file name in an address: `submissions.csv`. */
export const EXPORTS = byFile(OF_LISTS);
export const PORTAL_EXPORTS = byFile(OF_PORTAL);

/** Null: there is none, or the actor may not open its list. */
export function findExport(actor: Actor, file: string): Export | null {
  const found = EXPORTS.get(file);
  return found && can(actor, found.rows.list.ability) ? found : null;
}
