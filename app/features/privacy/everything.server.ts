import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { savedViews, userRoles, users } from "~/db/schema/accounts";
import { auditEvents, auditSeals } from "~/db/schema/audit";
import { importedRecords } from "~/db/schema/imports";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { letters } from "~/db/schema/letters";
import { calendarsInForce } from "~/db/schema/metrics";
import { mutedSubjects, notificationPreferences, notifications, quietHours } from "~/db/schema/notifications";
import {
  contacts,
  invitations,
  organizationDomains,
  organizationMemberships,
  organizations,
  otherAddresses,
} from "~/db/schema/organizations";
import { legalHolds, purges, retentionRuns } from "~/db/schema/privacy";
import { mfaAuditLog, securityAlerts, userMfaSettings } from "~/db/schema/security";
import { missingPaths, pageViews, settings } from "~/db/schema/site";
import { adminNotes, attachments } from "~/db/schema/subjects";
import {
  contactSubmissions,
  submissionAssignments,
  submissionEvents,
  submissionReplies,
} from "~/db/schema/submissions";
import { allowanceEntries, cannedReplies, proposedCopies, ticketCopies } from "~/db/schema/ticket-work";
import { solvedQuestions, ticketEvents, ticketMessages, ticketPeople, tickets, ticketVotes } from "~/db/schema/tickets";

type ExportedTable = { name: string; columns: readonly string[] };

/** The columns that stay here are secrets, and what is derived from the others. */
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
  [contacts, ["search_name"]],
  [otherAddresses],
  [tickets, ["measured_version", "search_text", "viewers", "warn_at", "miss_at"]],
  [ticketMessages],
  [ticketEvents],
  [ticketPeople],
  [ticketCopies],
  [proposedCopies],
  [inboundMail, ["mail_key", "object_key"]],
  [blockedSenders],
  [ticketVotes],
  [solvedQuestions],
  [adminNotes],
  [attachments],
  [cannedReplies],
  [allowanceEntries],
  [importedRecords],
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

export const EXPORTED_TABLES: readonly ExportedTable[] = LISTED.map(([table, without]) => ({
  name: getTableName(table),
  columns: columnsOf(table, without),
}));

/** By the reason. A table of the database is in one of the two lists, as a test checks. */
export const LEFT_OUT = {
  secrets: [
    ...["auth_challenges", "auth_tokens", "erased_addresses", "mfa_backup_codes", "mfa_enrollments", "sessions"],
    ...["rate_limit_attempts", "refused_sign_ins"],
  ],
  passing: [
    ...[
      "batch_guards",
      "captured_mails",
      "contact_invitations",
      "counters",
      "erasures",
      "idempotency",
      "job_groups",
      "letter_months",
    ],
    ...["live_dismissals", "live_events", "live_readers", "mail_events", "mail_pauses", "outbox", "person_erasures"],
    ...["mail_address_holds", "mail_checks", "mail_delivery_events"],
    ...["bulk_ticket_changes", "ticket_drafts", "undoable_replies"],
    ...["archives", "import_rows", "import_words", "imports"],
    ...["backup_changes", "backup_files", "backups"],
  ],
  counted: [
    ...["account_counts", "daily_metrics", "days_to_sum", "range_metrics", "submission_counts", "ticket_counts"],
    ...["ticket_metrics", "totals"],
  ],
} as const;
