import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { outbox } from "~/db/schema/outbox";
import { legalHolds, personErasures } from "~/db/schema/privacy";
import { contactSubmissions } from "~/db/schema/submissions";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import type { StaffActor } from "~/features/auth/guards.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { leaveOrganization } from "~/features/members/commands.server";
import { addNote } from "~/features/notes/commands.server";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { findHeldSubject, liftHold, placeHold } from "~/features/privacy/actions.server";
import {
  erasePerson,
  eraseRestOfPeople,
  isQueuedFor,
  NAME_PLACES,
  SUBMISSIONS_AT_ONCE,
} from "~/features/privacy/erase-person.server";
import { countPerson, findPeople, findPersonalData } from "~/features/privacy/queries.server";
import { purgeExpired } from "~/jobs/purge-expired.server";
import { fail, ok } from "~/lib/errors";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { makeCc, makeContact } from "../../support/contacts";
import { derive } from "../../support/context";
import {
  as,
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  makeSubmission,
  memberOf,
  signedInAs,
  together,
} from "../../support/factories";
import { messagesOf } from "../../support/inbound-mail";
import { makeMessage, makeTicket, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
beforeAll(async () => {
  world = await ticketWorld();
});
beforeEach(() => world.base.db.delete(personErasures));

const nonce = () => crypto.randomUUID();
const admin = () => world.staff(world.avery);

/** Erases what goes at once of a person. Their name in what they have written would follow. */
async function erase(personId: string, key = nonce()) {
  const { ctx, actor } = admin();
  const brief = derive(ctx, { budget: { isUsedUp: () => true } });
  const erased = await erasePerson(brief, actor, { personId, nonce: key });
  await world.base.settle();
  return erased;
}

async function eraseRest() {
  while ((await eraseRestOfPeople(world.base)).more);
}

type Held = NonNullable<Awaited<ReturnType<typeof findHeldSubject>>>;

/** Puts on hold what has a name, or something that is known. */
async function hold(what: string | Held, key = nonce()) {
  const { ctx, actor } = admin();
  const subject = typeof what === "string" ? await findHeldSubject(ctx.db, what) : what;
  if (!subject) throw new Error(`Nothing is called ${what}`);
  return { subject, held: await placeHold(ctx, actor, { subject, reason: "A dispute", nonce: key }) };
}

/** Lifts the one hold that there is; returns how that goes, and how it goes a second time. */
async function lift() {
  const { ctx, actor } = admin();
  const [placed] = await ctx.db.select().from(legalHolds).where(sql`lifted_at IS NULL`);
  const lifting = { holdId: placed?.id ?? "", reason: "Settled" };
  return [
    await liftHold(ctx, actor, { ...lifting, nonce: nonce() }),
    await liftHold(ctx, actor, { ...lifting, nonce: nonce() }),
  ];
}

/**
 * Returns the tables in which a text stands in some row, whatever its columns are. The audit keeps names on purpose.
 */
async function tablesWith(ctx: Ctx, text: string): Promise<string[]> {
  const tables = await ctx.db.all<{ name: string }>(sql`
    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND substr(name, 1, 3) <> '_cf'
      AND name NOT LIKE '%search%' AND name NOT LIKE '%letters%' AND name NOT IN ('audit_events', 'd1_migrations')`);
  const rows = await Promise.all(tables.map(({ name }) => ctx.db.all(sql`SELECT * FROM ${sql.identifier(name)}`)));
  return tables
    .map(({ name }) => name)
    .filter((_, at) => JSON.stringify(rows[at]).toLowerCase().includes(text.toLowerCase()));
}

test("after an erasure no table has the name or the address, what was written stays, and the account is gone", async () => {
  const { base, here, sam, client, staff } = world;
  const person = await makePerson(base, { fullName: "Zebulon Quarterman", email: "zebulon@quarterman.example" });
  await makeMember(base, here.id, person, "member");
  await makeSession(base, person, 1);
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: person });
  valueOf(await client(person).reply(ticket.id, "Still broken"));
  await base.db.insert(ticketEvents).values({
    ...{ id: base.newId("tev"), organization_id: here.id, ticket_id: ticket.id, kind: "person_added", at: base.now() },
    ...{ to_value: person.fullName, actor_name: "Sam Lee", actor_side: "staff" },
  });
  const request = await makeSubmission(base, { firstName: "Zebulon", lastName: "Quarterman", email: person.email });
  await addNote(staff(sam).ctx, staff(sam).actor, {
    ...{ subject: { type: "submission", id: request.id }, note: "Zebulon calls back", nonce: nonce() },
  });
  await enqueueMail(base, "access-changed", { to: person.email, data: { change: "unlocked" } } as never);
  expect((await tablesWith(base, "quarterman")).sort()).toEqual(
    expect.arrayContaining(["contact_submissions", "support_tickets", "ticket_events", "ticket_messages", "users"]),
  );

  const key = nonce();
  expect(await erase(person.id, key)).toEqual(ok(null));
  await eraseRest();
  expect(await tablesWith(base, "quarterman")).toEqual([]);
  expect(await tablesWith(base, "zebulon")).toEqual([]);
  expect(await base.db.$count(users, eq(users.id, person.id))).toBe(0);
  expect(await base.db.$count(personErasures)).toBe(0);
  expect(await messagesOf(base, ticket.id)).toMatchObject([
    { message: "Still broken", author_name: "Former member", user_id: null },
  ]);
  expect(await findPeople(base.db, "zebulon")).toEqual([]);
  // The same form posted again says the same, and does nothing.
  expect(await erase(person.id, key)).toEqual(ok(null));
  expect(await erase(person.id)).toEqual(fail("person_not_found"));
});

