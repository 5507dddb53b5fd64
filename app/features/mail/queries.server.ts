import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { capturedMails, outbox } from "~/db/schema/outbox";
import type { CapturedMail, MailStatus } from "./model";

const CAPTURED_LIMIT = 200;

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
