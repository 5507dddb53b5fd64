import type { InviteOutcome } from "~/features/invitations/model";
import { INVITE_ERRORS } from "~/features/members/labels";
import { plural } from "~/lib/text";
import type { DateOrder, ImportField, ImportKind, ImportOutcome, ImportPreset, ImportState, WordField } from "./model";

export const IMPORT_TITLE = "Import";

export const IMPORT_KIND_LABELS: Record<ImportKind, string> = {
  organizations: "Organizations",
  people: "People",
  tickets: "Tickets",
};

const NOUNS: Record<ImportKind, [string, string]> = {
  organizations: ["organization", "organizations"],
  people: ["person", "people"],
  tickets: ["ticket", "tickets"],
};

export const countedRows = (kind: ImportKind, count: number): string => plural(count, ...NOUNS[kind]);

export const PRESET_LABELS: Record<ImportPreset, string> = {
  generic: "Another product, or a spreadsheet",
  itflow: "ITFlow",
  freescout: "FreeScout",
  zammad: "Zammad",
  osticket: "osTicket",
  syncro: "Syncro",
  halo: "Halo",
};

export const STATE_LABELS: Record<ImportState, string> = {
  reading: "Reading the file",
  columns: "Columns to choose",
  checking: "Dry run",
  checked: "Ready to import",
  running: "Importing",
  done: "Done",
  undoing: "Undoing",
  undone: "Undone",
  failed: "Stopped",
};

export const FIELD_LABELS: Record<ImportField, string> = {
  name: "Name",
  old_id: "Old id",
  plan: "Plan",
  contract_start: "Contract start",
  domains: "Mail domains",
  description: "Description",
  organization: "Organization",
  email: "Email",
  first_name: "First name",
  last_name: "Last name",
  phone: "Phone",
  old_number: "Old number (kept, found by search)",
  subject: "Subject",
  requester_email: "Requester, email",
  requester_name: "Requester, name",
  status: "Status",
  priority: "Priority",
  category: "Category",
  assignee: "Assigned to",
  opened: "Opened",
  closed: "Closed",
  files: "Files (their paths in the ZIP)",
};

export const DATE_LABELS: Record<DateOrder, string> = {
  dmy: "Day first: 23/11/2024",
  mdy: "Month first: 11/23/2024",
  ymd: "Year first: 2024-11-23",
};

export const WORD_LABELS: Record<WordField, string> = {
  status: "Status",
  priority: "Priority",
  assignee: "Assigned to",
};

export const NO_COLLEAGUE = "No colleague: leave it unassigned";

export const OUTCOME_LABELS: Record<ImportOutcome, string> = {
  add: "Added",
  noted: "Added with a change",
  exists: "Left as it is",
  refused: "Not imported",
};

/** What is said of a row. */
export const REASONS = {
  nameless: "(empty)",
  untitled: "(no subject)",
  formula: "Begins like a formula: kept as text, never run",
  no_name: "It has no name",
  unknown_plan: "There is no plan called",
  no_date: "is no date that can be read",
  no_email: "It has no email address",
  wrong_email: "The email address is none",
  name_from_email: "Without a name: the address stands for it",
  no_number: "It has no number",
  no_subject: "It has no subject",
  subject_cut: "The subject is shortened",
  requester_no_address: "has no address: added without a requester, the name is kept",
  no_requester: "Added without a requester",
  assignee_kept: "Unassigned; it was with",
  assignee_left: "Unassigned: its colleague is not active",
  no_list: "Its messages are no list: left out",
  no_message: "Of its messages, what is no object is left out",
  message_cut: "A message is shortened to 100,000 characters",
  message_date: "A message has no date that can be read: it stands where the ticket was opened",
  message_opened: "A message is older than its ticket: it stands where the ticket was opened",
  unclear_internal: "A message says neither yes nor no to internal: kept internal",
  no_meaning: "has no meaning here",
  too_long_cell: "is longer than 100,000 characters",
  too_much: "It has more messages than can be taken at once, 380,000 characters",
  unreadable_line: "The line is no JSON object",
  no_organization: "It names no organization, and its requester belongs to none",
  organization_choice: "Its requester belongs to several organizations, and it names none",
  person_without_organization: "It names no organization",
  exists_organization: "An organization of this name is here",
  exists_person: "The address is known in this organization",
  refused_person:
    "A colleague has said that they are not one of this organization. To take them back, open a ticket for their address",
  has_account: "The address has an account in this organization",
  is_colleague: "The address is one of your team's",
  is_suspended: "The address has an account in this organization that is shut out",
  account_elsewhere: "The address also has an account elsewhere",
  is_program: "The address answers by itself: added without a requester",
  colleague_requester: "Its requester is one of your team: added without a requester",
  erased_requester: "Its requester was erased: added without a requester",
  refused_requester:
    "A colleague has said that its requester is not one of this organization: added without a requester",
  suspended_requester: "Its requester is shut out: added without a requester",
  imported_before: "Was imported before",
  deleted_since: "Was imported before, and deleted since",
  domain_taken: "belongs to another organization",
  domain_unusable: "is no domain of one company",
  from_future: "Its dates are in the future: taken as now",
  no_zip: "Its files are left out: they come in a ZIP with this file",
  not_in_zip: "is not in the ZIP",
  file_kind: "is of a kind that tickets do not take",
  file_size: "is empty, or larger than 10 MB",
  file_broken: "is not what its name says, or is broken",
} as const;