test("oneself, the last administrator and the only owner are not erased", async () => {
  const { base, avery, ivy } = world;
  expect(await erase(avery.id)).toEqual(fail("own_account"));
  expect(await erase(ivy.id)).toEqual(fail("sole_owner"));
  // Of two administrators who erase each other at once, one stays.
  const other = await makePerson(base, { role: "admin", fullName: "Morgan Hale" });
  const actorOf = (person: typeof other) => signedInAs(person, base.now()) as StaffActor;
  const results = await Promise.all([
    erasePerson(as(base, avery), actorOf(avery), { personId: other.id, nonce: nonce() }),
    erasePerson(as(base, other), actorOf(other), { personId: avery.id, nonce: nonce() }),
  ]);
  await base.settle();
  expect(results.filter(({ ok: done }) => done)).toHaveLength(1);
  world = { ...world, avery: results[0].ok ? avery : other };
});

test("nobody is erased while they, a request, a ticket or an organization of theirs is on hold, also after leaving it", async () => {
  const { base, here } = world;
  const { ctx, actor } = admin();
  const person = await makePerson(base, { fullName: "Held Hannah" });
  await makeMember(base, here.id, person, "member");
  const request = await makeSubmission(base, { email: person.email });
  const other = await makeOrganization(base, "Elsewhere");
  const ticket = await makeTicket(base, { organizationId: other.id, createdBy: person });
  const [organization] = await base.db.all<{ slug: string }>(sql`SELECT slug FROM organizations WHERE id = ${here.id}`);
  const ofOrganization = `/${organization?.slug}`;
  for (const named of [person.email, `l-${request.number}`, `T-${ticket.number}`, ofOrganization, ofOrganization]) {
    const key = nonce();
    const { subject, held } = await hold(named, key);
    expect([held, (await hold(named, key)).held]).toEqual([ok(null), ok(null)]);
    expect((await hold(named)).held).toEqual(fail("held_already"));
    expect(await erase(person.id)).toEqual(fail("on_hold"));
    if (subject.type === "ticket") {
      await expect(base.db.run(sql`DELETE FROM organizations WHERE id = ${other.id}`)).rejects.toThrow();
      const deletion = { organizationId: other.id, version: 1, nonce: nonce() };
      expect(await deleteOrganization(ctx, actor, deletion)).toEqual(fail("organization_on_hold"));
    }
    expect(await lift()).toEqual([ok(null), fail("hold_gone")]);
    if (subject.type === "organization") {
      await leaveOrganization(as(base, person), memberOf(base, person, here, "member"));
    }
  }
  expect(await findHeldSubject(base.db, "nobody@nowhere.example")).toBeNull();
  expect(await erase(person.id)).toEqual(ok(null));
});

