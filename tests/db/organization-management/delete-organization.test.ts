import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { erasures } from "~/db/schema/infrastructure";
import { liveEvents } from "~/db/schema/live";
import { invitations, organizationDomains, organizationMemberships, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { legalHolds } from "~/db/schema/privacy";
import { adminNotes, attachments } from "~/db/schema/subjects";
import { ticketMessages } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addNote } from "~/features/notes/commands.server";
import { updateOrganization } from "~/features/organization-management/commands.server";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { eraseRestOfSubjects } from "~/features/subjects/erase-subjects.server";
import { fail, ok } from "~/lib/errors";
import { hours } from "~/lib/time";
import { derive } from "../../support/context";
import { makeMember, makePerson } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { administrator, details, newOrganization, nonce } from "../../support/organizations";
import { storeAttachment } from "../../support/stored-files";
import { makeTicket } from "../../support/tickets";

const { base, ctx, actor } = await administrator();

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
  const of = (table: typeof organizationMemberships | typeof organizationDomains) =>
    ctx.db.select().from(table).where(eq(table.organization_id, id));
  expect(await of(organizationMemberships)).toEqual([]);
  expect(await of(organizationDomains)).toEqual([]);
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
  const meanwhile = interruptedBeforeCommit(ctx, () =>
    updateOrganization(ctx, actor, { organizationId: id, details: details(), version: 1, nonce: nonce() }),
  );
  expect(await remove(id, 1, meanwhile)).toEqual(fail("organization_changed"));
  expect(
    await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.organization_id, id)),
  ).toHaveLength(3);
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
    ...Array.from({ length: 10 }, () =>
      updateOrganization(ctx, actor, { organizationId: id, details: details(), version: 1, nonce: nonce() }),
    ),
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
  const place = (subject_type: "organization" | "user", subject_id: string) =>
    ctx.db.insert(legalHolds).values({
      id: base.newId("hld"),
      subject_type,
      subject_id,
      reason: "A dispute",
      placed_by_name: "Avery Quinn",
      placed_at: base.now(),
    });
  await place("user", member.id);
  expect(await remove(id)).toEqual(fail("organization_on_hold"));
  await ctx.db.update(legalHolds).set({ lifted_at: base.now() });
  // Neither belongs to the organization any more: one has opened a ticket, the other has written on it.
  const [opener, writer] = [await makePerson(base), await makePerson(base)];
  const ticket = await makeTicket(ctx, { organizationId: id, createdBy: opener });
  await ctx.db.insert(ticketMessages).values({
    ...{ id: base.newId("msg"), created_at: base.now(), updated_at: base.now(), side: "client", message: "It is back" },
    ...{ organization_id: id, ticket_id: ticket.id, user_id: writer.id, author_name: writer.fullName },
  });
  for (const person of [opener, writer]) {
    await place("user", person.id);
    expect(await remove(id)).toEqual(fail("organization_on_hold"));
    await ctx.db.update(legalHolds).set({ lifted_at: base.now() });
  }
  await place("organization", id);
  expect(await remove(id)).toEqual(fail("organization_on_hold"));
  await ctx.db.update(legalHolds).set({ lifted_at: base.now() });
  expect(await remove(id)).toEqual(ok(null));
  expect(await ctx.db.$count(legalHolds, eq(legalHolds.subject_id, id))).toBe(0);
});
