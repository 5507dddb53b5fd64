import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions, submissionAssignments } from "~/db/schema/submissions";
import { tickets } from "~/db/schema/tickets";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { addDays, dayIn, hours, minutes } from "~/lib/time";
import type { QueueOwner } from "~/lib/waiting";
import * as route from "~/routes/_admin.admin._index";
import { flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../support/factories";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { pageAt } from "../support/page";
import { makeTicket, ticketRow, ticketWorld } from "../support/tickets";

let staff: Awaited<ReturnType<typeof staffMember>>;

beforeEach(async () => {
  staff = await staffMember();
  // Other tests of this file leave people waiting.
  await staff.ctx.db.update(contactSubmissions).set({ status: "resolved", follow_up_on: null });
  await staff.ctx.db.update(tickets).set({ due_at: null });
});

const dashboard = pageAt("/admin", route);
const open = (ctx: TestContext, own = "") => dashboard.read(ctx, `/admin${own && `?own=${own}`}`);

const give = (ctx: TestContext, id: string, fields: Partial<typeof contactSubmissions.$inferInsert>) =>
  ctx.db.update(contactSubmissions).set(fields).where(eq(contactSubmissions.id, id));

type Intent = "take" | "take_ticket";

async function take(ctx: TestContext, id: string, own: QueueOwner = "all", intent: Intent = "take", by = ctx) {
  const { tokens } = await open(ctx, own);
  return dashboard.post(by, "/admin", { intent, id, own, form_token: tokens[intent] ?? "" });
}

/** Has somebody take one of the queue, and a colleague before that is stored. Returns the status of each answer. */
async function takenByTwo(ctx: TestContext, colleague: TestContext, id: string, intent?: Intent) {
  let faster: Response | undefined;
  const late = interruptedBeforeCommit(ctx, async () => {
    faster = await take(colleague, id, "all", intent);
  });
  const slower = await take(ctx, id, "all", intent, late);
  return { faster: faster?.status, slower: slower.status };
}

test("the oldest promise comes first; who is answered or held does not wait", async () => {
  const { ctx, base, person } = staff;
  const first = await makeSubmission(ctx);
  base.clock.advance(hours(1));
  const [answered, second] = [await makeSubmission(ctx), await makeSubmission(ctx)];
  await makeSubmission(ctx, { moderationReason: "content" });
  const change = { submissionId: answered.id, status: "contacted" as const, nonce: crypto.randomUUID() };
  await changeSubmissionStatus(ctx, signedInAs(person, base.now()), change);
  const { queue } = await open(ctx);
  expect(queue?.items.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(queue).toMatchObject({ counts: { all: { count: 2 } }, late: { count: 0, isMore: false } });
});

test("a promise that has passed is counted as late, and its item says when it was due", async () => {
  const { ctx, base } = staff;
  await makeSubmission(ctx);
  base.clock.advance(hours(96));
  await makeSubmission(ctx);
  const { queue } = await open(ctx);
  expect(queue?.late).toEqual({ count: 1, isMore: false });
  expect(queue?.items.map(({ due }) => due.state === "late")).toEqual([true, false]);
  expect(queue?.items[0]?.sla).toMatch(/^promised by /);
});

test("the tabs show everyone's, one's own, and what has no owner", async () => {
  const { ctx, person } = staff;
  const [mine, colleagues, free] = [await makeSubmission(ctx), await makeSubmission(ctx), await makeSubmission(ctx)];
  const colleague = await makePerson(ctx, { role: "moderator" });
  await give(ctx, mine.id, { owner_id: person.id });
  await give(ctx, colleagues.id, { owner_id: colleague.id });
  const idsOf = async (own: string) => (await open(ctx, own)).queue?.items.map(({ id }) => id);
  // They were sent at the same moment, so their order is by chance.
  expect((await idsOf(""))?.sort()).toEqual([mine.id, colleagues.id, free.id].sort());
  expect(await idsOf("me")).toEqual([mine.id]);
  expect(await idsOf("none")).toEqual([free.id]);
  expect(await idsOf("nonsense")).toHaveLength(3);
  expect((await open(ctx, "me")).queue?.counts).toMatchObject({
    all: { count: 3 },
    me: { count: 1 },
    none: { count: 1 },
  });
});

test("taking one makes its sender mine, keeps the day of the follow-up, and is in the history and the audit", async () => {
  const { ctx, person } = staff;
  const { id } = await makeSubmission(ctx);
  await give(ctx, id, { follow_up_on: "2026-12-24" });
  const answer = await take(ctx, id, "none");
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/admin?own=none#${id}`]);
  expect(flash(ctx)).toMatch(/^Assigned to you: /);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ owner: { id: person.id }, followUpOn: "2026-12-24" });
  const history = ctx.db.select().from(submissionAssignments).where(eq(submissionAssignments.submission_id, id));
  expect(await history).toMatchObject([{ owner_name: person.fullName, follow_up_on: "2026-12-24" }]);
  const audit = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(audit.map(({ action: what }) => what)).toContain("submission.assigned");
});

test("what was answered or held since the page was made is not taken", async () => {
  const { ctx } = staff;
  for (const change of [{ status: "contacted" }, { held_reason: "content" }] as const) {
    const { id } = await makeSubmission(ctx);
    await give(ctx, id, change);
    const answer = await take(ctx, id);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ rejection: "It does not wait for an answer any more." });
    expect(await findSubmission(ctx.db, id)).toMatchObject({ owner: null });
  }
});

