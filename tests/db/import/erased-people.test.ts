import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { importedRecords, importRows, imports, importWords } from "~/db/schema/imports";
import { contacts, organizations, otherAddresses } from "~/db/schema/organizations";
import { erasedAddresses, personErasures } from "~/db/schema/privacy";
import { contactSubmissions } from "~/db/schema/submissions";
import { ticketMessages, tickets } from "~/db/schema/tickets";
import { continueImports, sweepImports, workOn } from "~/features/import/work.server";
import { organizationTexts } from "~/features/organizations/model";
import { erasePerson, eraseRestOfPeople, NAME_PLACES } from "~/features/privacy/erase-person.server";
import { findPeople } from "~/features/privacy/queries.server";
import { ok } from "~/lib/errors";
import { days } from "~/lib/time";
import { makeContact } from "../../support/contacts";
import { derive } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/factories";
import { dryRun, importOf, movedTo, outcomesOf, uploaded } from "../../support/imports";
import { messagesOf } from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let ctx: (typeof world)["base"];
let worlds = 0;
let here: string;
let email: string;
let name: string;

beforeEach(async () => {
  world = await ticketWorld();
  ctx = world.base;
  worlds += 1;
  here = `Alder ${worlds}`;
  name = `Quentin Aldersey ${worlds}`;
  email = `quentin${worlds}@alder.example`;
  // What an import remembers is looked through as a whole.
  for (const table of [importRows, importedRecords, imports, importWords, personErasures]) await ctx.db.delete(table);
  const texts = organizationTexts({ name: here, description: "" });
  await ctx.db.update(organizations).set(texts).where(eq(organizations.id, world.here.id));
});

/**
 * Erases whom an address belongs to, and what imports keep of them; other records are gone through in the tests of
 * erasures. `meanwhile`: what happens in the same moment.
 */
async function erase(address: string, meanwhile?: () => Promise<unknown>) {
  const [person] = await findPeople(ctx.db, address);
  const { ctx: by, actor } = world.staff(world.avery);
  const brief = derive(by, { budget: { isUsedUp: () => true } });
  const own = meanwhile ? interruptedBeforeCommit(brief, meanwhile) : brief;
  const erased = await erasePerson(own, actor, { personId: person?.id ?? "", nonce: crypto.randomUUID() });
  await ctx.settle();
  await ctx.db.update(personErasures).set({ step: NAME_PLACES.length - 1, done_through: 0 });
  while ((await eraseRestOfPeople(ctx)).more);
  return erased;
}

const brought = async (upload: Parameters<typeof dryRun>[1]) => movedTo(ctx, (await dryRun(ctx, upload)).id, "running");
const peopleOf = (...lines: string[]) => ({
  kind: "people" as const,
  content: ["Name;Email;Organization;Phone", ...lines, ""].join("\n"),
});
const people = () => peopleOf(`${name};${email};${here};+1 555 0100`, `Ann Other;ann${worlds}@alder.example;${here};`);
const setState = (id: string, changes: Partial<typeof imports.$inferInsert>) =>
  ctx.db.update(imports).set(changes).where(eq(imports.id, id));
const ticketWith = async (number: string) =>
  (await ctx.db.select().from(tickets).where(eq(tickets.old_number, number)))[0];

const ticketsOf = (number = `${worlds}-1`) => ({
  kind: "tickets" as const,
  content: JSON.stringify({
    ...{ old_number: number, subject: "Scanner", description: "It jams.", organization: here },
    ...{ requester_email: email, requester_name: name, opened: "2024-01-01T10:00:00Z" },
    messages: [
      { text: "Still jams.", author: name, email, side: "client", at: "2024-01-02T10:00:00Z" },
      { text: "On it.", author: "Ann Other", email: `ann${worlds}@alder.example`, side: "client" },
    ],
  }),
});

const ownTables = async () =>
  JSON.stringify([
    await ctx.db.select().from(importRows),
    await ctx.db.select().from(imports),
    await ctx.db.select().from(importWords),
  ]).toLowerCase();

test("an erased person stands in no row, column or word of an import, and its file has gone when it was begun", async () => {
  const first = await dryRun(ctx, people());
  const key = first.file_key;
  const done = await movedTo(ctx, first.id, "running");
  expect([done.state, done.added, done.file_key]).toEqual(["done", 2, ""]);
  await ctx.settle();
  expect(await ctx.files.get(key)).toBeNull();
  await dryRun(ctx, ticketsOf());
  await uploaded(ctx, people());
  expect(await ownTables()).toContain("quentin");
  expect(await erase(email)).toEqual(ok(null));
  expect(await ownTables()).not.toContain("quentin");
  // The others are as they were.
  expect(await ownTables()).toContain(`ann${worlds}@alder.example`);
});