test("somebody who gets copies of a ticket on hold is not erased, and after the hold the address is in no table", async () => {
  const { base, here } = world;
  const email = "copied@landlord.example";
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: await makePerson(base) });
  await makeCc(base, ticket.id, email, { id: "cpy_held1" });
  const stopped = { id: "cpy_held2", removed_at: base.now(), stopped_mailbox: email };
  await makeCc(base, ticket.id, "copied+x@landlord.example", stopped);
  const [{ id } = { id: "" }] = await findPeople(base.db, " Copied@landlord.example");
  expect(id).toBe("cpy_held1");
  await hold(`T-${ticket.number}`);
  expect(await erase(id)).toEqual(fail("on_hold"));
  await lift();
  expect(await erase(id)).toEqual(ok(null));
  expect(await base.db.$count(ticketCopies, sql`id IN ('cpy_held1', 'cpy_held2')`)).toBe(0);
  await eraseRest();
  expect(await tablesWith(base, email)).toEqual([]);
});

test.each([
  "ticket",
  "message",
  "organization",
] as const)("a contact is not erased while a hold protects their %s, even if they get no copies any more", async (held) => {
  const { base, here } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: await makePerson(base) });
  const id = await makeContact(base, here.id, { email: `${held}@contact.example` });
  if (held === "ticket") await base.db.update(tickets).set({ contact_id: id }).where(eq(tickets.id, ticket.id));
  if (held === "message") await makeMessage(base, ticket.id, { contact_id: id, side: "client" });
  const type = held === "organization" ? "organization" : "ticket";
  await hold({ type, id: type === "ticket" ? ticket.id : here.id });
  expect(await erase(id)).toEqual(fail("on_hold"));
  await lift();
  expect(await erase(id)).toEqual(ok(null));
});

test("somebody without an account is erased with all submissions of the address, however many, and of no other", async () => {
  const { base } = world;
  const email = "often@writes.example";
  const submissions = await together(base, (ctx) =>
    Promise.all(Array.from({ length: SUBMISSIONS_AT_ONCE + 20 }, () => makeSubmission(ctx, { email }))),
  );
  const other = await makeSubmission(base, { email: "once@writes.example" });
  const later = await makeSubmission(base, { email, at: base.now() + 1 });
  const before = await base.db.$count(contactSubmissions, eq(contactSubmissions.email, email));
  expect(before).toBe(submissions.length + 1);
  expect(await erase(submissions[3]?.id ?? "")).toEqual(ok(null));
  await eraseRest();
  const left = await base.db.select().from(contactSubmissions).where(eq(contactSubmissions.email, email));
  expect(left.map(({ id }) => id)).toEqual([later.id]);
  expect(await base.db.$count(contactSubmissions, eq(contactSubmissions.id, other.id))).toBe(1);
  expect(await base.db.$count(personErasures)).toBe(0);
});

test("a technician who is erased leaves their tickets without an assignee, and namesakes keep their name", async () => {
  const { base, here, dana, sam, staff } = world;
  const [gone, namesake] = [
    await makePerson(base, { role: "moderator", fullName: "Kim Double" }),
    await makePerson(base, { role: "moderator", fullName: "Kim Double" }),
  ];
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  valueOf(await staff(sam).assign(ticket.id, gone.id));
  expect(await erase(gone.id)).toEqual(ok(null));
  await eraseRest();
  expect((await ticketRow(base, ticket.id)).assigned_to).toBeNull();
  // Whose name the history has cannot be told apart, so it stays for the one who is still there.
  expect(await base.db.$count(ticketEvents, eq(ticketEvents.to_value, "Kim Double"))).toBe(1);
  expect(await base.db.$count(users, eq(users.id, namesake.id))).toBe(1);
  expect(await base.db.$count(outbox, sql`params_enc IS NOT NULL AND user_id = ${gone.id}`)).toBe(0);
});

