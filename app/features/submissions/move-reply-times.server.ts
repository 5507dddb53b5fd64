import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Calendar } from "~/lib/calendar";
import type { Instant } from "~/lib/time";
import { replyDueAt } from "./reply-target";

/** Limits the submissions that are counted, and moved at a time. Each new one waits for a day or two only. */
const MOST = 1_000;

type Moved = { id: string; dueAt: Instant };

/** Lists the waiting submissions that would be due at another time by these hours. What is late already stays late. */
async function listThatMove(db: Db, calendar: Calendar, at: Instant): Promise<Moved[]> {
  const rows = await db.all<{ id: string; submittedAt: Instant; dueAt: Instant }>(sql`
    SELECT t.id, t.created_at AS submittedAt, t.reply_due_at AS dueAt
    FROM contact_submissions t INDEXED BY submissions_by_status
    WHERE t.held_reason IS NULL AND t.status_rank = 0 AND t.reply_due_at > ${at}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST}`);
  return rows.flatMap(({ id, submittedAt, dueAt }) => {
    const moved = replyDueAt(calendar, submittedAt);
    return moved === dueAt ? [] : [{ id, dueAt: moved }];
  });
}

/** Counts the submissions whose promised time would move if the hours were these. */
export const countReplyTimesThatMove = async (db: Db, calendar: Calendar, at: Instant): Promise<number> =>
  (await listThatMove(db, calendar, at)).length;

/** Promises the answers to waiting submissions anew by these hours, and returns how many that were. */
export async function moveReplyTimes(db: Db, calendar: Calendar, at: Instant): Promise<number> {
  const moved = await listThatMove(db, calendar, at);
  if (moved.length === 0) return 0;
  await db.run(sql`
    UPDATE contact_submissions SET reply_due_at = m.value ->> 'dueAt'
    FROM json_each(${JSON.stringify(moved)}) m
    WHERE contact_submissions.id = m.value ->> 'id' AND held_reason IS NULL AND status = 'new'`);
  return moved.length;
}
