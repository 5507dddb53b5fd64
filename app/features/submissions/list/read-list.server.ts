import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { siteCalendar } from "~/features/settings/calendar";
import { getSettings } from "~/features/settings/queries.server";
import { dueInWords } from "~/lib/due";
import { HELD_WORDS } from "~/lib/held-reason";
import { dayIn, type Instant } from "~/lib/time";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { type SelectedRow, type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import type { AnnouncedSubmission } from "../announce-submission.server";
import type { ListedSubmission, TabCounts } from "../model";
import { countSubmissions } from "../queries.server";
import { replyDue } from "../reply-target";
import type { ReadSubmission } from "./columns.server";
import { countViews } from "./count-views.server";
import type { SubmissionFilter } from "./definition";
import { submissionRows } from "./definition.server";

/** Fetches everything the list page shows, in one round trip. */
export async function readSubmissionList(
  { db }: Pick<Ctx, "db">,
  request: ListRequest<SubmissionFilter>,
): Promise<ListRead<ListedSubmission> & { counts: TabCounts }> {
  const { actor, zone, now } = request.viewer;
  const [settings, counts, viewCounts, read] = await Promise.all([
    getSettings(db),
    countSubmissions(db),
    countViews(db, { userId: actor.userId, today: dayIn(zone, now) }),
    submissionRows.read(db, request),
  ]);
  const promisedAs = { zone: siteCalendar(settings).zone, now };
  const rows = read.page.rows.map((row) => withDue(row, promisedAs));
  return { ...read, page: { ...read.page, rows }, counts: { ...counts, ...viewCounts } };
}

/** Adds how the promise to answer stands. What is held for review was promised nothing: it is said why it is held. */
function withDue(
  { answeredAt, heldReason, replyDueAt, ...row }: ReadSubmission,
  promisedAs: { zone: string; now: Instant },
): ListedSubmission {
  if (heldReason) return { ...row, due: { words: HELD_WORDS[heldReason], isLate: false } };
  const due = replyDue({ ...promisedAs, dueAt: replyDueAt, isNew: row.status === "new", answeredAt });
  return { ...row, due: due && { words: dueInWords(due), isLate: due.state === "late" } };
}

type HeldRow = Omit<AnnouncedSubmission & SelectedRow, "name" | "estimate" | "file"> & {
  lastName: string;
  estimateJson: string | null;
  fileName: string | null;
  fileSize: number | null;
};

/** Finds those of the selected submissions that are held and have not changed since the list was read. */
export async function findHeld(db: Db, selection: Selection): Promise<(AnnouncedSubmission & SelectedRow)[]> {
  const rows = await db.all<HeldRow>(sql`
    SELECT t.id, t.version, t.first_name AS firstName, t.last_name AS lastName, t.email, t.phone, t.company, t.message,
      t.reply_due_at AS replyDueAt, t.estimate_json AS estimateJson, a.name AS fileName, a.size AS fileSize
    FROM ${selectionTable(selection)} s JOIN contact_submissions t ON t.id = s.id AND t.version = s.version
    LEFT JOIN attachments a ON a.id = t.attachment_id
    WHERE t.held_reason IS NOT NULL`);
  return rows.map(({ lastName, estimateJson, fileName, fileSize, ...row }) => ({
    ...row,
    name: `${row.firstName} ${lastName}`,
    estimate: readStoredEstimate(estimateJson),
    file: fileName === null ? null : { name: fileName, bytes: fileSize ?? 0 },
  }));
}

/** Returns the people behind the first of the selected submissions, in the order of the selection. */
export async function findNames(db: Db, selection: Selection, limit: number): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT t.first_name || ' ' || t.last_name AS name FROM ${selectionTable(selection)} s
    JOIN contact_submissions t ON t.id = s.id ORDER BY s.position LIMIT ${limit}`);
  return rows.map(({ name }) => name);
}
