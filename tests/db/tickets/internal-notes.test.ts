import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ticketMessages } from "~/db/schema/tickets";
import { worldWithTicket } from "../../support/tickets";

test("a note on a ticket that a colleague moves meanwhile is written, and belongs to the other organization", async () => {
  const { base, there, sam, avery, staff, ticket } = await worldWithTicket();
  const late = staff(sam).interruptedBy(() => staff(avery).moveTo(ticket.id, there.id));
  expect(await late.note(ticket.id, "Ask the vendor.")).toMatchObject({ ok: true });
  const written = await base.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));
  expect(written).toMatchObject([{ message: "Ask the vendor.", organization_id: there.id, is_internal: true }]);
});
