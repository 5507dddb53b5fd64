import { getTableColumns, getTableName, sql } from "drizzle-orm";
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
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import { type ActionResult, notFound } from "~/platform/responses.server";
import { type ArchivePlace, archiveFiles, type Contents, placeIn, sendArchive, type ZipEntry } from "./archive.server";
import { type AskedArchive, everythingFilePath, everythingPagePath } from "./model";

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
    ...["batch_guards", "captured_mails", "counters", "erasures", "idempotency", "job_groups", "letter_months"],
    ...["live_dismissals", "live_events", "live_readers", "mail_events", "mail_pauses", "outbox", "person_erasures"],
    ...["mail_address_holds", "mail_checks", "mail_delivery_events"],
    ...["bulk_ticket_changes", "ticket_drafts", "undoable_replies"],
    ...["import_rows", "import_words", "imports"],
    ...["backup_changes", "backup_files", "backups"],
  ],
  counted: [
    ...["account_counts", "daily_metrics", "days_to_sum", "range_metrics", "submission_counts", "ticket_counts"],
    ...["ticket_metrics", "totals"],
  ],
} as const;

const parts: Contents["parts"] = EXPORTED_TABLES.map(({ name, columns }) => {
  const selected = sql.raw(columns.map((column) => `"${column}"`).join(", "));
  return {
    name: `tables/${name}`,
    rows: ({ major }) => sql`
      SELECT rowid AS major, 0 AS minor, ${selected} FROM ${sql.identifier(name)}
      WHERE rowid > ${major} ORDER BY rowid`,
  };
});

const sentFiles = ({ major }: ArchivePlace) => sql`
  SELECT rowid AS major, 0 AS minor, r2_key AS key, 'files/' || id || '-' || name AS path FROM attachments
  WHERE rowid > ${major} ORDER BY rowid`;

const aboutText = (withFiles: boolean): string => `Everything that is stored, but for secrets and for what passes.

tables/   One file for each table, a row in each line, as JSON.
${
  withFiles
    ? "files/    What people have sent, named by the id of its row in tables/attachments.ndjson and its own name."
    : "Files are left out. tables/attachments.ndjson says what there are, with the keys (r2_key) in the file store."
}

Times are milliseconds since 1970 in UTC. Lines were read one part after another: a row that was changed meanwhile may
be as it was before or after.

Left out are passwords, codes, keys and the links of mails; who is signed in (${LEFT_OUT.secrets.join(", ")});
what is only there until it is done (${LEFT_OUT.passing.join(", ")});
and what is counted from the rest (${LEFT_OUT.counted.join(", ")}).
`;

type Archive = {
  from: ArchivePlace;
  withFiles: boolean;
  next: (place: string) => string;
};

export const parsePlace = (text: string): ArchivePlace | null => placeIn({ parts }, text);

export const everythingFiles = (
  stores: Pick<Ctx, "db" | "files">,
  { withFiles, ...archive }: Archive,
): AsyncGenerator<ZipEntry> =>
  archiveFiles(stores, { about: aboutText(withFiles), parts, files: withFiles ? sentFiles : null }, archive);

/**
 * Needs a fresh proof of identity, and is on record before its first byte leaves. `after`: where the one before it
 * ended.
 */
export async function exportEverything(
  ctx: Ctx,
  actor: StaffActor,
  { withFiles, after }: AskedArchive,
): Promise<ActionResult<never>> {
  const from = parsePlace(after);
  if (!from) return notFound();
  const page = everythingPagePath({ withFiles, after });
  const next = (place: string) => `${ctx.config.APP_ORIGIN}${everythingFilePath({ withFiles, after: place })}`;
  return sendArchive(ctx, actor, {
    page,
    after,
    record: recordAudit(ctx, "security.everything_exported", {
      subject: { type: "activity", id: null, label: null },
      meta: { withFiles, ...(after ? { after } : {}) },
    }),
    name: "everything",
    entries: everythingFiles(ctx, { from, withFiles, next }),
  });
}
