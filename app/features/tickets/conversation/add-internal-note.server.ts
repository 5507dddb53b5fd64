import { and, eq } from "drizzle-orm";
import { expectRow } from "~/db/client.server";
import { tickets } from "~/db/schema/tickets";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { referenceNumber } from "~/lib/reference-number";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { stillBelongs } from "../access.server";
import { announceTicket } from "../announce-ticket.server";
import type { TicketActor } from "../model";
import { findTicketForStaff } from "../queries.server";
import { ticketSubject } from "../subject";
import { listColleaguesOfStaff, mentionsIn, mentionWords } from "./mentions.server";
import { messageStatements } from "./message-statement.server";

type NewInternalNote = { ticketId: string; text: string; files?: readonly StoredFile[]; nonce: string };

/**
 * Writes a note on a ticket that only staff ever read. Nothing of it reaches the client: not its text, not that it was
 * written, not the time of the ticket's last change. It changes no promise. Returns the id of the note, also to a form
 * that arrives twice, and says who was told.
 */
export async function addInternalNote(
  ctx: Ctx,
  actor: StaffActor,
  { ticketId, text, files, nonce }: NewInternalNote,
): Promise<Result<{ id: string } & ReturnType<typeof mentionWords>, "ticket_not_found">> {
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "staff" };
  const id = ctx.newId("msg");
  let mentions = mentionsIn(text, []);
  const written = await runCommand(
    ctx,
    { scope: "ticket-note", key: nonce },
    {
      read: async () => {
        const [ticket, staff] = await Promise.all([
          findTicketForStaff(ctx.db, ticketId),
          text.includes("@") ? listColleaguesOfStaff(ctx.db, ticketId, { isForNote: true }) : [],
        ]);
        mentions = mentionsIn(text, staff);
        return ticket;
      },
      plan: async (ticket): Promise<Planned<"ticket_not_found">> => {
        if (!ticket) return fail("ticket_not_found");
        const { organization, number } = ticket;
        await checkFileRoom(ctx, by, { organizationId: organization.id, files });
        const announced = await announceTicket(ctx, {
          ticket,
          actor: by,
          message: { id, text, isInternal: true, mentions: mentions.named.map((each) => each.id) },
        });
        const note = { id, text, files, isInternal: true, ticketId: ticket.id, organizationId: organization.id };
        return ok({
          resultId: id,
          expects: [{ that: stillBelongs(by, organization.id), otherwise: "ticket_not_found" }],
          statements: [
            // Without the version, which a note leaves as it is: only a move concerns it.
            expectRow(ctx.db, tickets, and(eq(tickets.id, ticket.id), eq(tickets.organization_id, organization.id))),
            ...messageStatements(ctx, by, note),
            // Without the organization, whose owner may read its audit.
            recordAudit(ctx, "ticket.note_added", { subject: ticketSubject(ticket), meta: { note: id } }),
            recordLiveEvent(ctx, {
              audience: "staff",
              type: "ticket_event",
              subject: { type: "ticket", id: ticket.id },
              label: `${referenceNumber("ticket", number)}: Internal note`,
            }),
            ...announced,
          ],
          after: () => {
            ctx.after(ctx.live.notify("staff"));
            ctx.after(deliverOutbox(ctx));
          },
        });
      },
    },
  );
  return written.ok ? ok({ id: written.value, ...mentionWords(mentions, by.userId) }) : written;
}