test("what has an owner is not taken away, and what is gone or no id changes nothing", async () => {
  const { ctx } = staff;
  const { id } = await makeSubmission(ctx);
  const colleague = await makePerson(ctx, { role: "moderator" });
  await give(ctx, id, { owner_id: colleague.id });
  for (const asked of [id, "sub_missing", "sub_1' OR 1"]) expect((await take(ctx, asked)).status).toBe(400);
  expect((await findSubmission(ctx.db, id))?.owner?.id).toBe(colleague.id);
});

test("of two people who take the same one at once the faster has it, and the other is told", async () => {
  const { ctx, base } = staff;
  const colleague = await makePerson(base, { role: "moderator", withTotp: true });
  const { id } = await makeSubmission(ctx);
  expect(await takenByTwo(ctx, as(base, colleague), id)).toEqual({ faster: 303, slower: 400 });
  const history = ctx.db.select().from(submissionAssignments).where(eq(submissionAssignments.submission_id, id));
  expect(await history).toMatchObject([{ owner_name: colleague.fullName }]);
});

test("follow-ups of today and of the days before are listed, the longest overdue first", async () => {
  const { ctx } = staff;
  const { figures } = await open(ctx);
  const today = dayIn(figures?.zone ?? "UTC", ctx.now());
  const [later, now, overdue, done] = await Promise.all([1, 2, 3, 4].map(() => makeSubmission(ctx)));
  await give(ctx, later?.id ?? "", { follow_up_on: addDays(today, 1) });
  await give(ctx, now?.id ?? "", { follow_up_on: today });
  await give(ctx, overdue?.id ?? "", { follow_up_on: addDays(today, -2) });
  await give(ctx, done?.id ?? "", { follow_up_on: today, status: "resolved" });
  const { followUps } = await open(ctx);
  expect(followUps?.items.map(({ to }) => to.split("/").at(-1))).toEqual([overdue?.id, now?.id]);
  expect(followUps?.items.map(({ since }) => since !== null)).toEqual([true, false]);
});

test("what is held is listed by its reasons, the most frequent first, and of very many it says that there are more", async () => {
  const { ctx } = staff;
  await ctx.db.update(contactSubmissions).set({ held_reason: null });
  expect((await open(ctx)).moderation).toEqual([]);
  for (const moderationReason of ["over_cap", "content", "content"] as const)
    await makeSubmission(ctx, { moderationReason });
  expect((await open(ctx)).moderation).toEqual(["looks like advertising (2)", "above the daily limit"]);
  for (let count = 3; count < 26; count += 1) await makeSubmission(ctx, { moderationReason: "honeypot" });
  expect((await open(ctx)).moderation?.[0]).toBe("hidden field filled in (23+)");
});

test("where nobody waits, the promise is named that would be made now", async () => {
  const { queue } = await open(staff.ctx);
  expect(queue).toMatchObject({
    items: [],
    counts: { all: { count: 0 } },
    next: { state: expect.stringMatching(/today|later/) },
  });
});

test("an administrator sees on the dashboard who asks for their account to be closed; a technician does not", async () => {
  const { ctx, base } = staff;
  const leaving = await makePerson(base, { fullName: "Lee Leaving" });
  await ctx.db.update(users).set({ closure_requested_at: ctx.now() }).where(eq(users.id, leaving.id));
  const seenBy = async (role: "admin" | "moderator") =>
    (await open(as(base, await makePerson(base, { role })))).closures?.map(({ name }) => name) ?? null;
  expect(await seenBy("admin")).toEqual(["Lee Leaving"]);
  expect(await seenBy("moderator")).toBeNull();
});

/** Has a client whose tickets wait, each until its promise. */
async function waitingTickets() {
  const world = await ticketWorld();
  const waiting = async (dueIn: number | null, assignedTo?: string) => {
    const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana, assignedTo });
    const due_at = dueIn === null ? null : world.base.now() + dueIn;
    await world.base.db.update(tickets).set({ due_at }).where(eq(tickets.id, ticket.id));
    return ticket;
  };
  return { ...world, ctx: world.staff(world.sam).ctx, waiting };
}

test("the queue has tickets among the requests, the first promise first; who owes nothing is not in it", async () => {
  const { base, ctx, waiting, sam } = await waitingTickets();
  const request = await makeSubmission(base);
  const [late, soon, quiet] = [await waiting(-minutes(20)), await waiting(hours(1), sam.id), await waiting(null)];
  const { queue } = await open(ctx);
  const ids = queue?.items.map(({ id }) => id);
  expect(ids).toEqual([late.id, soon.id, request.id]);
  expect(ids).not.toContain(quiet.id);
  expect(queue?.items[0]).toMatchObject({ mark: "🛠️", sla: expect.stringMatching(/^Medium, by /) });
  expect(queue?.items[2]?.mark).toBeNull();
  expect(queue).toMatchObject({ late: { count: 1 }, next: { state: "late" }, counts: { all: { count: 3 } } });
  expect((await open(ctx, "me")).queue?.items.map(({ id }) => id)).toEqual([soon.id]);
  expect((await open(ctx, "none")).queue?.items.map(({ id }) => id)).toEqual([late.id, request.id]);
});

test("a ticket of the queue is taken once: of two people at once the slower one is told", async () => {
  const { ctx, base, waiting, avery, staff: staffAs } = await waitingTickets();
  const { id } = await waiting(hours(1));
  const answers = await takenByTwo(ctx, staffAs(avery).ctx, id, "take_ticket");
  expect(answers).toEqual({ faster: 303, slower: 400 });
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id, version: 2 });
});
