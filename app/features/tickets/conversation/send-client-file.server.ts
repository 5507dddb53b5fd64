import { sql } from "drizzle-orm";
import { sendFile } from "~/features/attachments/download-attachment.server";
import { findFile } from "~/features/attachments/queries.server";
import type { MemberActor } from "~/features/auth/guards.server";
import type { Download } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { visibleToClient } from "../access.server";
import { ticketSubject } from "../subject";

/**
 * Returns a file of a ticket that a client has asked for. Null for a file of a note, of a ticket that they may not see,
 * and of anything else, as for one that does not exist. `isInline`: for a page that shows the image.
 */
export async function sendClientFile(
  ctx: Ctx,
  { userId, membership }: MemberActor,
  attachmentId: string,
  { isInline = false } = {},
): Promise<Download | null> {
  const file = await findFile(ctx.db, attachmentId);
  if (file?.subject.type !== "ticket") return null;
  const { organizationId, role } = membership;
  const isPublic = sql`(${file.messageId} IS NULL OR EXISTS (
    SELECT 1 FROM ticket_messages m WHERE m.id = ${file.messageId} AND m.ticket_id = t.id AND m.is_internal = 0))`;
  const ticket = await ctx.db.get<{ id: string; title: string } | undefined>(sql`
    SELECT t.id, t.title FROM support_tickets t
    WHERE t.id = ${file.subject.id} AND ${visibleToClient({ userId, organizationId, role })} AND ${isPublic}`);
  return ticket ? sendFile(ctx, { file, subject: ticketSubject(ticket), isInline, actorId: userId }) : null;
}
