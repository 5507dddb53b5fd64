import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { userRoles } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { erasures } from "~/db/schema/infrastructure";
import { liveEvents } from "~/db/schema/live";
import { invitations, organizationDomains, organizationMemberships, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { legalHolds } from "~/db/schema/privacy";
import { settings } from "~/db/schema/site";
import { adminNotes, attachments } from "~/db/schema/subjects";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addNote } from "~/features/notes/commands.server";
import { reviewOrganization, updateOrganization } from "~/features/organization-management/commands.server";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { createClientOrganization } from "~/features/organization-management/new-organization.server";
import { findDetails } from "~/features/organization-management/queries.server";
import { eraseRestOfSubjects } from "~/features/subjects/erase-subjects.server";
import { fail, ok } from "~/lib/errors";
import { hours } from "~/lib/time";
import { derive } from "../../support/context";
import { makeMember, makePerson } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { administrator, details, eventsOf, newOrganization, nonce } from "../../support/organizations";
import { storeAttachment } from "../../support/stored-files";
import { makeMessage, makeTicket } from "../../support/tickets";

const { base, ctx, actor } = await administrator();

const create = (changes: Parameters<typeof details>[0], ownerEmail: string | null = null, key = nonce()) =>
  createClientOrganization(ctx, actor, { details: details(changes), ownerEmail, nonce: key });

const rowOf = async (id: string) => (await ctx.db.select().from(organizations).where(eq(organizations.id, id)))[0];

const count = async () => (await ctx.db.select().from(organizations)).length;

const membersOf = (id: string) =>
  ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.organization_id, id));

const domainTaken = (domain: string) => ({ ok: false, code: "domain_taken", domain });

/** Creates an administrator who loses the role just before what they do next is stored. */
async function demoted() {
  const other = await administrator(base);
  const lateCtx = interruptedBeforeCommit(other.ctx, () =>
    other.ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, other.actor.userId)),
  );
  return { ...other, ctx: lateCtx };
}

test("the person invited becomes owner only by accepting: until then the membership waits, without an account", async () => {
  await base.settle();
  base.sent.length = 0;
  const id = await newOrganization(ctx, actor, { domains: ["oak.example"] }, "boss@oak.example");
  expect(await rowOf(id)).toMatchObject({
    name: "Oak Dental",
    plan: "core",
    contract_started_at: ctx.now(),
    all_members: 1,
  });
  expect(await membersOf(id)).toMatchObject([
    { role: "owner", status: "pending", user_id: null, invited_email: "boss@oak.example", joined_at: null },
  ]);
  await base.settle();
  expect(base.sent.map(({ to }) => to)).toEqual(["boss@oak.example"]);
  expect((await eventsOf(ctx, id)).map(({ action }) => action)).toEqual([
    "organization.created",
    "organization.member_invited",
  ]);
});

test("twenty organizations of one name, created at once, are twenty, with a slug each", async () => {
  const created = await Promise.all(Array.from({ length: 20 }, () => create({ name: "Twenty Oaks" })));
  const rows = await Promise.all(created.map((result) => rowOf(result.ok ? result.id : "")));
  const slugs = rows.map((row) => row?.slug);
  expect(new Set(slugs).size).toBe(20);
  expect(slugs).toContain("twenty-oaks");
  expect(slugs).toContain("twenty-oaks-20");
});

test("of twenty organizations that want one domain at once, one gets it, and nothing is left of the others", async () => {
  const before = await count();
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create({ domains: ["wanted.example"] }, `owner${index}@wanted.example`)),
  );
  const [failed, ...others] = created.filter((result) => !result.ok);
  expect(failed).toEqual(domainTaken("wanted.example"));
  expect(others).toEqual(Array.from({ length: 18 }, () => failed));
  expect(await count()).toBe(before + 1);
  expect(await ctx.db.$count(organizationDomains, eq(organizationDomains.domain, "wanted.example"))).toBe(1);
});

test("the same form posted twice creates one organization, and another one from a page with its token is created too", async () => {
  const before = await count();
  for (const name of ["Oak Dental", "Elm Dental", "Oak Dental"]) {
    const post = () => create({ name }, `${name.replace(" ", ".")}@oak.example`.toLowerCase(), "one-token");
    const first = await post();
    expect(await post()).toEqual(first);
    expect(first.ok && (await rowOf(first.id))?.name).toBe(name);
  }
  expect(await count()).toBe(before + 2);
});

