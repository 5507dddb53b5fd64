import type { CsvCell } from "~/lib/csv";
import type { HeldReason } from "~/lib/held-reason";
import { referenceNumber } from "~/lib/reference-number";
import { snippetOf } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { formatInstant } from "~/ui/time";
import { STATUS_LABELS } from "../copy";
import type { ListedSubmission } from "../model";

type Sender = Pick<ListedSubmission, "email" | "phone" | "company" | "status" | "submittedAt"> & {
  number: number;
  first_name: string;
  last_name: string;
};

/** Describes a row as it is read: what depends on the clock is added for the page. */
export type ReadSubmission = Omit<ListedSubmission, "due"> & {
  answeredAt: Instant | null;
  replyDueAt: Instant;
  heldReason: HeldReason | null;
};

type StoredRow = Sender & Omit<ReadSubmission, keyof Sender | "name">;

type ExportedRow = Sender & {
  message: string | null;
  source: string | null;
  campaign: string | null;
};

const SENDER =
  "t.number, t.first_name, t.last_name, t.email, t.phone, t.company, t.status, t.created_at AS submittedAt";

/** Limits how much of a message a row shows, in characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 80;

/** Lists what is read for a row of the page, and for a line of the file. */
export const ROW_COLUMNS = `t.id, t.version, ${SENDER}, t.held_reason AS heldReason, t.reply_due_at AS replyDueAt, substr(t.message, 1, ${SNIPPET_LENGTH + 1}) AS snippet`;
export const FILE_COLUMNS = `${SENDER}, t.message, t.source, t.campaign`;

/** Returns a row as the page shows it. */
export const viewOf = ({ number, first_name, last_name, snippet, ...row }: StoredRow): ReadSubmission => ({
  ...row,
  snippet: snippetOf(snippet, SNIPPET_LENGTH),
  number: referenceNumber("submission", number),
  name: `${first_name} ${last_name}`,
});

/** Lists the columns of the file. */
export const FILE_CELLS = {
  Number: (row) => referenceNumber("submission", row.number),
  "First name": (row) => row.first_name,
  "Last name": (row) => row.last_name,
  Email: (row) => row.email,
  Phone: (row) => row.phone,
  Company: (row) => row.company,
  Status: (row) => STATUS_LABELS[row.status],
  "Submitted (UTC)": (row) => new Date(row.submittedAt).toISOString(),
  "Submitted (site time)": (row, zone) => formatInstant(row.submittedAt, zone, "datetime"),
  Message: (row) => row.message,
  Source: (row) => row.source,
  Campaign: (row) => row.campaign,
} satisfies Record<string, (row: ExportedRow, zone: string) => CsvCell>;
