import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { changeStatus } from "~/features/tickets/changes/change-status.server";
import { replyAsClient } from "~/features/tickets/conversation/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/conversation/reply-as-staff.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { changeStatusOfMany } from "~/features/tickets/staff-list/change-many.server";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { ticketRow, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

/** Makes urgent tickets of an organization on Core that wait for their client, on a Friday at 19:30. */
async function waitingAtNight({ tickets: count, used }: { tickets: number; used: number }) {
  const world = await ticketWorld();
  const { base, here, dana, sam } = world;
  await base.db.update(organizations).set({ plan: "core" }).where(eq(organizations.id, here.id));
  const [client, ours] = [world.client(dana), world.staff(sam)];
  const by = { userId: sam.id, fullName: sam.fullName, side: "staff" } as const;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    base.clock.set(Date.parse("2026-11-20T10:00-06:00"));
    const input = { title: "Server", description: "Down.", priority: "urgent", category: null, impact: "All" } as const;
    const opened = await openTicket(client.ctx, client.actor, { ...input, organizationId: here.id, nonce: nonce() });
    if (!opened.ok) throw new Error(opened.code);
    const { id: ticketId } = opened.value;
    const answer = { ticketId, text: "Restart it.", effect: "send", begunAtMessage: 0, nonce: nonce() } as const;
    await replyAsStaff(ours.ctx, ours.actor, answer);
    base.clock.set(Date.parse("2026-11-20T14:00-06:00"));
    await replyAsClient(client.ctx, client.actor, { ticketId, text: "Still down", nonce: nonce() });
    await changeStatus(ours.ctx, by, { ticketId, status: "waiting_for_customer", nonce: nonce() });
    ids.push(ticketId);
  }
  const entries = Array.from({ length: used }, (_, index) => ({
    id: `alw_${index}`,
    organization_id: here.id,
    kind: "after_hours" as const,
    contract_year: "2026-01-01",
    actor_name: "Sam Lee",
    at: base.now(),
  }));
  if (used > 0) await base.db.insert(allowanceEntries).values(entries);
  base.clock.set(Date.parse("2026-11-20T19:30-06:00"));
  const openAll = async () => {
    const rows = await Promise.all(ids.map((id) => ticketRow(base, id)));
    const values = rows.map(({ id, version }) => `${id}.${version}`);
    const selection = ticketRows.selectPosted(values, ours.actor);
    return changeStatusOfMany(ours.ctx, ours.actor, { selection, status: "open", nonce: nonce() });
  };
  const incidents = async () =>
    (
      await base.db.all<{ words: string }>(
        sql`SELECT to_value AS words FROM ticket_events
          WHERE kind = 'allowance_used' AND organization_id = ${here.id} ORDER BY rowid`,
      )
    ).map(({ words }) => words);
  const dueTimes = async () => (await Promise.all(ids.map((id) => ticketRow(base, id)))).map(({ due_at }) => due_at);
  return { openAll, incidents, dueTimes };
}

const AT_NIGHT = Date.parse("2026-11-20T23:30-06:00");
const ON_MONDAY = Date.parse("2026-11-23T10:00-06:00");

test("of several tickets that go on at night at once each takes its own incident, and the history numbers them", async () => {
  const { openAll, incidents, dueTimes } = await waitingAtNight({ tickets: 2, used: 0 });
  expect(await openAll()).toEqual({ changed: 2, unchanged: 0, skipped: 0 });
  expect(await dueTimes()).toEqual([AT_NIGHT, AT_NIGHT]);
  expect(await incidents()).toEqual(["1 of 5", "2 of 5"]);
});

test("where fewer incidents are left than tickets go on at once, the others wait for opening", async () => {
  const { openAll, incidents, dueTimes } = await waitingAtNight({ tickets: 3, used: 4 });
  expect(await openAll()).toEqual({ changed: 3, unchanged: 0, skipped: 0 });
  expect((await dueTimes()).toSorted()).toEqual([AT_NIGHT, ON_MONDAY, ON_MONDAY]);
  expect(await incidents()).toEqual(["5 of 5"]);
});
