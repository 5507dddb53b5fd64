import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import type { TicketFormError } from "~/features/tickets/record/actions.server";
import { loader as analytics } from "~/routes/_admin.admin.analytics._index";
import { loader } from "~/routes/_admin.admin.tickets.$ticket";
import { loader as clientPage } from "~/routes/_portal.client.tickets.$ticket";
import type { TestContext } from "../support/context";
import { tellingWorld } from "../support/counted-tickets";
import { as, memberOf } from "../support/factories";
import { args, get } from "../support/requests";
import { sendStaffTicket } from "../support/ticket-forms";
import { historyOf, textsOf, ticketRow } from "../support/tickets";

let world: Awaited<ReturnType<typeof tellingWorld>>;
let ctx: TestContext;

/** Sets when every ticket here is opened, an hour before its first reply is due, and when that is late. */
const OPENED = "18 17:00";
const LATE = "19 09:45";
const REASON = "Our rota had a gap.";
const PASSWORD = "The password is Blue-42";

beforeAll(async () => {
  world = await tellingWorld();
  ctx = world.staff(world.sam).ctx;
});

/** Opens an urgent ticket of Dana's, and returns what Sam does on its page. */
async function opened() {
  const id = await world.opens(OPENED, world.dana, "urgent");
  const params = { ticket: `T-${(await ticketRow(ctx, id)).number}` };
  const read = async () => (await loader(args(ctx, get("/admin/tickets"), params))).json();
  const send = (intent: string, fields: Record<string, string>) =>
    sendStaffTicket(ctx, params.ticket, { intent, begun_at_message: "99", ...fields });
  const rejected = async (intent: string, fields: Record<string, string>) => {
    const response = await send(intent, { body: "Restart it.", ...fields });
    const { errors, values } = (await response.json()) as TicketFormError;
    return { status: response.status, errors, values };
  };
  const explanations = () =>
    ctx.db.all<{ reason: string }>(sql`
      SELECT reason FROM ticket_events WHERE ticket_id = ${id} AND kind = 'late_explained'`);
  return { id, params, read, send, rejected, explanations };
}

const asked = (...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, expect.stringMatching(/^This seems to contain a password\./)]));

test("why a reply is late is asked while its time has passed, and neither before nor after", async () => {
  const { read, send, explanations } = await opened();
  world.set("18 17:30");
  expect((await read()).isLate).toBe(false);
  world.set(LATE);
  expect((await read()).isLate).toBe(true);
  expect((await send("reply", { body: "Restart it.", why_late: `  ${REASON.replace(" ", "\r\n")} ` })).status).toBe(
    303,
  );
  expect([(await read()).isLate, await explanations()]).toEqual([false, [{ reason: REASON }]]);
});

test("a reason where nothing is late is not kept, nor an empty one", async () => {
  const [early, late] = [await opened(), await opened()];
  world.set("18 17:30");
  expect((await early.send("reply", { body: "Restart it.", why_late: REASON })).status).toBe(303);
  world.set(LATE);
  expect((await late.send("reply", { body: "Restart it.", why_late: " \n " })).status).toBe(303);
  expect([await early.explanations(), await late.explanations()]).toEqual([[], []]);
});

test("a reason of more than 160 characters comes back as typed, and nothing is sent", async () => {
  const { id, send, rejected, explanations } = await opened();
  world.set(LATE);
  expect(await rejected("reply", { why_late: "x".repeat(161) })).toMatchObject({
    status: 400,
    errors: { why_late: "Why it was late can have at most 160 characters" },
    values: { body: "Restart it.", why_late: "x".repeat(161) },
  });
  expect(await textsOf(ctx, id)).toEqual([]);
  await send("reply", { body: "Restart it.", why_late: "x".repeat(160) });
  expect(await explanations()).toEqual([{ reason: "x".repeat(160) }]);
});

test("a password is asked about at the field that holds it, and only if that field is sent", async () => {
  const { id, send, rejected } = await opened();
  world.set(LATE);
  const late = await rejected("reply", { why_late: PASSWORD });
  expect(late).toMatchObject({ status: 400, values: { why_late: PASSWORD, secret: "password" } });
  expect(late.errors).toEqual(asked("why_late"));
  const resolving = await rejected("reply_resolve", { body: PASSWORD, why_late: REASON, what_was_done: PASSWORD });
  expect(resolving.errors).toEqual(asked("body", "what_was_done"));
  // The number of a card beside it is not asked about after the password was.
  const card = "4111 1111 1111 1111";
  expect((await rejected("reply", { body: card, why_late: PASSWORD })).values.secret).toBe("password");
  expect(await textsOf(ctx, id)).toEqual([]);
  const unsent = { what_was_done: PASSWORD };
  expect((await send("reply", { body: "Restart it.", why_late: REASON, ...unsent })).status).toBe(303);
  const anyway = { body: card, what_was_done: PASSWORD, secret: "password" };
  expect((await send("reply_resolve", anyway)).status).toBe(303);
});

test("staff and client read the reason on the ticket, each in their words; analytics gives it until a letter says more", async () => {
  const { id, params, read, send } = await opened();
  await world.judges("19 09:01");
  world.set(LATE);
  await send("reply", { body: "Restart it.", why_late: REASON });
  expect((await read()).thread.map((entry) => entry.kind === "event" && entry.words)).toContain(
    `Sam Lee said why it was late: ${REASON}`,
  );
  const { base, dana, here } = world;
  const client = as(base, dana);
  const theirs = { ...client, signedIn: memberOf(client, dana, here, "member") } as TestContext;
  const { timeline } = await (await clientPage(args(theirs, get(`/client/tickets/${params.ticket}`), params))).json();
  expect(timeline.map(({ text }) => text)).toContain(`Sam said why it was late. Reason: ${REASON}`);

  await measureTickets(base);
  const { number } = await ticketRow(ctx, id);
  const late = async () =>
    (await (await analytics(args(ctx, get("/admin/analytics?range=7"), {}))).json()).analytics?.late.find(
      (one) => one.number === number,
    );
  const found = await late();
  expect(found?.reason).toBe(REASON);
  const facts = { promises: { kept: 0, missed: 1 }, misses: [{ ticket: params.ticket, dueAt: found?.dueAt }] };
  await base.db.run(sql`
    INSERT INTO letters(id, created_at, updated_at, organization_id, month, status, facts_json, words_json)
    VALUES ('ltr_1', 0, 0, ${here.id}, '2026-11', 'draft', ${JSON.stringify(facts)}, '{"reasons":[""]}')`);
  expect((await late())?.reason).toBe(REASON);
  await base.db.run(sql`UPDATE letters SET words_json = '{"reasons":["Two were ill."]}'`);
  expect((await late())?.reason).toBe("Two were ill.");
});

test("a reply that is taken back takes its reason with it", async () => {
  const { id, read, send, explanations } = await opened();
  world.set(LATE);
  const before = await historyOf(ctx, id);
  const replied = await send("reply", { body: "Restart it.", why_late: REASON });
  expect(await explanations()).toHaveLength(1);
  const message = replied.headers.get("Location")?.split("#")[1] ?? "";
  expect((await send("undo", { message })).status).toBe(303);
  expect([await historyOf(ctx, id), (await read()).isLate]).toEqual([before, true]);
});
