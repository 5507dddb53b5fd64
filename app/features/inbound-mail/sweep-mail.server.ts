import { sql } from "drizzle-orm";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { MAIL_PREFIX } from "./model";

/** How long a mail is kept that nobody has to look at. What it became stays. */
const KEPT_FOR = days(90);
const CHUNK = 500;

/** Deletes old mails, and the bytes of those that have no row: of erased people, or of mails that were not taken. */
export async function sweepMail(
  ctx: Pick<Ctx, "budget" | "db" | "files" | "now">,
): Promise<{ count: number; more?: boolean }> {
  const { db, files } = ctx;
  const now = ctx.now();
  const isOld = sql`state IN ('processed', 'automatic', 'bounced', 'dropped') AND received_at < ${now - KEPT_FOR}`;
  const { meta } = await db.run(
    sql`DELETE FROM inbound_mail WHERE rowid IN (SELECT rowid FROM inbound_mail WHERE ${isOld} LIMIT ${CHUNK})`,
  );
  let count = meta.changes;
  let cursor: string | undefined;
  do {
    const page = await files.listOlderThan(MAIL_PREFIX, now - days(1), cursor);
    const known = await db.all<{ key: string }>(sql`SELECT object_key AS key FROM inbound_mail
      WHERE object_key IN (SELECT value FROM json_each(${JSON.stringify(page.keys)}))`);
    const kept = new Set(known.map(({ key }) => key));
    const orphans = page.keys.filter((key) => !kept.has(key));
    if (orphans.length > 0) await files.delete(orphans);
    count += orphans.length;
    cursor = page.cursor;
  } while (cursor && !ctx.budget.isUsedUp());
  return { count, more: meta.changes === CHUNK || cursor !== undefined };
}