test("nobody invites themselves, and an administrator who was demoted meanwhile creates nothing", async () => {
  const before = await count();
  expect(await create({}, actor.email)).toEqual(fail("own_address"));
  const late = await demoted();
  const form = { details: details(), ownerEmail: null, nonce: nonce() };
  expect(await createClientOrganization(late.ctx, late.actor, form)).toEqual(fail("denied"));
  expect(await count()).toBe(before);
});

test("with 'Only invite existing accounts' an unknown address is rejected before anything is stored", async () => {
  const before = await count();
  const setting = { key: "onlyInviteExistingAccounts", value_json: "true", updated_at: 0 };
  await ctx.db.insert(settings).values(setting as typeof settings.$inferInsert);
  expect(await create({}, "nobody@oak.example")).toEqual(fail("no_account"));
  expect(await count()).toBe(before);
  const known = await makePerson(base);
  expect(await create({}, known.email)).toMatchObject({ ok: true });
  await ctx.db.delete(settings).where(eq(settings.key, setting.key));
});

const update = (id: string, changes: Parameters<typeof details>[0], version = 1, context = ctx, key = nonce()) =>
  updateOrganization(context, actor, { organizationId: id, details: details(changes), version, nonce: key });

test("name, description, plan and domains change, the slug stays, and the audit knows what was before", async () => {
  const id = await newOrganization(ctx, actor, { name: "Elm Clinic", domains: ["elm.example", "old.example"] });
  const changes = { name: "Elm & Co", plan: "none" as const, domains: ["elm.example", "new.example"] };
  expect(await update(id, changes)).toEqual({ ok: true, changed: true });
  expect(await rowOf(id)).toMatchObject({
    name: "Elm & Co",
    slug: "elm-clinic",
    version: 2,
    contract_started_at: null,
    search_name: "elm & co",
  });
  expect(await findDetails(ctx.db, id)).toEqual({ ...details(), ...changes });
  const [event] = (await eventsOf(ctx, id)).slice(-1);
  expect(JSON.parse(event?.meta_json ?? "")).toEqual({
    changed: ["name", "plan", "domains"],
    before: { name: "Elm Clinic", plan: "core", domains: ["elm.example", "old.example"] },
    after: changes,
  });
});

test("of twenty who save the same version at once, one does", async () => {
  const id = await newOrganization(ctx, actor);
  const saved = await Promise.all(
    Array.from({ length: 20 }, (_, index) => update(id, { description: `Version of ${index}` })),
  );
  expect(saved.filter(({ ok }) => ok)).toHaveLength(1);
  expect(saved.filter((result) => !result.ok && result.code === "organization_changed")).toHaveLength(19);
  expect((await rowOf(id))?.version).toBe(2);
});

test("a domain of another organization is rejected by name, and nothing else is saved", async () => {
  await newOrganization(ctx, actor, { domains: ["ours.example"] });
  const id = await newOrganization(ctx, actor, { domains: ["theirs.example"] });
  const changes = { name: "New name", domains: ["theirs.example", "ours.example"] };
  expect(await update(id, changes)).toEqual(domainTaken("ours.example"));
  expect(await findDetails(ctx.db, id)).toMatchObject({ name: "Oak Dental", domains: ["theirs.example"] });
});

test("whoever edits an organization that is deleted meanwhile finds none, and it does not come back", async () => {
  const id = await newOrganization(ctx, actor);
  const meanwhile = interruptedBeforeCommit(ctx, () => remove(id));
  expect(await update(id, { name: "Too late" }, 1, meanwhile)).toEqual(fail("organization_not_found"));
  expect(await rowOf(id)).toBeUndefined();
});

test("a form posted twice succeeds twice and saves once, and what is saved with its token after something else is saved", async () => {
  const id = await newOrganization(ctx, actor);
  for (const [version, name] of [
    [1, "One"],
    [2, "Other"],
    [3, "One"],
  ] as const) {
    for (let times = 0; times < 2; times += 1)
      expect(await update(id, { name }, version, ctx, "one-token")).toEqual({ ok: true, changed: true });
  }
  expect(await rowOf(id)).toMatchObject({ name: "One", version: 4 });
});

