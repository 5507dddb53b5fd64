import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { userRoles, users } from "~/db/schema/accounts";
import { attachments } from "~/db/schema/attachments";
import { auditEvents, auditSeals } from "~/db/schema/audit";
import { calendarsInForce } from "~/db/schema/figures";
import { letters } from "~/db/schema/letters";
import { mfaAuditLog, userMfaSettings } from "~/db/schema/mfa";
import { adminNotes } from "~/db/schema/notes";
import { mutedSubjects, notificationPreferences, notifications, quietHours } from "~/db/schema/notifications";
import { invitations, organizationDomains, organizationMemberships, organizations } from "~/db/schema/organizations";
import { legalHolds, purges, retentionRuns } from "~/db/schema/privacy";
import { savedViews } from "~/db/schema/saved-views";
import { securityAlerts } from "~/db/schema/security";
import { settings } from "~/db/schema/settings";
import { missingPaths, pageViews } from "~/db/schema/site";
import {
  contactSubmissions,
  submissionAssignments,
  submissionEvents,
  submissionReplies,
} from "~/db/schema/submissions";
import { ticketCopies } from "~/db/schema/ticket-copies";
import { allowanceEntries, cannedReplies } from "~/db/schema/ticket-work";
import { solvedQuestions, ticketEvents, ticketMessages, ticketPeople, tickets, ticketVotes } from "~/db/schema/tickets";

/** Describes a table of the archive, with the columns that are in it. */
type ExportedTable = { name: string; columns: readonly string[] };

/** Names a table, and the columns that stay here: secrets, and what is derived from the others. */
type Listed = [table: SQLiteTable, without?: readonly string[]];

const LISTED: readonly Listed[] = [
  [organizations, ["search_name", "search_description"]],
  [organizationDomains],
  [organizationMemberships, ["search_text"]],
  // The link of an invitation is a secret, whose hash is the key of the row.
  [invitations, ["id_hash", "mail_id"]],
  [users, ["password_hash", "auth_epoch", "password_failures", "search_name", "listed_role", "listed_factor"]],
  [userRoles],
  [userMfaSettings, ["totp_secret", "last_totp_step", "codes_unsaved", "setup_needs_link"]],
  [mfaAuditLog],
  [notificationPreferences],
  [quietHours],
  [mutedSubjects],
  [notifications],
  [contactSubmissions, ["ip_hash", "search_text", "name_key"]],
  [submissionEvents],
  [submissionAssignments],
  [submissionReplies, ["mail_id"]],
  [tickets, ["search_text", "viewers", "warn_at", "miss_at"]],
  [ticketMessages],
  [ticketEvents],
  [ticketPeople],
  [ticketCopies],
  [ticketVotes],
  [solvedQuestions],
  [adminNotes],
  [attachments],
  [cannedReplies],
  [allowanceEntries],
  [letters, ["search_text"]],
  [settings],
  [calendarsInForce],
  [savedViews],
  [legalHolds],
  [retentionRuns],
  [purges],
  [securityAlerts],
  [pageViews],
  [missingPaths],
  [auditEvents, ["search_text"]],
  [auditSeals],
];

const columnsOf = (table: SQLiteTable, without: readonly string[] = []): string[] =>
  Object.values(getTableColumns(table))
    // What the database computes itself is in the other columns already.
    .filter(({ generated, name }) => !generated && !without.includes(name))
    .map(({ name }) => name);

/** Lists the tables of the archive, in their order in it. */
export const EXPORTED_TABLES: readonly ExportedTable[] = LISTED.map(([table, without]) => ({
  name: getTableName(table),
  columns: columnsOf(table, without),
}));

/**
 * Lists the tables that are left out, by the reason. A table of the database is in one of the two lists, as a test
 * checks.
 */
export const LEFT_OUT = {
  secrets: [
    ...["auth_challenges", "auth_tokens", "held_forms", "mfa_backup_codes", "mfa_enrollments", "sessions"],
    ...["rate_limit_attempts", "refused_sign_ins"],
  ],
  passing: [
    ...["batch_guards", "captured_mails", "counters", "erasures", "idempotency", "job_groups", "letter_months"],
    ...["live_dismissals", "live_events", "live_readers", "mail_events", "mail_pauses", "outbox", "person_erasures"],
    ...["ticket_drafts", "undoable_replies"],
  ],
  counted: [
    ...["account_counts", "backlog_months", "daily_figures", "days_to_count", "range_figures", "submission_counts"],
    ...["ticket_counts", "ticket_facts", "tickets_to_count", "totals"],
  ],
} as const;
