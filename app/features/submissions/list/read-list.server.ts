import { sql } from "drizzle-orm";
import { countUpTo, type Db } from "~/db/client.server";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { MODERATION_LABELS } from "~/lib/moderation";
import { capped, cappedText } from "~/lib/numbers";
import { dayIn, type Instant } from "~/lib/time";
import { dueInWords } from "~/lib/time-labels";
import { WAITING_COUNTED } from "~/lib/waiting";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { type SelectedRow, type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import type { AnnouncedSubmission } from "../mails.server";
import type { ListedSubmission, TabCounts, ViewCounts } from "../model";
import { countSubmissions } from "../queries.server";
import { replyDue } from "../reply-target";
import type { SubmissionFilter } from "./definition";
import { type ReadSubmission, submissionRows } from "./definition.server";

export async function countViews(db: Db, { userId, today }: { userId: string; today: string }): Promise<ViewCounts> {
  const [row] = await db.all<{ mine: number; followUp: number }>(sql`
    SELECT ${countUpTo(
      sql`SELECT 1 FROM contact_submissions t INDEXED BY submissions_by_owner
        WHERE t.held_reason IS NULL AND t.owner_id = ${userId}`,
      WAITING_COUNTED,
    )} AS mine,
    ${countUpTo(
      sql`SELECT 1 FROM contact_submissions t INDEXED BY submissions_follow_up_by_day
        WHERE t.held_reason IS NULL AND t.follow_up_on IS NOT NULL AND t.status <> 'resolved'
          AND t.follow_up_on <= ${today}`,
      WAITING_COUNTED,
    )} AS followUp`);
  const text = (count = 0) => cappedText(capped(count, WAITING_COUNTED));
  return { mine: text(row?.mine), follow_up: text(row?.followUp) };
}

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
  const clock = { zone: siteCalendar(settings).zone, now };
  const rows = read.page.rows.map((row) => withDue(row, clock));
  return { ...read, page: { ...read.page, rows }, counts: { ...counts, ...viewCounts } };
}

/** What is held was promised nothing: it is said why it is held. */
function withDue(
  { answeredAt, moderationReason, replyDueAt, ...row }: ReadSubmission,
  clock: { zone: string; now: Instant },
): ListedSubmission {
  if (moderationReason) return { ...row, due: { words: MODERATION_LABELS[moderationReason], isLate: false } };
  const due = replyDue({ ...clock, dueAt: replyDueAt, isNew: row.status === "new", answeredAt });
  return { ...row, due: due && { words: dueInWords(due), isLate: due.state === "late" } };
}

type ModeratedRow = Omit<AnnouncedSubmission & SelectedRow, "name" | "estimate" | "file"> & {
  lastName: string;
  estimateJson: string | null;
  fileName: string | null;
  fileSize: number | null;
};

export async function findInModeration(db: Db, selection: Selection): Promise<(AnnouncedSubmission & SelectedRow)[]> {
  const rows = await db.all<ModeratedRow>(sql`
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

export async function findNames(db: Db, selection: Selection, limit: number): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT t.first_name || ' ' || t.last_name AS name FROM ${selectionTable(selection)} s
    JOIN contact_submissions t ON t.id = s.id ORDER BY s.position LIMIT ${limit}`);
  return rows.map(({ name }) => name);
}