test("a review is not said to be done by somebody who is no administrator any more", async () => {
  const id = await newOrganization(ctx, actor);
  await ctx.db.update(organizations).set({ needs_review_at: 1 }).where(eq(organizations.id, id));
  const late = await demoted();
  expect(await reviewOrganization(late.ctx, late.actor, id)).toEqual(fail("denied"));
  expect((await rowOf(id))?.needs_review_at).toBe(1);
});

test("an organization is reviewed once, however often the button is pressed", async () => {
  const id = await newOrganization(ctx, actor);
  await ctx.db.update(organizations).set({ needs_review_at: 1 }).where(eq(organizations.id, id));
  await Promise.all(Array.from({ length: 5 }, () => reviewOrganization(ctx, actor, id)));
  expect((await rowOf(id))?.needs_review_at).toBeNull();
  const reviews = (await eventsOf(ctx, id)).filter(({ action }) => action === "organization.reviewed");
  expect(reviews).toHaveLength(1);
  expect(await reviewOrganization(ctx, actor, "org_missing")).toMatchObject({ ok: false });
});

/** Creates an organization with two members, an invited owner, a domain, a note, two files and a queued mail. */
async function fullOrganization(name: string) {
  const id = await newOrganization(ctx, actor, { name, domains: [`${name}.example`] }, `owner@${name}.example`);
  const subject = { type: "organization", id } as const;
  await makeMember(ctx, id, await makePerson(base), "admin");
  await makeMember(ctx, id, await makePerson(base), "member", "suspended");
  await addNote(ctx, actor, { subject, note: "Pays late", nonce: nonce() });
  for (const file of ["a.pdf", "b.pdf"]) {
    const bytes = new Uint8Array(Buffer.from("%PDF-1.7"));
    const stored = await storeAttachment(base, { name: file, kind: "pdf", bytes }, subject);
    await commit(ctx.db, [stored.statement]);
  }
  return id;
}

const remove = (id: string, version = 1, context = ctx, key = nonce()) =>
  deleteOrganization(context, actor, { organizationId: id, version, nonce: key });

const filesOf = (id: string) => ctx.db.select().from(attachments).where(eq(attachments.subject_id, id));

const queuedFor = (id: string) =>
  ctx.db.select({ status: outbox.status, params: outbox.params_enc }).from(outbox).where(eq(outbox.subject_id, id));

test("everything of a deleted organization goes, its audit stays without a name, and its hub asks its sockets again", async () => {
  const id = await fullOrganization("ash");
  const [file] = await filesOf(id);
  base.notified.length = 0;
  expect(await remove(id)).toEqual(ok(null));
  await base.settle();
  expect(base.notified).toContain(`org:${id}`);
  expect(await membersOf(id)).toEqual([]);
  expect(await ctx.db.$count(organizationDomains, eq(organizationDomains.organization_id, id))).toBe(0);
  expect(await ctx.db.select().from(invitations).where(eq(invitations.email, "owner@ash.example"))).toEqual([]);
  expect(await ctx.db.select().from(adminNotes).where(eq(adminNotes.subject_id, id))).toEqual([]);
  expect(await ctx.db.select().from(liveEvents).where(eq(liveEvents.subject_id, id))).toEqual([]);
  expect(await filesOf(id)).toEqual([]);
  expect(await ctx.files.get(file?.r2_key ?? "")).toBeNull();
  expect(await ctx.db.select().from(erasures).where(eq(erasures.subject_id, id))).toEqual([]);
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(events.map(({ action }) => action)).toContain("organization.deleted");
  expect(events.map(({ subject_label }) => subject_label)).toEqual(events.map(() => null));
  expect(events.map(({ search_text }) => search_text.split("\n")[0])).toEqual(events.map(() => ""));
});

test("an edit that was saved meanwhile stops the deletion, which takes nothing", async () => {
  const id = await fullOrganization("beech");
  const meanwhile = interruptedBeforeCommit(ctx, () => update(id, {}));
  expect(await remove(id, 1, meanwhile)).toEqual(fail("organization_changed"));
  expect(await membersOf(id)).toHaveLength(3);
  expect(await filesOf(id)).toHaveLength(2);
  expect(await remove(id, 2)).toEqual(ok(null));
});

