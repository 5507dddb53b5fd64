import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { idempotency } from "~/db/schema/infrastructure";
import { notifications } from "~/db/schema/notifications";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketCopies } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addCc, removeCc } from "~/features/tickets/cc/actions.server";
import { listCc, readCcForClient, stopCcPath } from "~/features/tickets/cc/queries.server";
import type { TicketEditor } from "~/features/tickets/commands.server";
import { setPrivacy } from "~/features/tickets/commands.server";
import { days, minutes, seconds } from "~/lib/time";
import { action as stop, loader as stopPage } from "~/routes/_auth.stop-copies";
import { type TestContext, testContext } from "../../support/context";
import { as, makeOrganization, memberOf, type Person } from "../../support/factories";
import { args, get, post } from "../../support/requests";
import {
  asClient,
  asStaff,
  collectedMails,
  type TicketWithPeople,
  ticketWithPeople,
} from "../../support/ticket-announcements";
import { staffOf } from "../../support/tickets";

let ctx: TestContext;
let world: TicketWithPeople;

beforeEach(async () => {
  ctx = testContext();
  for (const table of [notifications, outbox, ticketCopies, rateLimitAttempts]) await ctx.db.delete(table);
  await ctx.db.run(sql`DELETE FROM user_roles`);
  world = await ticketWithPeople(ctx);
});

const OUTSIDE = "facilities@landlord.example";
const nonce = () => crypto.randomUUID();
const memberActor = (person: Person) => memberOf(ctx, person, world.organization, "member");
const editorOf = (person: Person): TicketEditor => ({ side: "client", actor: memberActor(person) });
const setOrganization = (set: Partial<typeof organizations.$inferInsert>) =>
  ctx.db.update(organizations).set(set).where(eq(organizations.id, world.organization.id));
const byStaff = (of = world): TicketEditor => ({ side: "staff", by: asStaff(of.assignee) });
const add = (email: string, editor = byStaff(), of = world) =>
  addCc(as(ctx, of.assignee), editor, { ticketId: of.ticket.id, email, nonce: nonce() });
const remove = (ccId = "", editor = byStaff(), person = world.assignee) =>
  removeCc(as(ctx, person), editor, { ticketId: world.ticket.id, ccId, nonce: nonce() });
const moveTo = (organizationId: string) => staffOf(ctx, world.assignee).moveTo(world.ticket.id, organizationId);
const write = (text: string) => world.write(asStaff(world.assignee), text);
const copies = () => ctx.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, world.ticket.id));
const mailsOutside = async () => (await collectedMails(ctx)).filter(({ to }) => to === OUTSIDE);
const codeOf = (added: Awaited<ReturnType<typeof add>>) => (added.ok ? "ok" : added.code);

test("an address hears that it gets copies, then every public message, and nothing internal, nor a link into the portal", async () => {
  expect((await add(" Facilities@Landlord.EXAMPLE ")).ok).toBe(true);
  expect((await add(OUTSIDE)).ok).toBe(true);
  expect((await copies()).map(({ email }) => email)).toEqual([OUTSIDE]);
  const [welcome, ...more] = await mailsOutside();
  expect([welcome?.subject, more]).toEqual([`[T-${world.ticket.number}] Printer offline`, []]);
  await staffOf(ctx, world.other).note(world.ticket.id, "@Jordan Vale the safe is 4711");
  await write("First");
  ctx.clock.advance(seconds(1));
  await world.write(asClient(world.client), "Second");
  const mails = await mailsOutside();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toMatch(/> First[\s\S]*> Second/);
  expect(JSON.stringify(mails)).not.toMatch(/4711|\/client\/|\/admin\/|\/solved/);
});

test("what was added is told, and other addresses of the ticket are not told again", async () => {
  await add("first@landlord.example");
  await collectedMails(ctx);
  await add(OUTSIDE);
  expect((await collectedMails(ctx)).map(({ to }) => to)).toEqual([OUTSIDE]);
});

test("an address that was taken off hears nothing more, not even by a mail that waits or has failed once", async () => {
  await add(OUTSIDE);
  await mailsOutside();
  await write("First");
  ctx.outcomes.push(...Array.from({ length: 4 }, () => ({ kind: "transient" as const, reason: "http_500" })));
  ctx.clock.advance(minutes(2));
  await deliverOutbox(ctx);
  await write("Second");
  const [copy] = await copies();
  await remove(copy?.id);
  await write("Third");
  ctx.clock.advance(minutes(10));
  expect(await mailsOutside()).toEqual([]);
  expect(await ctx.db.select().from(outbox).where(sql`copy_id IS NOT NULL`)).toEqual([]);
});