export const filesNote = (count: number): string =>
  `It has more than 100 files: ${plural(count, "file")} behind them ${count === 1 ? "is" : "are"} left out`;

export const cellsNote = (cells: number, columns: number): string =>
  `The row has ${cells} cells and the file ${columns} columns: the last ones are left out`;

export const messagesNote = (count: number): string =>
  `It has more than 500 messages: ${plural(count, "message")} behind them ${count === 1 ? "is" : "are"} left out`;

export const newMessages = (count: number): string =>
  `Was imported before: ${plural(count, "new message")} ${count === 1 ? "is" : "are"} added to it`;

export const sameAsRow = (row: number): string => `The same as row ${row.toLocaleString("en-US")}, which counts`;

export const newerRow = (row: number): string =>
  `The same as row ${row.toLocaleString("en-US")}, which is newer and counts`;

export const unknownOrganization = (name: string): string =>
  `The organization “${name}” is not here: make it, or choose one`;

export const madeWithIt = (name: string): string => `The organization “${name}” is made with it`;

export const leftOut = (name: string): string => `The rows of “${name}” are left out, as chosen`;

export const severalOrganizations = (name: string): string => `Several organizations are called “${name}”: choose one`;

export const IMPORT_FAILED = { event: "import_not_read", title: "Failed to load imports" } as const;
export const NOT_UPLOADED = "The file was not taken";
export const NOT_IMPORTED = "Nothing was imported";
export const NOT_UNDONE = "The import was not undone";
export const COLUMNS_NOT_SAVED = "Some columns are not clear yet";
export const CHANGED_MEANWHILE = "The import has moved on meanwhile. This page shows it as it is now.";

export const CHOOSE_FILE = "Choose a file";
export const FILE_TOO_LARGE = "The file is larger than 95 MB. Split it, and upload the parts one after the other";
export const UNDO_TOO_LATE =
  "An import can be undone for 24 hours. What it added can still be deleted: organizations on their pages, with all that is theirs.";
export const CHOOSE_KIND = "Choose what is in the file";
export const CHOOSE_DATES = "Say in which order the file writes its dates";
export const CHOOSE_MEANING = "Choose what it means here";
export const NAMES_NOT_SAVED = "Some organizations are not clear yet";
export const NO_SUCH_ORGANIZATION = "No organization has this name. Check it, or choose “Make it”";
export const SEVERAL_SUCH = "Several organizations have this name: choose one of them in the list above";
export const FIELD_TWICE = "Two columns cannot become the same";

export const missingField = (fields: readonly ImportField[]): string =>
  `Choose the column with ${fields.map((field) => FIELD_LABELS[field].toLowerCase()).join(", or with ")}`;

export const FILE_PROBLEMS = {
  empty: "The file is empty, or it is no CSV, no NDJSON and no ZIP",
  no_zip: "The ZIP cannot be read: it is broken, has a password, or has more than 65,000 files",
  zip_without_rows:
    "The ZIP has no rows of this kind: they are a file in data/, or the only CSV or NDJSON beside its folders",
  unpacked: "What the ZIP has in rows is larger than 95 MB. Split it, and upload the parts one after the other",
  cut: "The rest of the file is one single row: a quotation mark may be missing. Correct it, and upload the file again",
  too_old: "The file was here for a week, and is deleted. Upload it again",
  stopped: "The work stopped at an error of ours. What was added until then stays, and can be undone",
  too_many_rows: "The file has more than 200,000 rows. Split it, and upload the parts one after the other",
} as const;

export const LONG_WORK = "It goes on by itself: you can leave this page.";

export const NOTHING_NEW = "There is nothing new in this file.";
export const NONE_AS_IT_IS = "No row of this file can be added as it is.";

export const NEW_NUMBERS = "They get new numbers, in the order in which they were opened.";

export const NEVER = [
  "Mail or notify anyone",
  "Start a clock, or count as a promise met or missed",
  "Make accounts: people come without one",
] as const;

export const STEP_LABELS = {
  upload: "Upload",
  columns: "Columns",
  dryRun: "Dry run",
  import: "Import",
  undo: "Undo import",
} as const;

export const wordName = (field: WordField, word: string): string =>
  `word_${field}_${word.replace(/[^\p{L}\p{N}]+/gu, "_")}`;

export const INVITE_PEOPLE = "Invite people";
export const NOT_INVITED = "No one was invited. Try again.";
export const CHOOSE_PEOPLE = "Choose at least one person.";

/** What became of an invitation of a batch. */
export const INVITATION_OUTCOMES: Record<InviteOutcome, string> = {
  ...INVITE_ERRORS,
  invited: "Not accepted",
  denied: "The administrator who chose them may not invite people any more",
};
