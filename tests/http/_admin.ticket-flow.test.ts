import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { tickets } from "~/db/schema/tickets";
import { TAKEN } from "~/lib/error-texts";
import { hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as ticketsPage } from "~/routes/_admin.admin.tickets._index";
import { action, loader } from "~/routes/_admin.admin.tickets.$ticket";
import { flash } from "../support/admin-area";
import { args, get, post } from "../support/requests";
import { STAFF_FORM_PURPOSES } from "../support/ticket-forms";
import { makeTicket, ticketRow, ticketWorld } from "../support/tickets";

async function aTicket() {
  const world = await ticketWorld();
  const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana });
  const { ctx } = world.staff(world.sam);
  const tokenFor = (intent: string) => issueFormToken(ctx, STAFF_FORM_PURPOSES[intent] ?? "");
  const send = (path: string, fields: Record<string, string>) => {
    const [number = ""] = /T-\d+/.exec(path) ?? [];
    return action(args(ctx, post(path, { form_token: tokenFor(fields.intent ?? ""), ...fields }), { ticket: number }));
  };
  return { ...world, ctx, ticket, send };
}

test("previous and next are those of the list one came from, and a sent reply goes on to the next of before", async () => {
  const { base, ctx, here, dana, send } = await aTicket();
  const due = async (inHours: number) => {
    const { id, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
    await base.db
      .update(tickets)
      .set({ due_at: base.now() + hours(inHours) })
      .where(eq(tickets.id, id));
    return `T-${number}`;
  };
  const third = await due(3);
  const first = await due(1);
  const second = await due(2);
  const query = `?organization=${here.id}`;
  const pathOf = (number: string) => `/admin/tickets/${number}${query}`;
  const neighbours = async (number: string, from = query) => {
    const { list } = await (await loader(args(ctx, get(`/admin/tickets/${number}${from}`), { ticket: number }))).json();
    return [list.previous, list.next];
  };
  expect(await neighbours(first)).toEqual([null, pathOf(second)]);
  expect(await neighbours(second)).toEqual([pathOf(first), pathOf(third)]);
  expect((await neighbours(second, `${query}&sort=newest`))[0]).toBeNull();
  const goOn = (number: string, body: string) =>
    send(pathOf(number), { intent: "reply_next", body, begun_at_message: "1 open" });
  const refused = await goOn(first, "");
  expect(refused.status).toBe(400);
  const sent = await goOn(first, "Done.");
  expect(sent.headers.get("Location")).toBe(pathOf(second));
  expect(flash(ctx)).toBe(`Success: Message added successfully to ${first}.`);

  const before = async (number: string) =>
    (await (await loader(args(ctx, get(pathOf(number)), { ticket: number }))).json()).sentBefore;
  const taken = { reference: first, path: pathOf(first), undoable: { left: 15_000 } };
  expect(await before(second)).toMatchObject(taken);
  // Its own page has it beside the composer.
  expect(await before(first)).toBeNull();
  const listed = await (await ticketsPage(args(ctx, get(`/admin/tickets${query}`)))).json();
  expect(listed.sentBefore).toMatchObject(taken);
  const message = listed.sentBefore?.undoable.id ?? "";
  await send(pathOf(first), { intent: "undo", message, form_token: issueFormToken(ctx, "ticket-undo") });
  expect(flash(ctx)).toMatch(/taken back|draft/i);
  expect(await before(second)).toBeNull();
  await goOn(first, "Done after all.");
  ctx.clock.advance(15_000);
  expect(await before(second)).toBeNull();
});

test("of two who take a ticket at once the second hears that a colleague was faster", async () => {
  const { base, ctx, ticket, sam, avery, send } = await aTicket();
  const path = `/admin/tickets/T-${ticket.number}`;
  const seen = { intent: "handling", takes: "on", had_assignee_id: "" };
  await send(path, { ...seen, assignee_id: avery.id });
  await send(path, { ...seen, assignee_id: sam.id });
  expect(flash(ctx)).toBe(`Error: ${TAKEN}`);
  expect((await ticketRow(base, ticket.id)).assigned_to).toBe(avery.id);
});
