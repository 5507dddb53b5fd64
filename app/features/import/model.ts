import type { IMPORT_KINDS, IMPORT_OUTCOMES, IMPORT_PRESETS, IMPORT_STATES } from "~/db/schema/imports";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-values";
import { hours, type Instant } from "~/lib/time";

export type ImportKind = (typeof IMPORT_KINDS)[number];
export type ImportPreset = (typeof IMPORT_PRESETS)[number];
export type ImportState = (typeof IMPORT_STATES)[number];
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

export const IMPORT_LIMITS = {
  /** In bytes: the platform takes no larger request. */
  fileSize: 95 * 1024 * 1024,
  rows: 200_000,
  columns: 100,
  /** In characters. */
  cell: 100_000,
  messages: 500,
  /** Of a ticket, with those of its messages. */
  files: 100,
} as const;

/** Where their files are, until they are imported. */
export const IMPORT_PREFIX = "imports/";

const UNDO_WINDOW = hours(24);

/** What a column can become. Names are those of the fields of our own NDJSON, too. */
export const IMPORT_FIELDS = {
  organizations: ["name", "old_id", "plan", "contract_start", "domains", "description"],
  people: ["organization", "email", "name", "first_name", "last_name", "phone"],
  tickets: [
    "old_number",
    "subject",
    "description",
    "organization",
    "requester_email",
    "requester_name",
    "status",
    "priority",
    "category",
    "assignee",
    "opened",
    "closed",
    "files",
  ],
} as const satisfies Record<ImportKind, readonly string[]>;

export type ImportField = (typeof IMPORT_FIELDS)[ImportKind][number];

/** Each list: one of them must be there. */
export const REQUIRED_FIELDS: Record<ImportKind, readonly (readonly ImportField[])[]> = {
  organizations: [["name"]],
  people: [["email"], ["name", "first_name", "last_name"]],
  tickets: [["old_number"], ["subject"]],
};

export const DATE_FIELDS: readonly ImportField[] = ["contract_start", "opened", "closed"];

/** Fields whose words are asked for, where neither we nor an earlier answer know them. */
export const WORD_FIELDS = ["status", "priority", "assignee"] as const;
export type WordField = (typeof WORD_FIELDS)[number];

/** In which order a file writes day, month and year with digits: nobody can tell from 03/04/2025. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** What was resolved elsewhere is closed here: a ticket that is resolved here is closed with mails to its client. */
export const IMPORTED_STATUSES = [
  "open",
  "in_progress",
  "waiting_for_customer",
  "closed",
] as const satisfies TicketStatus[];

export type FileColumn = {
  name: string;
  filled: number;
  first: string;
  /** The words in it, if they are few and short. */
  words: string[] | null;
  /** Holds a date that can be read in two ways. */
  hasUnclearDates: boolean;
  /** The orders that dates of it prove: 23/11/2024 is no month first. */
  orders?: DateOrder[];
};

export type FileFacts = {
  format: "csv" | "ndjson";
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  /** Letters beyond ASCII were read, so that the encoding is sure. */
  hasLetters?: boolean;
  delimiter: string;
  /** Where the rows begin, in bytes. */
  start: number;
  rows: number;
  columns: FileColumn[];
  /** A message has a date that can be read in two ways. */
  hasUnclearMessages?: boolean;
};

export type Mapping = {
  /** In the order of the columns of the file; empty: left out. */
  fields: (ImportField | "")[];
  dates: DateOrder | null;
  /** Whose rows are those that name no organization. */
  organizationId: string | null;
  words: Record<WordField, Record<string, string>>;
  /** What the dry run found named that is not here, with an answer and without. */
  names?: { unknown: string[]; settled: string[] };
};

export const ORGANIZATION_MAX = 200;

/** How many such names are asked about at once, of each sort. */
export const NAMES_ASKED = 40;

/** `path`: in the ZIP that was uploaded. */
export type ImportedFile = { path: string; name: string };

export const fileAt = (path: string, name?: string): ImportedFile => ({
  path: path.slice(0, 500),
  name: (name || path.slice(path.lastIndexOf("/") + 1)).slice(0, 200),
});

export type ImportedMessage = {
  text: string;
  author: string;
  email: string;
  side: "client" | "staff" | null;
  isInternal: boolean;
  at: Instant | null;
  files: ImportedFile[];
};

type OrganizationRow = {
  kind: "organizations";
  name: string;
  oldId: string | null;
  plan: "none" | "basic" | "core" | "premium";
  contractStart: Instant | null;
  domains: string[];
  description: string;
};

type PersonRow = { kind: "people"; organization: string; email: string; name: string; phone: string };

export type TicketRow = {
  kind: "tickets";
  oldNumber: string;
  title: string;
  description: string;
  organization: string;
  email: string;
  name: string;
  status: (typeof IMPORTED_STATUSES)[number];
  priority: TicketPriority;
  category: string | null;
  assigneeId: string | null;
  opened: Instant | null;
  closed: Instant | null;
  files: ImportedFile[];
  messages: ImportedMessage[];
};

/** A row of a file in our own terms, before it is known whom it is about. */
export type ImportRow = OrganizationRow | PersonRow | TicketRow;

export const isImportActive = (state: ImportState): boolean =>
  state === "reading" || state === "checking" || state === "running" || state === "undoing";

export const undoUntil = (finishedAt: Instant): Instant => finishedAt + UNDO_WINDOW;
