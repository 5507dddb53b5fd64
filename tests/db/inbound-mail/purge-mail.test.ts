import { beforeEach, expect, test } from "vitest";
import { inboundMail } from "~/db/schema/inbound-mail";
import { contacts } from "~/db/schema/organizations";
import { legalHolds } from "~/db/schema/privacy";
import { purgeMail } from "~/features/inbound-mail/purge-mail.server";
import { days, minutes } from "~/lib/time";
import { mailIn, mailRows } from "../../support/inbound-mail";
import { makeTicket, ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;

beforeEach(async () => {
  world = await ticketWorld();
  await world.base.db.batch([world.base.db.delete(inboundMail), world.base.db.delete(legalHolds)]);
});

type Old = Partial<typeof inboundMail.$inferInsert> & { age?: number };

async function old({ age = 91, ...columns }: Old): Promise<string> {
  const { base } = world;
  const id = base.newId("inm");
  const at = base.now() - days(age);
  const sizes = { size: 1, object_key: `mail/${id}`, state: "held" as const, next_at: at, received_at: at };
  await base.db.insert(inboundMail).values({ id, envelope_from: "", envelope_to: "", ...sizes, ...columns });
  return id;
}

const hold = (subject_type: "ticket" | "organization" | "user", subject_id: string) =>
  world.base.db.insert(legalHolds).values({
    ...{ id: world.base.newId("hold"), subject_type, subject_id, reason: "Court", placed_by: world.avery.id },
    ...{ placed_by_name: "Avery Quinn", placed_at: 0 },
  });

const swept = async () => {
  await purgeMail(world.base);
  return (await mailRows(world.base)).map(({ id }) => id);
};

test("mail goes ninety days after it arrived, decided or not, but none that still waits to be read", async () => {
  for (const state of ["held", "failed", "processed", "automatic", "bounced", "dropped"] as const) await old({ state });
  const kept = [await old({ age: 89 }), await old({ state: "received" })];
  expect(await swept()).toEqual(kept);
});

test("what is on legal hold stays: mail of a ticket, of an organization's people, and of a person", async () => {
  const { base, here, there, dana, ivy, omar } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  await base.db.insert(contacts).values({
    ...{ id: base.newId("con"), organization_id: there.id, email: `lee-${there.id}@elsewhere.example` },
    ...{ full_name: "Lee Moss", created_at: 0 },
  });
  await hold("ticket", ticket.id);
  await hold("organization", there.id);
  await hold("user", omar.id);
  await old({ from_address: "nobody@elsewhere.example" });
  await old({ from_address: dana.email });
  const kept = [
    await old({ ticket_id: ticket.id }),
    await old({ from_address: ivy.email }),
    await old({ from_address: `lee-${there.id}@elsewhere.example` }),
    await old({ from_address: omar.email }),
  ];
  expect(await swept()).toEqual(kept);
  await base.db.update(legalHolds).set({ lifted_at: base.now() });
  expect(await swept()).toEqual([]);
});

test("the stored mail goes with its row, and not before it", async () => {
  const { base } = world;
  const mail = await mailIn(base, { from: "lee@elsewhere.example" });
  expect(await base.files.get(mail.object_key)).not.toBeNull();
  base.clock.advance(days(91) + minutes(1));
  expect(await swept()).toEqual([]);
});