test("of twenty who delete and edit at once, the deletions agree on one, and every count is as before", async () => {
  const totals = () =>
    ctx.db.all(sql`SELECT name, value FROM totals WHERE name LIKE 'organization.%' OR name LIKE 'membership.%'`);
  const before = await totals();
  const id = await fullOrganization("cedar");
  const results = await Promise.all([
    ...Array.from({ length: 10 }, () => remove(id)),
    ...Array.from({ length: 10 }, () => update(id, {})),
  ]);
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  const left = await ctx.db.select().from(organizations).where(eq(organizations.id, id));
  if (left.length > 0) expect(await remove(id, 2)).toEqual(ok(null));
  expect(await totals()).toEqual(before);
});

test("a deletion that is interrupted after its batch is finished by the next run, step by step", async () => {
  const id = await fullOrganization("dogwood");
  const keys = (await filesOf(id)).map(({ r2_key }) => r2_key);
  const deleted: string[] = [];
  const files = {
    ...ctx.files,
    delete: async (some: string[]) => {
      deleted.push(...some);
      await ctx.files.delete(some);
      throw new Error("The worker was ended");
    },
  };
  let remains: Promise<unknown> = Promise.resolve();
  const after = (work: Promise<unknown>) => {
    remains = work;
  };
  expect(await remove(id, 1, derive(ctx, { files, after }))).toEqual(ok(null));
  await expect(remains).rejects.toThrow("The worker was ended");
  // The bytes are gone, and their rows still say what there was.
  expect(deleted.sort()).toEqual(keys.sort());
  expect(await filesOf(id)).toHaveLength(2);

  expect(await eraseRestOfSubjects(ctx)).toEqual({ count: 1, more: false });
  expect(await filesOf(id)).toEqual([]);
  expect(await ctx.db.select().from(erasures)).toEqual([]);
  expect(await eraseRestOfSubjects(ctx)).toEqual({ count: 0, more: false });
});

test("a mail that waits when its organization is deleted is not sent any more", async () => {
  base.outcomes.push({ kind: "transient", reason: "503" });
  const id = await newOrganization(ctx, actor, {}, "late@oak.example");
  await base.settle();
  expect(await queuedFor(id)).toMatchObject([{ status: "pending" }]);
  await remove(id);
  await base.settle();
  base.clock.advance(hours(1));
  await deliverOutbox(ctx);
  expect(await queuedFor(id)).toEqual([{ status: "dead", params: null }]);
  expect(base.sent.map(({ to }) => to)).not.toContain("late@oak.example");
});

test("a form posted twice deletes once and says so twice; an unknown organization is not found", async () => {
  const id = await newOrganization(ctx, actor);
  const key = nonce();
  expect([await remove(id, 1, ctx, key), await remove(id, 1, ctx, key)]).toEqual([ok(null), ok(null)]);
  expect(await remove(id)).toEqual(fail("organization_not_found"));
});

test("an organization stays while it, a member, or a person who wrote on its tickets is on legal hold", async () => {
  const id = await fullOrganization("rowan");
  const member = await makePerson(base);
  await makeMember(ctx, id, member, "member");
  const hold = async (subject_type: "organization" | "user", subject_id: string) => {
    const placed = { reason: "A dispute", placed_by_name: "Avery Quinn", placed_at: base.now() };
    await ctx.db.insert(legalHolds).values({ id: base.newId("hld"), subject_type, subject_id, ...placed });
    expect(await remove(id)).toEqual(fail("organization_on_hold"));
    await ctx.db.update(legalHolds).set({ lifted_at: base.now() });
  };
  await hold("user", member.id);
  // Neither belongs to the organization any more: one has opened a ticket, the other has written on it.
  const [opener, writer] = [await makePerson(base), await makePerson(base)];
  const ticket = await makeTicket(ctx, { organizationId: id, createdBy: opener });
  await makeMessage(base, ticket.id, { side: "client", user_id: writer.id, author_name: writer.fullName });
  for (const { id: personId } of [opener, writer]) await hold("user", personId);
  await hold("organization", id);
  expect(await remove(id)).toEqual(ok(null));
  expect(await ctx.db.$count(legalHolds, eq(legalHolds.subject_id, id))).toBe(0);
});
