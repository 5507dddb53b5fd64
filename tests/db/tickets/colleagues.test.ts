import { expect, test } from "vitest";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { readTicket } from "~/features/tickets/record/read-ticket.server";
import { makeMember, makePerson } from "../../support/factories";
import { makeTicket, ticketWorld } from "../../support/tickets";

test("clients and staff choose a person for a ticket from the same names, in the order of names", async () => {
  const { base, here, dana, sam, staff, client } = await ticketWorld();
  for (const fullName of ["Élodie Roux", "Zoe Hall", "Ben Ito"])
    await makeMember(base, here.id, await makePerson(base, { fullName }), "member");
  const { id: ref } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const [forStaff, forClient] = [staff(sam), client(dana)];
  const read = await Promise.all([
    readTicket(forStaff.ctx, forStaff.actor, {
      ref,
      params: new URLSearchParams(),
      staffRead: Promise.resolve([]),
    }),
    readClientTicket(forClient.ctx, forClient.actor, { ref, before: null }),
  ]);
  const names = ["Ben Ito", "Élodie Roux", "Omar Reyes", "Zoe Hall"];
  expect([read[0]?.about.colleagues, read[1]?.colleagues].map((list) => list?.map(({ name }) => name))).toEqual([
    names,
    names,
  ]);
});