test("no mail keeps what it says of an erased person, to whomever it was and whether or not it was sent", async () => {
  const { base } = world;
  await base.db.delete(outbox);
  const person = await makePerson(base, { fullName: "Zebulon Quarterman" });
  const about = { type: "user", id: person.id } as const;
  const reset = { name: person.fullName, email: person.email, by: "Sam Lee", reason: "Lost phone" };
  await commit(base.db, [
    enqueueMail(base, "access-changed", { to: person.email, about, data: { change: "unlocked" } }),
    enqueueMail(base, "account-exists", { to: person.email, about: null, data: {} }),
    enqueueMail(base, "factor-reset-notice", { to: "admin@wrenfield.example", about, data: reset }),
    enqueueMail(base, "email-change-confirmation", { to: "new@quarterman.example", about, data: { path: "/x" } }),
  ]);
  // Of some nobody knows whether they were sent.
  await base.db.run(sql`UPDATE outbox SET status = 'uncertain' WHERE kind IN ('access-changed', 'account-exists')`);
  expect(await erase(person.id)).toEqual(ok(null));
  expect(await base.db.$count(outbox, sql`params_enc IS NOT NULL`)).toBe(0);
});

test("of mails of which nobody knows whether they were sent only those that are still stored count", async () => {
  const { base } = world;
  const person = await makePerson(base);
  const mail = { to: person.email, about: null, data: {} };
  await commit(base.db, [enqueueMail(base, "account-exists", mail), enqueueMail(base, "account-exists", mail)]);
  await base.db.run(sql`UPDATE outbox SET status = 'uncertain'`);
  const found = await findPersonalData(base.db, person.id);
  const count = async () => found && (await countPerson(base.db, found, isQueuedFor(base, [person.email]))).queuedMails;
  const before = await count();
  base.clock.advance(days(15));
  await purgeExpired(base);
  expect([before, await count()]).toEqual([2, 0]);
});

test("a run that is late skips no part of what another has begun", async () => {
  const { base, here, dana } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const person = await makePerson(base, { fullName: "Ottoline Farrow" });
  const event = (rowid: number) =>
    base.db.run(sql`INSERT INTO ticket_events(rowid, id, organization_id, ticket_id, kind, from_value, actor_name, actor_side, at)
      VALUES (${rowid}, ${base.newId("tev")}, ${here.id}, ${ticket.id}, 'assigned', ${person.fullName}, 'Sam Lee', 'staff', 0)`);
  await event(4_000);
  await event(6_000);
  const step = NAME_PLACES.findIndex(({ table, name }) => table === "ticket_events" && name === "from_value") - 1;
  const erasure = { user_id: person.id, name: person.fullName, email: person.email, requested_at: base.now(), step };
  await base.db.insert(personErasures).values(erasure);

  const withRun = (run: Ctx["db"]["run"]) => derive(base, { db: { ...base.db, run } });
  let runs = 0;
  const interrupted = withRun(((query: Parameters<Ctx["db"]["run"]>[0]) => {
    runs += 1;
    if (runs > 2) throw new Error("The worker has ended");
    return base.db.run(query);
  }) as Ctx["db"]["run"]);
  let isFirst = true;
  const late = withRun((async (query: Parameters<Ctx["db"]["run"]>[0]) => {
    if (isFirst) {
      isFirst = false;
      await eraseRestOfPeople(interrupted).catch(() => undefined);
    }
    return base.db.run(query);
  }) as unknown as Ctx["db"]["run"]);
  await eraseRestOfPeople(late);
  expect(await base.db.$count(personErasures)).toBe(0);
  expect(await base.db.$count(ticketEvents, sql`from_value = ${person.fullName}`)).toBe(0);
});

/** Says which columns with a name go with the account itself. */
const OF_ACCOUNTS = ["users.full_name", "contacts.full_name"];

const OF_PEOPLE = /`?\b((?:\w+_by|actor|author|creator|inviter|owner|acknowledged|full)_name)`? text/gi;

test("every column that keeps the name of a person is one that an erasure replaces", async () => {
  const tables = await world.base.db.all<{ name: string; sql: string }>(
    sql`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name <> 'audit_events'`,
  );
  const columns = tables.flatMap((table) =>
    [...table.sql.matchAll(OF_PEOPLE)].map(([, column]) => `${table.name}.${column}`),
  );
  const replaced = [...OF_ACCOUNTS, ...NAME_PLACES.map(({ table, name }) => `${table}.${name}`)];
  expect(columns.length).toBeGreaterThan(10);
  expect(columns.filter((column) => !replaced.includes(column))).toEqual([]);
});