test("a ticket that becomes private sends no copies, not even those that wait, and takes no addresses", async () => {
  await add(OUTSIDE);
  await mailsOutside();
  await write("Before");
  await ctx.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, world.ticket.id));
  await write("After");
  expect(await mailsOutside()).toEqual([]);
  expect(codeOf(await add("other@landlord.example"))).toBe("is_private");
});

test("what is written while a ticket is private is never mailed to the addresses it had before", async () => {
  await add(OUTSIDE);
  await mailsOutside();
  const keep = (isPrivate: boolean) =>
    setPrivacy(as(ctx, world.client), memberActor(world.client), {
      ...{ ticketId: world.ticket.id, isPrivate, nonce: nonce() },
    });
  expect((await keep(true)).ok).toBe(true);
  await write("Between us");
  expect((await keep(false)).ok).toBe(true);
  await write("For all");
  expect([await copies(), await mailsOutside()]).toEqual([[], []]);
});

test("a ticket that moves to another organization leaves its addresses behind", async () => {
  await add(OUTSIDE);
  await mailsOutside();
  expect((await moveTo((await makeOrganization(ctx, "Brightsmile")).id)).ok).toBe(true);
  expect([await copies(), await mailsOutside()]).toEqual([[], []]);
});

test("members, programs, our own addresses and what is no address are rejected; so are too many of one ticket or mailbox", async () => {
  for (const [email, code] of [
    ["a@b.example, c@d.example", "not_an_address"],
    ["MAILER-DAEMON@x.example", "not_an_address"],
    ["hello+ticket@wrenfield.example", "own_address"],
    [world.colleague.email.toUpperCase(), "is_member"],
  ] as const)
    expect(codeOf(await add(email)), email).toBe(code);
  expect(await copies()).toEqual([]);
  for (let count = 0; count < 5; count += 1) await add(`one+${count}@landlord.example`);
  expect(codeOf(await add("one@landlord.example"))).toBe("limited");
  for (let count = 0; count < 5; count += 1) await add(`p${count}@landlord.example`);
  expect(codeOf(await add("last@landlord.example"))).toBe("too_many");
  expect(await copies()).toHaveLength(10);
});

test("clients add addresses only where their organization allows it, and only to what they may change", async () => {
  const own = editorOf(world.client);
  await setOrganization({ allows_copies: false, needs_review_at: null });
  expect(codeOf(await add(OUTSIDE, own))).toBe("off");
  await setOrganization({ allows_copies: true, needs_review_at: ctx.now() });
  expect(codeOf(await add(OUTSIDE, own))).toBe("in_review");
  await setOrganization({ needs_review_at: null });
  expect(codeOf(await add(OUTSIDE, editorOf(world.colleague)))).toBe("ticket_not_found");
  expect(codeOf(await add(OUTSIDE, own))).toBe("ok");
  const read = (editor: TicketEditor) =>
    editor.side === "client" ? readCcForClient(ctx.db, editor.actor, world.ticket.id) : null;
  expect((await read(own))?.copies.map(({ email }) => email)).toEqual([OUTSIDE]);
  expect(await read(editorOf(world.colleague))).toBeNull();
  await ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, world.client.id));
  expect(codeOf(await add("late@landlord.example", own))).toBe("ticket_not_found");
});

test("an organization that forbids copies still sees and takes off the addresses it has, and adds none", async () => {
  await add(OUTSIDE);
  await setOrganization({ allows_copies: false });
  const actor = memberActor(world.client);
  const page = await readCcForClient(ctx.db, actor, world.ticket.id);
  expect([page?.copies.length, page?.closed]).toEqual([
    1,
    "Your organization has not allowed copies. Its owner and admins can allow them.",
  ]);
  const copyId = page?.copies[0]?.id;
  expect((await remove(copyId, editorOf(world.colleague), world.colleague)).ok).toBe(false);
  expect((await remove(copyId, { side: "client", actor }, world.client)).ok).toBe(true);
  expect(await copies()).toEqual([]);
});

test("the clients of one organization add at most 30 addresses a day together, and staff still can", async () => {
  await setOrganization({ allows_copies: true, needs_review_at: null });
  const day = Math.floor(ctx.now() / days(1));
  await ctx.db.insert(rateLimitAttempts).values({
    ...{ attempt_type: "copy_org", identifier: `${world.organization.id}:${day}`, attempts: 29 },
    ...{ blocked_until: null, last_attempt_at: ctx.now() },
  });
  expect(codeOf(await add("last@landlord.example", editorOf(world.client)))).toBe("ok");
  expect(codeOf(await add(OUTSIDE, editorOf(world.client)))).toBe("limited");
  expect(codeOf(await add(OUTSIDE))).toBe("ok");
});

