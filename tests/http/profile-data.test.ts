import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { returnPath } from "~/features/auth/model";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { erasePerson } from "~/features/privacy/erase-person.server";
import { days, minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_account.profile.data";
import { loader as file } from "~/routes/_account.profile.data[.]zip";
import { loader as privacyPage } from "~/routes/_admin.admin.privacy._index";
import { action as personAction, loader as personPage } from "~/routes/_admin.admin.privacy.$personId";
import { type ClientTeam, clientTeam } from "../support/client-team";
import type { TestContext } from "../support/context";
import { as, makePerson, makeSubmission, type Person } from "../support/factories";
import { mailsTo } from "../support/mails";
import { administrator } from "../support/organizations";
import { agedToken, args, get, post, thrownBy } from "../support/requests";
import { makeMessage, makeTicket } from "../support/tickets";
import { unzip } from "../support/unzip";

let team: ClientTeam;
let admin: Awaited<ReturnType<typeof administrator>>;
beforeEach(async () => {
  team = await clientTeam();
  await team.ctx.db.run(sql`UPDATE user_roles SET role = 'user' WHERE role = 'admin'`);
  admin = await administrator(team.ctx);
});

const send = (ctx: TestContext, intent: string) =>
  action(args(ctx, post("/profile/data", { intent, form_token: issueFormToken(ctx, ACCOUNT_PURPOSE) })));
const requestedAt = async (person: Person) =>
  (await team.ctx.db.select().from(users).where(eq(users.id, person.id)))[0]?.closure_requested_at ?? null;
const eventsOf = async (person: Person) =>
  (await team.ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, person.id))).map(
    ({ action: done, actor_id }) => [done, actor_id],
  );
const subjectsTo = async (email: string) => (await mailsTo(team.ctx, email)).map(({ subject }) => subject);
const decline = (ctx: TestContext, person: Person, reason: string) =>
  personAction(
    args(
      ctx,
      post(`/admin/privacy/${person.id}`, { intent: "decline", reason, form_token: agedToken(ctx, "privacy-decline") }),
      { personId: person.id },
    ),
  );

test("the file has what its owner is and has written, and nothing that others wrote for themselves", async () => {
  const { ctx, organization, member, owner } = team;
  const own = await makeTicket(ctx, { organizationId: organization.id, createdBy: member, title: "My printer" });
  const theirs = await makeTicket(ctx, { organizationId: organization.id, createdBy: owner, title: "Their secret" });
  const write = (ticketId: string, message: string, more: Parameters<typeof makeMessage>[2]) =>
    makeMessage(ctx, ticketId, { message, side: "client", ...more });
  await write(own.id, "Mine to read", { user_id: member.id });
  await write(own.id, "A note of staff", { side: "staff", is_internal: true, user_id: admin.actor.userId });
  await write(theirs.id, "Words of the owner", { user_id: owner.id });
  await makeSubmission(ctx, { email: member.email, company: "Sent by form" });
  await makeSubmission(ctx, { email: owner.email, company: "Sent by the owner" });
  const request = await team.requestOf(member);
  const response = (await file(args(request, get("/profile/data.zip?after=&person=usr_other")))) as Response;
  expect(response.headers.get("Content-Disposition")).toMatch(/filename="my-data-/);
  const text = [...unzip(new Uint8Array(await response.arrayBuffer())).values()].join("\n");
  for (const word of [member.email, "My printer", "Mine to read", "Sent by form", organization.id ? "Brightsmile" : ""])
    expect(text).toContain(word);
  expect(text).not.toMatch(/A note of staff|Their secret|Words of the owner|Sent by the owner|scrypt/);
  expect(await eventsOf(member)).toEqual([["user.data_exported", member.id]]);
});

test("without a fresh proof of identity the file leads to the question, which leads back to the page", async () => {
  const request = await team.requestOf(team.member);
  team.ctx.clock.advance(minutes(11));
  expect((await (await loader(args(request, get("/profile/data")))).json()).hasProof).toBe(false);
  const asked = (await file(args(request, get("/profile/data.zip")))) as Response;
  const question = new URL(asked.headers.get("Location") ?? "", "https://wrenfield.example");
  expect([question.pathname, returnPath(question.searchParams.get("redirectTo"))]).toEqual([
    "/profile/confirm",
    "/profile/data",
  ]);
});

test("who asks twice, or in two tabs at once, has asked once; administrators and they get one mail", async () => {
  const { member } = team;
  const ctx = await team.requestOf(member);
  const answers = await Promise.all([send(ctx, "close"), send(ctx, "close")]);
  answers.push(await send(ctx, "close"));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await requestedAt(member)).toBe(ctx.now());
  expect(await eventsOf(member)).toEqual([["user.closure_requested", member.id]]);
  expect(await subjectsTo(member.email)).toEqual(["You asked us to close your account"]);
  expect(await subjectsTo(admin.ctx.signedIn?.email ?? "")).toEqual(["Priya Nair asks to close their account"]);
  expect((await (await loader(args(ctx, get("/profile/data")))).json()).requestedAt).toBe(ctx.now());
});

