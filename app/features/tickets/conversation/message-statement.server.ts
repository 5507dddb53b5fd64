import type { Statement } from "~/db/client.server";
import { ticketMessages } from "~/db/schema/tickets";
import { attachTicketFiles, type StoredFile } from "~/features/attachments/store-attachment.server";
import type { Ctx } from "~/platform/context.server";
import type { TicketActor } from "../model";
import { discardDraftStatement } from "./save-draft.server";

type NewMessage = {
  id: string;
  ticketId: string;
  organizationId: string;
  text: string;
  isInternal?: boolean;
  files?: readonly StoredFile[];
};

/** Returns the statements that write a message with its files and take away the draft it was written as. */
export function messageStatements(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  actor: TicketActor,
  { id, ticketId, organizationId, text, isInternal = false, files = [] }: NewMessage,
): Statement[] {
  const at = ctx.now();
  return [
    ctx.db.insert(ticketMessages).values({
      id,
      organization_id: organizationId,
      ticket_id: ticketId,
      user_id: actor.userId,
      author_name: actor.fullName,
      side: actor.side === "client" ? "client" : "staff",
      is_internal: isInternal,
      message: text,
      created_at: at,
      updated_at: at,
    }),
    ...attachTicketFiles(ctx, files, { ticketId, organizationId, messageId: id, sender: actor }),
    discardDraftStatement(ctx.db, { ticketId, userId: actor.userId ?? "", kind: isInternal ? "note" : "reply" }),
  ];
}