test("the same file does not bring an erased person back, as a person or with a ticket; what they wrote comes without them", async () => {
  await brought(people());
  await erase(email);
  const again = await dryRun(ctx, people());
  expect(await outcomesOf(ctx, again.id)).toMatchObject([
    [1, "refused", expect.stringContaining("was erased")],
    [2, "exists", expect.any(String)],
  ]);
  const order = await dryRun(ctx, ticketsOf());
  const rows = JSON.stringify(await ctx.db.select().from(importRows)).toLowerCase();
  expect(rows).not.toContain("quentin");
  expect(rows).toContain(`ann${worlds}@alder.example`);
  await movedTo(ctx, order.id, "running");
  const ticket = await ticketWith(`${worlds}-1`);
  expect(ticket).toMatchObject({ creator_name: "Former member", contact_id: null, created_by: null });
  const messages = await messagesOf(ctx, ticket?.id ?? "");
  expect(messages.map(({ author_name }) => author_name).sort()).toEqual(["Ann Other", "Former member"]);
  expect(await ctx.db.$count(contacts, eq(contacts.email, email))).toBe(0);
});

test("no file brings an erased person back by a further address, and those that are stored forget it", async () => {
  const further = `quentin.home${worlds}@elsewhere.example`;
  await brought(people());
  const atHome = <Upload>(upload: Upload): Upload => JSON.parse(JSON.stringify(upload).replaceAll(email, further));
  await brought(atHome(people()));
  // What came from it before somebody knew whose it is.
  await ctx.db.delete(contacts).where(eq(contacts.email, further));
  const [theirs] = await ctx.db.select().from(contacts).where(eq(contacts.email, email));
  await makeSubmission(ctx, { email: further });
  // A colleague learns of it in the moment of the erasure.
  const address = { email: further, contact_id: theirs?.id, added_by: world.avery.id, added_at: 0 };
  const added = async () => ctx.db.insert(otherAddresses).values(address);
  expect(await erase(email, added)).toEqual(ok(null));
  expect(await ctx.db.$count(personErasures)).toBe(0);
  for (const known of [email, further]) expect(await ownTables()).not.toContain(known);
  expect(await ctx.db.$count(contactSubmissions, eq(contactSubmissions.email, further))).toBe(0);
  const again = await dryRun(ctx, atHome(people()));
  expect((await outcomesOf(ctx, again.id))[0]).toMatchObject([1, "refused", expect.stringContaining("was erased")]);
  await brought(atHome(ticketsOf()));
  expect(await ctx.db.$count(contacts, eq(contacts.email, further))).toBe(0);
  expect(JSON.stringify(await ctx.db.select().from(importRows)).toLowerCase()).not.toContain("quentin");
});

test("an erasure waits for no import: files that wait go with it, and one that is half imported goes on without them", async () => {
  await brought(people());
  const waiting = await dryRun(ctx, ticketsOf(`${worlds}-2`));
  const running = await dryRun(ctx, ticketsOf(`${worlds}-3`));
  const stopped = await dryRun(ctx, ticketsOf(`${worlds}-4`));
  const zipOf = async ({ id }: { id: string }) => {
    await ctx.files.put(`imports/zip-${id}`, new Uint8Array([1]));
    await setState(id, { state: "running", started_at: ctx.now(), archive_key: `imports/zip-${id}` });
    // Its rows are known; none is written.
    await workOn({ ...ctx, budget: { isUsedUp: () => true } }, id);
    return () => ctx.files.get(`imports/zip-${id}`);
  };
  const [zip, other] = [await zipOf(running), await zipOf(stopped)];
  await erase(email);
  expect(await ctx.db.$count(personErasures)).toBe(0);
  expect(await importOf(ctx, waiting.id)).toMatchObject({ state: "failed", file_key: "", file_json: null });
  expect(await ctx.files.get(waiting.file_key)).toBeNull();
  expect(await outcomesOf(ctx, waiting.id)).toEqual([]);
  expect([await zip(), await other()]).not.toContain(null);
  expect(await ownTables()).not.toContain(email);
  expect(await movedTo(ctx, running.id, "running")).toMatchObject({ state: "done", added: 1 });
  await ctx.settle();
  expect(await ticketWith(`${worlds}-3`)).toMatchObject({ creator_name: "Former member", contact_id: null });
  expect(await zip()).toBeNull();
  // One that failed in between keeps its file no longer, either.
  await setState(stopped.id, { state: "failed" });
  await continueImports(ctx);
  expect(await other()).toBeNull();
});