test("who asks and takes it back over and over is told to wait; administrators get three mails in a day", async () => {
  const { member } = team;
  const ctx = await team.requestOf(member);
  for (let round = 0; round < 3; round += 1) {
    expect([(await send(ctx, "close")).status, (await send(ctx, "keep")).status]).toEqual([303, 303]);
  }
  const refused = await send(ctx, "close");
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { errors: { form: expect.stringMatching(/several times today. Try again in \d+ hours\.$/) } },
  ]);
  expect(await requestedAt(member)).toBeNull();
  expect(await subjectsTo(admin.ctx.signedIn?.email ?? "")).toHaveLength(3);
  team.ctx.clock.advance(days(1));
  expect((await send(await team.requestOf(member), "close")).status).toBe(303);
});

test("it can be taken back, once; after that there is nothing to decline", async () => {
  const { member } = team;
  const ctx = await team.requestOf(member);
  await send(ctx, "close");
  expect([(await send(ctx, "keep")).status, (await send(ctx, "keep")).status]).toEqual([303, 303]);
  expect(await requestedAt(member)).toBeNull();
  expect((await eventsOf(member)).map(([done]) => done)).toEqual(["user.closure_requested", "user.closure_withdrawn"]);
  const late = await decline(admin.ctx, member, "You have an open ticket.");
  expect([late.status, await late.json()]).toMatchObject([
    409,
    { errors: { form: expect.stringContaining("taken back") }, values: { reason: "You have an open ticket." } },
  ]);
});

test("the only owner of an organization is told to transfer it first, the only administrator to make another one", async () => {
  const owner = await team.requestOf(team.owner);
  const refused = await send(owner, "close");
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { errors: { form: "You are the only owner of Brightsmile Dental. Transfer ownership first." } },
  ]);
  expect(await requestedAt(team.owner)).toBeNull();
  const last = await send(admin.ctx, "close");
  expect([last.status, await last.json()]).toMatchObject([
    409,
    { errors: { form: "You are the only administrator. Make a colleague one first." } },
  ]);
  const colleague = await makePerson(team.ctx, { role: "admin" });
  expect((await send(as(team.ctx, colleague), "close")).status).toBe(303);
});

test("administrators see the request, and decline it with a reason that goes by mail", async () => {
  const { member } = team;
  await send(await team.requestOf(member), "close");
  const list = await (await privacyPage(args(admin.ctx, get("/admin/privacy")))).json();
  expect(list.closures).toContainEqual({ id: member.id, name: "Priya Nair", email: member.email, at: team.ctx.now() });
  const about = get(`/admin/privacy/${member.id}`);
  const read = async () => (await personPage(args(admin.ctx, about, { personId: member.id }))).json();
  expect((await read()).closureRequestedAt).toBe(team.ctx.now());
  expect((await decline(admin.ctx, member, " ")).status).toBe(400);
  const technician = await makePerson(team.ctx, { role: "moderator" });
  expect((await thrownBy(decline(as(team.ctx, technician), member, "No."))).status).toBe(403);
  expect(await requestedAt(member)).not.toBeNull();
  expect((await decline(admin.ctx, member, "A ticket of yours is open.")).status).toBe(303);
  expect([await requestedAt(member), (await read()).closureRequestedAt]).toEqual([null, null]);
  expect(await subjectsTo(member.email)).toEqual(["You asked us to close your account", "Your account stays open"]);
  const [event] = await team.ctx.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.action, "user.closure_declined"), eq(auditEvents.subject_id, member.id)));
  expect(JSON.parse(event?.meta_json ?? "")).toMatchObject({ reason: "A ticket of yours is open." });
});

test("who is erased as they asked gets a last mail, and who did not ask gets none", async () => {
  const { member, lead } = team;
  await send(await team.requestOf(member), "close");
  for (const person of [member, lead]) {
    expect((await erasePerson(admin.ctx, admin.actor, { personId: person.id, nonce: person.id })).ok).toBe(true);
  }
  await admin.ctx.settle();
  await deliverOutbox(admin.ctx);
  expect(await subjectsTo(member.email)).toContain("Your account is closed");
  expect(await subjectsTo(lead.email)).toEqual([]);
});
