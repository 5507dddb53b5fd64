import type { Instant } from "~/lib/time";

/*
 * The format of backup and restore. Rows are lines of JSON, each a record by the names of its
 * columns, behind a first line that says of what table and of which version of the schema they are. A backup is a
 * folder `<id>` of such pages, each compressed (gzip) and sealed (age), and a manifest, sealed too. Files are kept
 * beside the backups, each once, by the hash of what is in it.
 */

export const ROWS_FORMAT = "rows/1";

/** The first line of a page. `schema`: the name of the newest migration. */
export type RowsHeader = { format: typeof ROWS_FORMAT; table: string; schema: string };

/** A line of a page. In a backup it has the number of the row beside its columns. */
export type BackupRow = Record<string, string | number | null>;
export const ROW_NUMBER = "_row";

/** A line of a page of files. */
export type BackupFile = { key: string; size: number; sha256: string };
export const FILES = "files";

/**
 * A line of a page of changes: what other pages hold of this row is out of date. What became of it, if it is still
 * there, is in a page that is `anew`. So rows that were read one after the other, while people went on working, are
 * those of one moment.
 */
export type ChangedRow = { table: string; row: number };
export const CHANGES = "changes";

/** `sha256`: of the lines, before they were compressed and sealed. `table`: or `files`, or `changes`. */
export type PageEntry = { name: string; table: string; rows: number; bytes: number; sha256: string; anew?: true };

export type Manifest = {
  format: typeof ROWS_FORMAT;
  id: string;
  startedAt: Instant;
  /** The state that is in it is that of this moment. */
  takenAt: Instant;
  installation: Fingerprints;
  /** The public key that it is sealed for. */
  recipient: string;
  schema: { migration: string; sha256: string };
  counts: Record<string, number>;
  /** The last number that was given to a row of each table that gives none twice. */
  sequences: Record<string, number>;
  pages: PageEntry[];
  files: { count: number; bytes: number };
};

/** Of the keys of an installation by their names. Without the same keys nobody could sign in to what is restored. */
export type Fingerprints = Record<string, string>;
export const FINGERPRINTED = ["LOG_HMAC_KEY", "PASSWORD_PEPPER_1", "DATA_KEK_1", "DATA_KEK_2"] as const;

/** Made again from the rest: sums that triggers keep. The search is made again, too. */
export const REBUILT_TABLES = ["account_counts", "submission_counts", "ticket_counts", "totals"] as const;

/** What must not come back: who is signed in, links, codes, limits, and what is under way. */
export const ENDED_TABLES = [
  ...["auth_challenges", "auth_tokens", "idempotency", "mfa_backup_codes", "mfa_enrollments", "rate_limit_attempts"],
  ...["refused_sign_ins", "sessions"],
  ...["archives", "batch_guards", "captured_mails", "job_groups", "mail_pauses"],
  // Whoever restores must not send what the other site sends, too.
  "contact_invitations",
  // Of the backups that lie in the file store of the site that was backed up.
  ...["backups", "backup_changes", "backup_files"],
] as const;

/** In an order in which a table follows those it refers to. */
export const CONTENT_TABLES = [
  ...["settings", "counters", "calendars_in_force", "users", "user_roles", "user_mfa_settings", "mfa_audit_log"],
  ...["organizations", "organization_domains", "organization_memberships", "contacts", "other_addresses"],
  ...["invitations"],
  ...["notification_preferences", "quiet_hours", "muted_subjects", "notifications", "saved_views"],
  ...["contact_submissions", "submission_events", "submission_assignments", "submission_replies"],
  ...["support_tickets", "ticket_messages", "ticket_events", "ticket_people", "ticket_copies", "proposed_copies"],
  ...["ticket_votes", "solved_questions", "ticket_drafts", "undoable_replies", "bulk_ticket_changes"],
  ...["admin_notes", "attachments", "canned_replies", "allowance_entries", "letters", "letter_months"],
  ...["ticket_metrics", "daily_metrics", "days_to_sum", "range_metrics", "page_views", "missing_paths"],
  ...["imports", "import_words", "import_rows", "imported_records"],
  ...["inbound_mail", "blocked_senders", "outbox", "mail_events", "mail_address_holds", "mail_checks"],
  ...["mail_delivery_events", "live_events", "live_readers", "live_dismissals", "security_alerts"],
  ...["legal_holds", "retention_runs", "purges", "erasures", "person_erasures", "erased_addresses"],
  ...["audit_events", "audit_seals"],
] as const;

/** How many characters of rows a page holds. A row that is heavier has a page of its own. */
export const PAGE_WEIGHT = 1_000_000;
export const PAGE_ROWS = 5_000;
export const FILES_PER_PAGE = 500;

/** Some tables number their rows by a column in which people may have a zero. */
export const BEFORE_ALL_ROWS = Number.MIN_SAFE_INTEGER;

/** As many as the next page is likely to hold, if it is like the one before. */
export const nextLimit = (rows: number): number => Math.max(100, Math.min(PAGE_ROWS, rows * 2));

/** The id is the time at which the backup was begun. */
export const backupIdAt = (at: Instant): string => new Date(at).toISOString().slice(0, 19).replaceAll(":", "-");
export const BACKUP_ID = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;

export const MANIFEST_NAME = "manifest.json.age";
export const pageName = (table: string, number: number): string =>
  `${table}-${String(number).padStart(5, "0")}.ndjson.gz.age`;

/** By the public key, too: with a new one every file is sealed again, and older backups keep theirs. */
export const fileName = (recipient: string, sha256: string): string =>
  `files/${recipient.slice(-8)}/${sha256.slice(0, 2)}/${sha256}.age`;

/** Where the backups of a site lie in its file store. They are not backed up. */
export const BACKUPS_PREFIX = "backups/";

export const isBackedUp = (key: string): boolean => !/^(backups|archives)\//.test(key);

/** What the machine that keeps the backups is told. `md5`: as the store knows it. `next`: where the list goes on. */
export type FetchedList = { objects: { name: string; size: number; md5: string }[]; next: string | null };

const OBJECT_NAMES = [
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\/(manifest\.json|[a-z_]+-\d{5,}\.ndjson\.gz)\.age$/,
  /^files\/[0-9a-z]{8}\/[0-9a-f]{2}\/[0-9a-f]{64}\.age$/,
  /^erased\/\d+-[\w-]+\.json$/,
];

/** What is fetched: sealed, but for the notes of erasures, which name nobody. */
export const isObjectName = (name: string): boolean => OBJECT_NAMES.some((pattern) => pattern.test(name));

const DAILY = 7;
const WEEKLY = 4;
const MONTHLY = 12;

/** The newest of each of the last days, weeks and months that have one. */
export function keptBackups(ids: readonly string[]): Set<string> {
  const newest = [...ids].sort().reverse();
  const kept = new Set<string>();
  const keep = (count: number, periodOf: (id: string) => string | number) => {
    const periods = new Map<string | number, string>();
    for (const id of newest) if (!periods.has(periodOf(id))) periods.set(periodOf(id), id);
    for (const id of [...periods.values()].slice(0, count)) kept.add(id);
  };
  keep(DAILY, (id) => id.slice(0, 10));
  // Weeks begin on Monday: the first day of 1970 was a Thursday.
  keep(WEEKLY, (id) => Math.floor((Date.parse(id.slice(0, 10)) / 86_400_000 + 3) / 7));
  keep(MONTHLY, (id) => id.slice(0, 7));
  return kept;
}
