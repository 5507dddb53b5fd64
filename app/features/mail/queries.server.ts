import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { capturedMails, outbox } from "~/db/schema/outbox";
import type { Instant } from "~/lib/time";
import type { CapturedMail, MailStatus } from "./model";

/** Limits counting: whoever has to act on a thousand waiting mails does not need the exact number. */
export const COUNT_LIMIT = 1_000;

type OutboxState = {
  /** Mails that will still be sent automatically, counted up to `COUNT_LIMIT`. */
  waiting: number;
  /** When the oldest of them was written; null when none waits. */
  oldestWaitingAt: Instant | null;
  /** Need a person, counted up to `COUNT_LIMIT` each. */
  uncertain: number;
  dead: number;
};

/** Returns the state of the outbox, in one round trip and a bounded number of rows. */
export async function getOutboxState(db: Db): Promise<OutboxState> {
  const count = (status: MailStatus) =>
    db.select({ count: sql<number>`count(*)`.as("count") }).from(
      db
        .select({ one: sql`1`.as("one") })
        .from(outbox)
        .where(eq(outbox.status, status))
        .limit(COUNT_LIMIT)
        .as("few"),
    );
  const oldest = (status: MailStatus) =>
    db
      .select({ at: outbox.created_at })
      .from(outbox)
      .where(eq(outbox.status, status))
      .orderBy(outbox.created_at)
      .limit(1);
  const [[pending], [sending], [uncertain], [dead], [oldestPending], [oldestSending]] = await Promise.all([
    count("pending"),
    count("sending"),
    count("uncertain"),
    count("dead"),
    oldest("pending"),
    oldest("sending"),
  ]);
  const waitingSince = [oldestPending?.at, oldestSending?.at].filter((at) => at !== undefined);
  return {
    waiting: (pending?.count ?? 0) + (sending?.count ?? 0),
    oldestWaitingAt: waitingSince.length > 0 ? Math.min(...waitingSince) : null,
    uncertain: uncertain?.count ?? 0,
    dead: dead?.count ?? 0,
  };
}

const CAPTURED_LIMIT = 200;

/** Lists the newest captured mails, to one address or to all. */
export async function listCapturedMails(db: Db, to: string | null): Promise<CapturedMail[]> {
  const rows = await db
    .select({
      id: capturedMails.id,
      to: capturedMails.to,
      from: capturedMails.from,
      subject: capturedMails.subject,
      text: capturedMails.text,
      html: capturedMails.html,
      headers_json: capturedMails.headers_json,
      // The row in the outbox may be gone already: what was captured was sent.
      status: sql<MailStatus>`coalesce(${outbox.status}, 'sent')`.as("status"),
      created_at: sql<number>`${capturedMails.created_at}`.as("captured_at"),
    })
    .from(capturedMails)
    .leftJoin(outbox, eq(outbox.id, capturedMails.id))
    .where(to === null ? undefined : eq(capturedMails.to, to))
    .orderBy(desc(capturedMails.created_at), sql`${capturedMails}.rowid desc`)
    .limit(CAPTURED_LIMIT);
  return rows.map(({ headers_json, ...mail }) => ({
    ...mail,
    headers: JSON.parse(headers_json) as Record<string, string>,
  }));
}