test("a ticket that is written in the moment in which its person is erased comes without them", async () => {
  await brought(people());
  const order = await dryRun(ctx, ticketsOf());
  await setState(order.id, { state: "running", file_key: "" });
  await workOn(
    interruptedBeforeCommit(ctx, () => erase(email)),
    order.id,
  );
  const written = JSON.stringify([await ctx.db.select().from(tickets), await ctx.db.select().from(ticketMessages)]);
  expect((await importOf(ctx, order.id)).state).toBe("done");
  expect(written).not.toContain(name);
});

test("who is erased in the moment in which they are written does not come back", async () => {
  const other = `kim${worlds}@alder.example`;
  await makeContact(ctx, world.there.id, { email: other });
  const kim = peopleOf(`Kim Roe;${other};${here};`);
  await brought(kim);
  await ctx.db.delete(contacts).where(sql`email = ${other} AND organization_id = ${world.here.id}`);
  const late = await dryRun(ctx, kim);
  await setState(late.id, { state: "running", file_key: "" });
  await workOn(
    interruptedBeforeCommit(ctx, () => erase(other)),
    late.id,
  );
  expect(await importOf(ctx, late.id)).toMatchObject({ state: "done", added: 0 });
  expect(await outcomesOf(ctx, late.id)).toMatchObject([[1, "refused", expect.stringContaining("was erased")]]);
  expect(await ctx.db.$count(contacts, eq(contacts.email, other))).toBe(0);
});

test("an import that has just begun, or is stopped, forgets what its columns held in the moment of an erasure", async () => {
  await brought(people());
  for (const state of ["running", "undoing"] as const) {
    const order = await dryRun(ctx, ticketsOf(`${worlds}-${state}`));
    await setState(order.id, { state, started_at: ctx.now() });
  }
  expect(await ownTables()).toContain(email);
  expect(await erase(email)).toEqual(ok(null));
  expect(await ownTables()).not.toContain(email);
});

test("a file whose import is started while it would be deleted stays until its end", async () => {
  const waiting = await dryRun(ctx, ticketsOf());
  await ctx.db
    .insert(personErasures)
    .values({ user_id: "con_late", name, email, requested_at: ctx.now(), step: NAME_PLACES.length - 1 });
  await ctx.db.insert(erasedAddresses).values({ email_hash: "late", erased_at: ctx.now() });
  await eraseRestOfPeople(interruptedBeforeCommit(ctx, () => setState(waiting.id, { state: "running" })));
  expect(await importOf(ctx, waiting.id)).toMatchObject({ state: "running", file_key: waiting.file_key });
  expect(await ctx.files.get(waiting.file_key)).not.toBeNull();
});

test("the words for a colleague go with them, and those for others stay", async () => {
  const tess = await makePerson(ctx, { role: "moderator", fullName: `Tess Tilbury ${worlds}` });
  await ctx.db.insert(importWords).values([
    { source: "zammad", field: "assignee", word: `tt${worlds}`, meaning: tess.id },
    { source: "halo", field: "assignee", word: `tess tilbury ${worlds}`, meaning: "" },
    { source: "halo", field: "organization", word: `tess tilbury ${worlds}`, meaning: "make" },
    { source: "halo", field: "assignee", word: `other${worlds}`, meaning: world.sam.id },
  ]);
  expect(await erase(tess.email)).toEqual(ok(null));
  const words = await ctx.db
    .select()
    .from(importWords)
    .where(sql`word LIKE ${`%${worlds}`}`);
  expect(words.map(({ word }) => word)).toEqual([`other${worlds}`]);
});

test("a file of which there is no import is swept away, and the others stay", async () => {
  const order = await dryRun(ctx, people());
  await ctx.files.put("imports/orphan", new Uint8Array([1]));
  await ctx.settle();
  ctx.clock.advance(days(60));
  await sweepImports(ctx);
  expect(await ctx.files.get("imports/orphan")).toBeNull();
  expect(await ctx.files.get((await importOf(ctx, order.id)).file_key)).not.toBeNull();
});

test("somebody of the same name, or with a longer address, keeps theirs in the record of an import", async () => {
  const theirs = `quentin${worlds}@other.example`;
  await makeContact(ctx, world.there.id, { email, full_name: name });
  const longer = `j${email}`;
  await brought(peopleOf(`${name};${theirs};${here};`));
  const alike = await brought(peopleOf(`Jo Roe;${longer};${here};`));
  await erase(email);
  expect(await outcomesOf(ctx, alike.id)).toMatchObject([[1, "add", ""]]);
  expect(await ctx.db.$count(importRows, eq(importRows.label, `Jo Roe, ${longer}`))).toBe(1);
  expect(await ctx.db.$count(importRows, eq(importRows.label, `${name}, ${theirs}`))).toBe(1);
  const [namesake] = await ctx.db.select().from(contacts).where(eq(contacts.email, theirs));
  expect(namesake?.full_name).toBe(name);
});
