import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { contactInvitations, contacts, organizationMemberships } from "~/db/schema/organizations";
import { personErasures } from "~/db/schema/privacy";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { inviteChosenPeople } from "~/features/import/invite-people.server";
import { RATE_LIMITS } from "~/platform/rate-limits.server";
import * as route from "~/routes/_admin.admin.import.people";
import { flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeInvitedMember, makeOrganization } from "../support/factories";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { mailsTo } from "../support/mails";
import { pageAt } from "../support/page";
import type { Fields } from "../support/requests";

const PATH = "/admin/import/people";

let ctx: TestContext;
let base: TestContext;
let admin: string;
let organization: string;

beforeEach(async () => {
  const member = await staffMember();
  ({ ctx, base } = member);
  admin = member.person.id;
  ({ id: organization } = await makeOrganization(base));
  await base.db.delete(contactInvitations);
  await base.db.delete(rateLimitAttempts);
});

let people = 0;

const known = async (count: number, values: Partial<typeof contacts.$inferInsert> = {}) => {
  const rows = Array.from({ length: count }, () => {
    people += 1;
    const name = `Person ${String(people).padStart(5, "0")}`;
    return {
      id: base.newId("con"),
      organization_id: organization,
      email: `person-${people}@larkspur.example`,
      full_name: name,
      search_name: name.toLowerCase(),
      created_at: base.now(),
      ...values,
    };
  });
  await base.db.insert(contacts).select(sql`SELECT value ->> 'id', value ->> 'organization_id', value ->> 'email',
    value ->> 'full_name', '', value ->> 'created_at', NULL, value ->> 'needs_review_at', value ->> 'refused_at', NULL,
    value ->> 'search_name' FROM json_each(${JSON.stringify(rows)})`);
  return rows;
};

/** All who are not chosen yet. */
const choose = (dueAt: number) =>
  base.db.insert(contactInvitations).select(sql`SELECT id, organization_id, ${admin}, ${dueAt}, NULL FROM contacts
    WHERE organization_id = ${organization} AND id NOT IN (SELECT contact_id FROM contact_invitations)`);

const page = pageAt(PATH, route);
const read = (query = `?organization=${organization}`) => page.read(ctx, PATH + query);

/** Fills in a form, which the function that is returned sends. */
async function form(intent: "invite" | "stop", fields: Fields) {
  const { tokens } = await read();
  const all = { form_token: tokens[intent] ?? "", intent, organization, ...fields };
  return () => page.post(ctx, PATH, all) as Promise<Response>;
}
const send = async (intent: "invite" | "stop", fields: Fields) => (await form(intent, fields))();

const shown = async () =>
  (await read()).people?.rows.map(({ isFree, isWaiting, outcome, invitation, waitsUntil }) => ({
    isFree,
    isWaiting,
    outcome,
    state: invitation?.state ?? null,
    waitsUntil,
  }));

test("those who are chosen get a mail each, once, and become members by it; the others get none", async () => {
  const [first, second, third] = await known(3);
  await known(1, { refused_at: base.now() });
  await known(1, { needs_review_at: base.now() });
  const { organizations } = await read("");
  expect(organizations?.rows.find(({ id }) => id === organization)).toMatchObject({ people: 3 });
  const post = await form("invite", { person: [first?.id ?? "", second?.id ?? ""] });
  expect((await Promise.all([post(), post()])).map(({ status }) => status)).toEqual([303, 303]);
  await ctx.settle();
  await inviteChosenPeople(base);
  const mails = await Promise.all(
    [first, second, third].map(async (one) => (await mailsTo(ctx, one?.email ?? "")).length),
  );
  expect(mails).toEqual([1, 1, 0]);
  const sent = { isFree: false, isWaiting: false, outcome: "invited", state: "pending", waitsUntil: null };
  const free = { isFree: true, isWaiting: false, outcome: null, state: null, waitsUntil: null };
  expect(await shown()).toEqual([sent, sent, free]);
  const invited = await base.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.org_id, organization), eq(auditEvents.action, "organization.member_invited")));
  expect(invited.map(({ actor_id }) => actor_id)).toEqual([admin, admin]);
});

test("each address has an outcome of its own, and a wrong one stops no other", async () => {
  const [before, wrong, good] = await known(3);
  await base.db
    .update(contacts)
    .set({ email: "no address" })
    .where(eq(contacts.id, wrong?.id ?? ""));
  await send("invite", { all: "1" });
  await makeInvitedMember(base, organization, { email: before?.email ?? "" });
  await ctx.settle();
  await inviteChosenPeople(base);
  const outcomes = await base.db.select().from(contactInvitations);
  expect(new Map(outcomes.map(({ contact_id, outcome }) => [contact_id, outcome]))).toEqual(
    new Map([
      [before?.id, "invited_before"],
      [wrong?.id, "invalid"],
      [good?.id, "invited"],
    ]),
  );
});

