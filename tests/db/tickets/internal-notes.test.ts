import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ticketMessages } from "~/db/schema/tickets";
import { moveToOrganization } from "~/features/tickets/commands.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { makeTicket, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

test("a note on a ticket that a colleague moves meanwhile is written, and belongs to the other organization", async () => {
  const { base, here, there, dana, sam, avery, staff } = await ticketWorld();
  const { id: ticketId } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const [ours, theirs] = [staff(sam), staff(avery)];
  const by = { userId: avery.id, fullName: avery.fullName, side: "staff" } as const;
  const move = { ticketId, organizationId: there.id, nonce: nonce() };
  const interrupted = interruptedBeforeCommit(ours.ctx, () => moveToOrganization(theirs.ctx, by, move));
  const note = { ticketId, text: "Ask the vendor.", nonce: nonce() };
  expect(await addInternalNote(interrupted, ours.actor, note)).toMatchObject({ ok: true });
  const written = await base.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticketId));
  expect(written).toMatchObject([{ message: "Ask the vendor.", organization_id: there.id, is_internal: true }]);
});
