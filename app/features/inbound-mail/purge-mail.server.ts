import { sql } from "drizzle-orm";
import { sweepFiles } from "~/features/attachments/queries.server";
import { isOnHold } from "~/features/subjects/legal-hold.server";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { MAIL_PREFIX } from "./model";

/** How long a mail is kept, also one that nobody has decided. What it became stays. */
const KEPT_FOR = days(90);
const CHUNK = 500;

/** What somebody may have to prove stays as it is: of a ticket, an organization or a person on legal hold. */
const isOfHeld = sql`(${isOnHold("ticket", sql`m.ticket_id`)}
  OR ${isOnHold("organization", sql`(SELECT t.organization_id FROM support_tickets t WHERE t.id = m.ticket_id)`)}
  OR EXISTS (SELECT 1 FROM contacts k WHERE k.email IN (m.from_address, m.original_address) AND ${isOnHold("organization", sql`k.organization_id`)})
  OR EXISTS (SELECT 1 FROM users u WHERE u.email IN (m.from_address, m.original_address) AND (${isOnHold("user", sql`u.id`)}
    OR EXISTS (SELECT 1 FROM organization_memberships s WHERE s.user_id = u.id
      AND ${isOnHold("organization", sql`s.organization_id`)}))))`;

/** Deletes old mails, and the bytes of those that have no row: of erased people, or of mails that were not taken. */
export async function purgeMail(
  ctx: Pick<Ctx, "budget" | "db" | "files" | "now">,
): Promise<{ count: number; more?: boolean }> {
  const isOld = sql`m.state <> 'received' AND m.received_at < ${ctx.now() - KEPT_FOR}`;
  const { meta } = await ctx.db.run(sql`DELETE FROM inbound_mail WHERE rowid IN (
    SELECT m.rowid FROM inbound_mail m INDEXED BY mail_in_order WHERE ${isOld} AND NOT ${isOfHeld} LIMIT ${CHUNK})`);
  const { count, more } = await sweepFiles(
    ctx,
    MAIL_PREFIX,
    (keys) =>
      sql`SELECT object_key AS key FROM inbound_mail WHERE object_key IN (SELECT value FROM json_each(${keys}))`,
  );
  return { count: meta.changes + count, more: meta.changes === CHUNK || more };
}
