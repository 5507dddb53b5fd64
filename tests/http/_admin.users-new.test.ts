import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { verifyPassword } from "~/features/auth/passwords.server";
import { findAccountByEmail } from "~/features/auth/queries.server";
import { hours, minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action as list } from "~/routes/_admin.admin.users._index";
import { action as person, loader as personPage } from "~/routes/_admin.admin.users.$userId";
import { action } from "~/routes/_admin.admin.users.new";
import { flash, staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { makePerson, PASSWORD } from "../support/factories";
import { args, get, post } from "../support/requests";

let ctx: TestContext;
let base: TestContext;
let number = 0;
let email = "";

beforeEach(async () => {
  ({ ctx, base } = await staffMember());
  number += 1;
  email = `new${number}@added.example`;
});

const send = (fields: Record<string, string>, context: TestContext = ctx) =>
  action(args(context, post("/admin/users/new", { form_token: issueFormToken(ctx, "user-new"), ...fields }), {}));
const typed = () => ({ email, full_name: "Nora Neu", role: "moderator" });
const account = () => findAccountByEmail(ctx.db, email);

test("an invited person gets a mail and an account nobody can sign in to until its link is used", async () => {
  const response = await send({ intent: "invite", ...typed(), email: ` ${email.toUpperCase()} ` });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/admin/users"]);
  expect(flash(base)).toBe(
    `User Invited Successfully: ${email} has been invited and will receive an email to set their password.`,
  );
  expect(await account()).toMatchObject({ status: "pending", passwordHash: null, role: "moderator" });
  await base.settle();
  expect(base.sent.map(({ to }) => to)).toEqual([email]);
});

test("a person who is added works with the handed password for 72 hours and must choose another one", async () => {
  const response = await send({ intent: "create", ...typed(), password: PASSWORD });
  expect(response.status).toBe(303);
  expect(flash(base)).toBe(
    `User Created Successfully: ${email} has been created. Make sure to share the login credentials securely.`,
  );
  const created = await account();
  expect(created).toMatchObject({ status: "active", mustChangePassword: true, role: "moderator" });
  const opens = async () => (await verifyPassword(ctx, { email, password: PASSWORD }, async () => undefined)).ok;
  expect(await opens()).toBe(true);
  ctx.clock.advance(hours(72));
  expect(await opens()).toBe(false);
  const [event] = await ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.subject_id, created?.userId ?? ""));
  expect(event).toMatchObject({ action: "user.created" });
  expect(JSON.stringify(event)).not.toContain(PASSWORD);
});

type Rejection = [Record<string, string>, Record<string, string>];
const COMMON: Rejection[] = [
  [
    { email: "", full_name: "" },
    { email: "Email is required", full_name: "Full name is required" },
  ],
  [{ email: "nora" }, { email: "Please enter a valid email address" }],
  [{ full_name: "  " }, { full_name: "Full name is required" }],
];
const PASSWORDS: Rejection[] = [
  [{ password: "" }, { password: "Password must be at least 8 characters long" }],
  [
    { password: "alllowercase" },
    {
      password: "Password must contain at least one uppercase letter, lowercase letter, number, and special character",
    },
  ],
];

test.each([
  ...COMMON.map(([fields, errors]) => ["invite", fields, errors] as const),
  ...[...COMMON, ...PASSWORDS].map(([fields, errors]) => ["create", fields, errors] as const),
])("%s with %j is rejected, and what was typed stays, but never a password", async (intent, fields, errors) => {
  const response = await send({ intent, ...typed(), password: PASSWORD, ...fields });
  expect(response.status).toBe(400);
  const answer = await response.json();
  expect(answer.error?.errors).toEqual(errors);
  expect(answer.values).toMatchObject({ role: "moderator" });
  expect(JSON.stringify(answer)).not.toMatch(/Correct!Horse|alllowercase/);
  expect(await account()).toBeNull();
});

test.each(["invite", "create"])("%s rejects an address that somebody has, in any case of letters", async (intent) => {
  await makePerson(ctx, { email });
  const response = await send({ intent, ...typed(), email: email.toUpperCase(), password: PASSWORD });
  expect((await response.json()).error?.errors).toEqual({ email: "A user with this email already exists." });
});

