import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { authTokens } from "~/db/schema/sessions";
import type { OpenLink } from "~/features/auth/mail-links.server";
import { resendInvitationsTo } from "~/features/invitations/sending.server";
import { confirmAsTyped } from "~/features/organizations/confirm-sign-up.server";
import { findDraft, keepSignUpDraft, resendConfirmation, signUp } from "~/features/sign-in/sign-up.server";
import { hours } from "~/lib/time";
import { hashToken, isPassword } from "~/platform/crypto.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { makePerson } from "../../support/factories";
import { linkIn, mailsTo, tokenIn } from "../../support/mails";

let ctx: TestContext;
let email: string;
let visitors = 0;
const waits: number[] = [];
const wait = async (length: number) => void waits.push(length);

beforeEach(() => {
  visitors += 1;
  ctx = testContext({ facts: { network: `198.18.0.${visitors}` } });
  email = `new${visitors}@larkspur.example`;
});

const options = { wait, resendInvitations: resendInvitationsTo };
const typed = { fullName: "Priya Raman", password: "Correct!Horse7battery", organizationName: "" };
const register = (changes: Partial<Parameters<typeof signUp>[1]> = {}) =>
  signUp(ctx, { ...typed, email, ...changes }, options);
const CHOSEN = "Chosen!Horse7battery";
const confirm = (link: OpenLink, changes: Partial<Parameters<typeof confirmAsTyped>[2]> = {}) =>
  confirmAsTyped(ctx, link, { fullName: "Priya Raman", password: CHOSEN, organizationName: "", ...changes });
const INVALID = { ok: false, error: { code: "link_invalid" } };
const opens = (password: string, hash: string | null | undefined) =>
  isPassword(ctx.config.PASSWORD_PEPPER_1, password, hash ?? null);
const stored = async () => (await ctx.db.select().from(users).where(eq(users.email, email)))[0];
const confirmations = async () =>
  (await mailsTo(ctx, email)).filter((mail) => mail.subject.startsWith("Confirm your email"));

async function linkOf(mail: { text: string } | undefined): Promise<OpenLink> {
  const tokenHash = hashToken(tokenIn(linkIn(mail, "/verify-email")));
  const [row] = await ctx.db.select().from(authTokens).where(eq(authTokens.id_hash, tokenHash));
  return { userId: row?.user_id ?? "", email: row?.email ?? "", tokenHash };
}
const browserWith = (id: string) =>
  derive(ctx, { request: { ...ctx.request, cookies: new Map([["__Host-sup", id]]) } });
const newest = async () => linkOf((await confirmations()).at(-1));

describe("an address that has an account", () => {
  test("gets a mail that says so; the result and its time are those of a new address, and nothing changes", async () => {
    const owner = await makePerson(ctx, { withPassword: true });
    email = owner.email;
    const before = await stored();
    waits.length = 0;
    expect(await register({ password: "Another!Horse7" })).toMatchObject({ ok: true });
    email = `fresh${visitors}@larkspur.example`;
    expect(await register()).toMatchObject({ ok: true });
    expect(waits).toHaveLength(2);
    email = owner.email;
    expect(await stored()).toEqual(before);
    expect((await mailsTo(ctx, email)).map(({ subject }) => subject)).toEqual(["You already have an account"]);
  });

  test("and was closed gets nothing", async () => {
    const closed = await makePerson(ctx, { status: "deactivated" });
    email = closed.email;
    expect(await register()).toMatchObject({ ok: true });
    expect(await mailsTo(ctx, email)).toEqual([]);
  });
});

describe("an account that a stranger has prepared for somebody else", () => {
  test.each(["before", "after"])("by signing up %s the owner did, is the owner's", async (when) => {
    const sender = { password: "Owner!Horse7battery", fullName: "The Owner" };
    const stranger = { password: "Attacker!Horse7", fullName: "The Stranger" };
    await register(when === "before" ? stranger : sender);
    const first = await newest();
    await register(when === "before" ? sender : stranger);
    expect(await confirm(first)).toEqual(INVALID);
    expect(await confirm(await newest())).toMatchObject({ ok: true });
    const hash = (await stored())?.password_hash;
    const passwords = ["Attacker!Horse7", "Owner!Horse7battery", CHOSEN];
    expect(passwords.filter((password) => opens(password, hash))).toEqual([CHOSEN]);
  });

  test("is not opened by a password the policy rejects, and the link stays valid", async () => {
    await register();
    const link = await newest();
    expect(await confirm(link, { password: "short" })).toEqual({ ok: false, error: { code: "password_too_short" } });
    expect(await stored()).toMatchObject({ status: "unverified" });
    expect(await confirm(link)).toMatchObject({ ok: true });
  });
});

test("two parallel sign-ups with one new address create one account", async () => {
  const answers = await Promise.all([register(), register()]);
  expect(answers).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await ctx.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
});

describe("limits", () => {
  test("an address gets three mails an hour, and the page stays the same", async () => {
    for (let tries = 0; tries < 5; tries += 1) expect(await register()).toMatchObject({ ok: true });
    expect(await confirmations()).toHaveLength(3);
  });

  test("a network is told to wait after ten", async () => {
    for (let tries = 0; tries < 10; tries += 1) await resendConfirmation(ctx, `x${tries}@nowhere.example`, options);
    expect(await register()).toMatchObject({ ok: false, error: { code: "too_many_attempts" } });
  });
});

test("the confirmation link can be sent again, and works for 24 hours", async () => {
  await register();
  expect(await resendConfirmation(ctx, email, options)).toMatchObject({ ok: true });
  expect(await confirmations()).toHaveLength(2);
  const link = await newest();
  ctx.clock.advance(hours(24) - 1);
  expect(await confirm(link)).toMatchObject({ ok: true });
  expect(await resendConfirmation(ctx, "nobody@nowhere.example", options)).toMatchObject({ ok: true });
  expect(await mailsTo(ctx, "nobody@nowhere.example")).toEqual([]);
});

test("after 24 hours the confirmation link is over", async () => {
  await register();
  const link = await newest();
  ctx.clock.advance(hours(24));
  expect(await confirm(link)).toEqual(INVALID);
});

test("a password that the policy rejects is rejected before anything is counted", async () => {
  const error = { code: "password_too_common" };
  for (let tries = 0; tries < 12; tries += 1)
    expect(await register({ password: "Password1!" })).toEqual({ ok: false, error });
  expect(await stored()).toBeUndefined();
  expect(await register()).toMatchObject({ ok: true });
});

test("a second sign-up of a browser that cannot be kept takes the first one's password out of use", async () => {
  const account = { ...typed, email };
  await keepSignUpDraft(ctx, account, "hash");
  const id = /^__Host-sup=([^;]+)/.exec(ctx.cookiesSet.at(-1) ?? "")?.[1] ?? "";
  expect(await findDraft(browserWith(id), email)).toMatchObject({ email });
  const away = () => Promise.reject(new Error("KV is away"));
  const second = {
    ...browserWith(id),
    kv: new Proxy(ctx.kv, { get: (_, name) => (name === "delete" ? async () => {} : away) }),
  };
  await keepSignUpDraft(second, account, "another hash");
  expect(ctx.cookiesSet.at(-1)).toMatch(/^__Host-sup=; Max-Age=0/);
});