test("more than a day may have wait for the next one, say so, and go by themselves", async () => {
  const rows = await known(101);
  const page = await read();
  expect([page.people?.rows.length, page.people?.organization.free]).toEqual([100, 101]);
  const rest = await read(`?organization=${organization}&after=${page.people?.next}`);
  expect(rest.people?.rows.map(({ id }) => id)).toEqual([rows[100]?.id]);
  await base.db.insert(rateLimitAttempts).values({
    attempt_type: "invite_batch",
    identifier: "2026-11-18",
    attempts: RATE_LIMITS.invite_batch.limit - 5,
    last_attempt_at: base.now(),
  });
  await send("invite", { person: rows.slice(0, 12).map(({ id }) => id) });
  await ctx.settle();
  await inviteChosenPeople(base);
  const memberships = () =>
    base.db.$count(organizationMemberships, eq(organizationMemberships.organization_id, organization));
  expect(await memberships()).toBe(5);
  // Midnight of the site's zone.
  const tomorrow = Date.parse("2026-11-19T06:00:00Z");
  expect(await read()).toMatchObject({
    waiting: 7,
    waitsUntil: tomorrow,
    people: { organization: { waiting: 7, free: 89 } },
  });
  base.clock.set(tomorrow);
  await inviteChosenPeople(base);
  expect([await memberships(), (await read()).waiting]).toEqual([12, 0]);
  expect(await shown()).toContainEqual(expect.objectContaining({ isFree: true }));
});

test("what is to be sent later is not sent before", async () => {
  await known(1);
  await choose(base.now() + 1);
  await inviteChosenPeople(base);
  expect(await shown()).toMatchObject([{ isWaiting: true, state: null, waitsUntil: base.now() + 1 }]);
  base.clock.advance(1);
  await inviteChosenPeople(base);
  expect(await shown()).toMatchObject([{ isWaiting: false, state: "pending" }]);
});

test("of two runs at once, the one that comes too late leaves the outcome of the other as it is", async () => {
  const [person] = await known(1);
  await choose(base.now());
  await inviteChosenPeople(interruptedBeforeCommit(base, () => inviteChosenPeople(base)));
  await base.settle();
  expect((await base.db.select().from(contactInvitations)).map(({ outcome }) => outcome)).toEqual(["invited"]);
  expect(await mailsTo(ctx, person?.email ?? "")).toHaveLength(1);
  const [taken] = await base.db
    .select()
    .from(rateLimitAttempts)
    .where(eq(rateLimitAttempts.attempt_type, "invite_batch"));
  expect(taken?.attempts).toBe(1);
});

test("what waits can be taken back, and goes no more once its administrator may not invite", async () => {
  await known(2);
  await send("invite", { all: "1" });
  await ctx.settle();
  await known(2);
  await choose(base.now() + 1);
  await send("stop", {});
  expect(await base.db.$count(contactInvitations)).toBe(2);
  await choose(base.now());
  await base.db.delete(userRoles).where(eq(userRoles.user_id, admin));
  await inviteChosenPeople(base);
  expect((await base.db.select().from(contactInvitations)).map(({ outcome }) => outcome).sort()).toEqual([
    ...["denied", "denied", "invited", "invited"],
  ]);
});

test("who is erased or refused while their invitation waits is not invited, and nothing waits for them", async () => {
  const [erased, refused] = await known(2);
  await choose(base.now());
  await base.db.insert(personErasures).values({
    ...{ user_id: erased?.id ?? "", name: "", email: "", requested_at: 0, step: 0 },
  });
  await base.db
    .update(contacts)
    .set({ refused_at: base.now() })
    .where(eq(contacts.id, refused?.id ?? ""));
  await inviteChosenPeople(base);
  expect(await base.db.$count(organizationMemberships, eq(organizationMemberships.organization_id, organization))).toBe(
    0,
  );
  expect(await base.db.$count(contactInvitations)).toBe(0);
});

test("a form without anyone in it, or for an organization that is none, invites no one", async () => {
  await known(1);
  expect((await send("invite", {})).status).toBe(303);
  expect(flash(ctx)).toContain("Choose at least one person");
  await send("invite", { organization: "nothing" });
  await send("invite", { person: [base.newId("con"), "x"] });
  expect(await base.db.$count(contactInvitations)).toBe(0);
});