test.each(["invite", "create"])("%s takes an address that a sign-up only claims", async (intent) => {
  const claimed = await makePerson(ctx, { email, status: "unverified" });
  expect((await send({ intent, ...typed(), password: PASSWORD })).status).toBe(303);
  expect((await account())?.userId).not.toBe(claimed.id);
});

test("the same form sent twice at once makes one account, and so do twenty with one address", async () => {
  const form_token = issueFormToken(ctx, "user-new");
  const twice = await Promise.all(
    [1, 2].map(() => send({ form_token, intent: "create", ...typed(), password: PASSWORD })),
  );
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  email = `race${number}@added.example`;
  const many = await Promise.all(
    Array.from({ length: 20 }, () => send({ intent: "create", ...typed(), password: PASSWORD })),
  );
  expect(many.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await ctx.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
});

test("what is changed in the form after a lost answer is not said to be created", async () => {
  const form_token = issueFormToken(ctx, "user-new");
  const create = async (changed: Record<string, string>) =>
    (await send({ form_token, intent: "create", ...typed(), password: PASSWORD, ...changed })).status;
  expect([await create({}), await create({})]).toEqual([303, 303]);
  expect([await create({ role: "admin" }), await create({ password: `${PASSWORD}-2` })]).toEqual([400, 400]);
  expect(await account()).toMatchObject({ role: "moderator" });
});

test("a failure on the way leaves nothing behind and says so beside what was typed", async () => {
  const batch = () => Promise.reject(new Error("D1_ERROR: no such table"));
  const broken = derive(ctx, { db: { ...ctx.db, batch } });
  const response = await send({ intent: "create", ...typed(), password: PASSWORD }, broken);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    error: { errors: { form: "Failed to create user. Please try again." } },
    values: { email, full_name: "Nora Neu" },
  });
  expect(await account()).toBeNull();
  const invited = await send({ intent: "invite", ...typed() }, broken);
  expect((await invited.json()).error?.errors).toEqual({ form: "Failed to invite user. Please try again." });
  expect(await account()).toBeNull();
});

test("a password is generated on the server, beside what was typed", async () => {
  const answer = await (await send({ intent: "generate", ...typed(), password: "what was there" })).json();
  expect(answer).toMatchObject({ error: null, values: { email, full_name: "Nora Neu", role: "moderator" } });
  expect(answer.password).toMatch(/^.{12}$/);
  expect((await send({ intent: "create", ...typed(), password: answer.password ?? "" })).status).toBe(303);
});

test("an old proof of identity is asked for in the form", async () => {
  ctx.clock.advance(minutes(11));
  for (const intent of ["invite", "create"]) {
    const response = await send({ intent, ...typed(), password: PASSWORD });
    expect((await response.json()).error).toMatchObject({ title: "Verification Required" });
    expect(await account()).toBeNull();
  }
});

test("an administrator who lost the role in the meantime adds nobody", async () => {
  const own = ctx.signedIn?.userId ?? "";
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, own));
  for (const intent of ["invite", "create"]) {
    expect((await send({ intent, ...typed(), password: PASSWORD })).status).toBe(400);
    expect(await account()).toBeNull();
  }
});

test("an invitation is sent again or taken back from its row and from the page of the person", async () => {
  await send({ intent: "invite", ...typed() });
  const id = (await account())?.userId ?? "";
  const fromList = (intent: string) =>
    list(args(ctx, post("/admin/users", { form_token: issueFormToken(ctx, "user-list"), intent, id }), {}));
  const fromPage = (intent: string) =>
    person(args(ctx, post(`/admin/users/${id}`, { form_token: issueFormToken(ctx, "user"), intent }), { userId: id }));
  expect((await fromList("resend")).status).toBe(303);
  expect(flash(base)).toContain("is queued");
  // Its mail has not failed, so there is no link to hand over.
  expect((await fromPage("copy_link")).status).toBe(400);
  const page = await (await personPage(args(ctx, get(`/admin/users/${id}`), { userId: id }))).json();
  expect(page).toMatchObject({ invitation: { email, state: "pending" }, allowed: ["role"] });
  expect((await fromPage("revoke")).headers.get("Location")).toBe("/admin/users");
  expect(await account()).toBeNull();
  const gone = await fromList("revoke");
  expect([gone.status, await gone.json()]).toEqual([400, { rejection: "This invitation is not open any more." }]);
});