test("the link of a copy ends them with one post, opening it does not, and no other link does", async () => {
  await add(OUTSIDE);
  const [mail] = await mailsOutside();
  expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const path = /<http:\/\/localhost:8787(\/stop-copies[^>]+)>/.exec(mail?.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
  const click = (to: string) => stop(args(ctx, post(to, { "List-Unsubscribe": "One-Click" })));
  expect((await stopPage(args(ctx, get(path)))).status).toBe(200);
  await expect(click(path.replace(/.$/, (last) => (last === "A" ? "B" : "A")))).rejects.toMatchObject({ status: 404 });
  expect(await copies()).toHaveLength(1);
  await write("Waits");
  expect((await click(path)).status).toBe(200);
  expect((await click(path)).status).toBe(200);
  await write("Later");
  expect(await mailsOutside()).toEqual([]);
  for (const address of [OUTSIDE, "Facilities+again@landlord.example"])
    expect(codeOf(await add(address)), address).toBe("ok");
  const elsewhere = await ticketWithPeople(ctx);
  expect(codeOf(await add(OUTSIDE, byStaff(elsewhere), elsewhere))).toBe("ok");
  await moveTo(elsewhere.organization.id);
  expect(await listCc(ctx.db, world.ticket.id)).toEqual([]);
  expect(codeOf(await add(OUTSIDE))).toBe("ok");
  expect(await mailsOutside()).toEqual([]);
});

test("whether an address has asked for no more copies cannot be told by whoever adds it, keeps it or takes it off", async () => {
  const FRESH = "fresh@landlord.example";
  await add(OUTSIDE);
  const [row] = await copies();
  await stop(args(ctx, post(stopCcPath(ctx.config, row?.id ?? ""), { "List-Unsubscribe": "One-Click" })));
  await mailsOutside();
  const listed = async () => (await listCc(ctx.db, world.ticket.id)).map(({ email }) => email);
  const known = new Set<string>();
  expect(await listed()).toEqual([OUTSIDE]);
  for (const round of [1, 2]) {
    const answers = [await add(OUTSIDE), await add(FRESH)].map(codeOf);
    expect([round, answers, (await listed()).sort()]).toEqual([round, ["ok", "ok"], [OUTSIDE, FRESH].sort()]);
    await write(`Round ${round}`);
    const to = (await collectedMails(ctx)).map((mail) => mail.to);
    expect([to.includes(FRESH), to.includes(OUTSIDE)]).toEqual([true, false]);
    for (const { id, email } of await listCc(ctx.db, world.ticket.id)) {
      // The pages hold the ids: every address that is added again has a new one.
      expect([round, email, known.has(id)]).toEqual([round, email, false]);
      known.add(id);
      expect((await remove(id)).ok).toBe(true);
    }
    expect(await listed()).toEqual([]);
  }
});

test("an address that is added again is a new one: its mails stay on record, and no former reply address is its own", async () => {
  await add(OUTSIDE);
  await mailsOutside();
  const [former] = await copies();
  // As for a contact whose ticket became that of somebody else.
  await ctx.db.update(ticketCopies).set({ removed_at: ctx.now() });
  expect(await listCc(ctx.db, world.ticket.id)).toEqual([]);
  expect(codeOf(await add(OUTSIDE))).toBe("ok");
  const [again, ...more] = await copies();
  expect([again?.removed_at, more]).toEqual([null, []]);
  expect(again?.id).not.toBe(former?.id);
  const mails = await ctx.db.select().from(outbox).where(eq(outbox.kind, "ticket-copy"));
  expect(mails.map(({ copy_id, status }) => [copy_id, status])).toEqual([
    [again?.id, "sent"],
    [again?.id, "pending"],
  ]);
  expect((await mailsOutside()).map(({ text }) => text)).toEqual([expect.stringContaining("added you to this ticket")]);
});

test("copies of a reply of staff wait until it cannot be taken back", async () => {
  await add(OUTSIDE);
  await world.announce(asStaff(world.assignee), { statusBefore: "open" }, "closed");
  ctx.clock.advance(minutes(2) - seconds(1));
  await write("Wait");
  ctx.clock.advance(seconds(14));
  await deliverOutbox(ctx);
  expect(ctx.sent.filter(({ to }) => to === OUTSIDE)).toEqual([]);
  ctx.clock.advance(seconds(1));
  await deliverOutbox(ctx);
  expect(ctx.sent.filter(({ to }) => to === OUTSIDE)).toHaveLength(1);
  expect((await ctx.db.select().from(mailEvents)).length).toBeGreaterThan(0);
});

test("counts of attempts and keys of forms do not say which address got copies", async () => {
  expect((await add(OUTSIDE)).ok).toBe(true);
  const [counted, keys] = [await ctx.db.select().from(rateLimitAttempts), await ctx.db.select().from(idempotency)];
  expect(counted.map(({ attempt_type }) => attempt_type)).toContain("copy_addr");
  expect(JSON.stringify([counted, keys])).not.toContain("landlord");
});
