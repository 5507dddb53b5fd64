import { beforeAll, expect, test } from "vitest";
import { changeStatus } from "~/features/tickets/commands.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { minutes } from "~/lib/time";
import { fillTickets } from "../../support/filled-lists";
import { ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;

beforeAll(async () => {
  world = await ticketWorld();
  await fillTickets(world.base, world.avery.id, [0, 20_000]);
});

/** A ticket of a client with a running promise. */
async function opened(): Promise<string> {
  const { base, here, dana, client } = world;
  const { ctx, actor } = client(dana);
  const details = { title: "Printer offline", description: "It blinks.", category: null, impact: null } as const;
  const nonce = crypto.randomUUID();
  const ticket = await openTicket(ctx, actor, { organizationId: here.id, priority: "high", nonce, ...details });
  if (!ticket.ok) throw new Error(ticket.code);
  base.clock.set(base.now() + minutes(5));
  return ticket.value.id;
}

/** Mail that the change before sends after its response would count here, or not, as the machine is quick. */
const costOf = async (change: () => Promise<{ ok: boolean }>) => {
  const { cost, settle } = world.base;
  await settle();
  Object.assign(cost, { rowsWritten: 0 });
  expect(await change()).toMatchObject({ ok: true });
  return cost.rowsWritten;
};

test("a reply of staff writes at most 80 rows among twenty thousand tickets, and a change of status 45, indexes and counters included", async () => {
  const { staff, sam } = world;
  const { ctx, actor } = staff(sam);
  const by = { userId: sam.id, fullName: sam.fullName, side: "staff" } as const;
  const ticketId = await opened();
  const nonce = () => crypto.randomUUID();
  const text = { text: "Please restart it.", effect: "send", baseMessage: 99 } as const;
  const reply = await costOf(() => replyAsStaff(ctx, actor, { ticketId, ...text, nonce: nonce() }));
  const again = await costOf(() => replyAsStaff(ctx, actor, { ticketId, ...text, nonce: nonce() }));
  const status = await costOf(() => changeStatus(ctx, by, { ticketId, status: "in_progress", nonce: nonce() }));
  const waiting = await costOf(() =>
    changeStatus(ctx, by, { ticketId, status: "waiting_for_customer", nonce: nonce() }),
  );
  expect(Math.max(reply, again)).toBeLessThanOrEqual(80);
  expect(Math.max(status, waiting)).toBeLessThanOrEqual(45);
});
