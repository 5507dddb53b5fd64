import { and, eq, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { userMfaSettings } from "~/db/schema/security";
import { authTokens, rateLimitAttempts, sessions } from "~/db/schema/sessions";
import { findLink, type OpenLink } from "~/features/auth/mail-links.server";
import { resetPassword } from "~/features/auth/set-password.server";
import { requestPasswordReset } from "~/features/sign-in/recovery.server";
import { minutes } from "~/lib/time";
import { type LinkPurpose, setLinkCookie } from "~/platform/cookies.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, type Person } from "../../support/factories";
import { linkIn, mailsTo, tokenIn } from "../../support/mails";

const NEW_PASSWORD = "Brand!New8horse";

let ctx: TestContext;
let person: Person;
let networks = 0;

beforeEach(async () => {
  networks += 1;
  ctx = testContext({ facts: { network: `192.0.2.${networks}` } });
  person = await makePerson(ctx, { withTotp: true });
});

const waits: number[] = [];
const wait = async (length: number) => void waits.push(length);
const request = (email = person.email) => requestPasswordReset(ctx, email, wait);
const resetMails = async () =>
  (await mailsTo(ctx, person.email)).filter((mail) => mail.subject.startsWith("Choose a new password"));

/** Opens the link of the newest mail. */
async function openLink(purpose: LinkPurpose = "reset"): Promise<OpenLink | null> {
  const token = tokenIn(linkIn((await resetMails()).at(-1), "/login"));
  const cookies = new Map<string, string>();
  setLinkCookie(
    derive(ctx, {
      setCookie: (header: string) => {
        const [pair = ""] = header.split(";");
        cookies.set(pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1));
      },
    }),
    purpose,
    token,
  );
  return findLink(derive(ctx, { request: { ...ctx.request, cookies } }), purpose);
}

async function opened(): Promise<OpenLink> {
  await request();
  const link = await openLink();
  if (!link) throw new Error("The link should open");
  return link;
}

const stored = async () => (await ctx.db.select().from(users).where(eq(users.id, person.id)))[0];

test("of twenty parallel requests with one link only one sets the password", async () => {
  const link = await opened();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => resetPassword(ctx, link, `${NEW_PASSWORD}${index}`).catch(() => null)),
  );
  expect(answers.filter((answer) => answer?.ok)).toHaveLength(1);
  expect((await stored())?.auth_epoch).toBe(1);
  const changed = (await mailsTo(ctx, person.email)).filter((mail) => mail.subject === "Your password was changed");
  expect(changed).toHaveLength(1);
});

describe("a link is valid", () => {
  test("once", async () => {
    const link = await opened();
    expect(await resetPassword(ctx, link, NEW_PASSWORD)).toMatchObject({ ok: true });
    expect(await resetPassword(ctx, link, NEW_PASSWORD)).toEqual({ ok: false, error: { code: "link_invalid" } });
    expect(await openLink()).toBeNull();
  });

  test("for 60 minutes", async () => {
    const link = await opened();
    ctx.clock.advance(minutes(60) - 1);
    expect(await openLink()).not.toBeNull();
    ctx.clock.advance(1);
    expect(await openLink()).toBeNull();
    expect(await resetPassword(ctx, link, NEW_PASSWORD)).toEqual({ ok: false, error: { code: "link_invalid" } });
  });

  test("for its purpose only", async () => {
    await request();
    expect(await openLink("verify_email")).toBeNull();
    expect(await openLink("email_change")).toBeNull();
  });

  test("until another one has been used", async () => {
    const first = await opened();
    const second = await opened();
    expect(await resetPassword(ctx, second, NEW_PASSWORD)).toMatchObject({ ok: true });
    expect(await resetPassword(ctx, first, `${NEW_PASSWORD}2`)).toMatchObject({ ok: false });
  });

  test("not for an account that was deactivated in the meantime", async () => {
    const link = await opened();
    await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, person.id));
    expect(await resetPassword(ctx, link, NEW_PASSWORD)).toEqual({ ok: false, error: { code: "link_invalid" } });
  });

  test("still after a rejected password", async () => {
    const link = await opened();
    expect(await resetPassword(ctx, link, "short")).toEqual({ ok: false, error: { code: "password_too_short" } });
    expect(await resetPassword(ctx, link, NEW_PASSWORD)).toMatchObject({ ok: true });
  });
});

test("a new password ends every session, clears rate limits and keeps the second factor", async () => {
  await makeSession(ctx, person);
  await ctx.db.update(users).set({ must_change_password: 1, password_failures: 100 }).where(eq(users.id, person.id));
  const identifier = `user:${person.id}`;
  const blocked = { attempts: 9, blocked_until: ctx.now() + minutes(15), last_attempt_at: ctx.now() };
  await ctx.db.insert(rateLimitAttempts).values({ attempt_type: "login_account", identifier, ...blocked });
  await resetPassword(ctx, await opened(), NEW_PASSWORD);
  expect(await stored()).toMatchObject({ auth_epoch: 1, must_change_password: 0, password_failures: 0 });
  const [limit] = await ctx.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.identifier, identifier));
  expect(limit).toMatchObject({ attempts: 0, blocked_until: null });
  const [mfa] = await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, person.id));
  expect(mfa?.is_enabled).toBe(1);
  await ctx.settle();
  expect(ctx.disconnected).toContainEqual({ audience: "staff", tag: `u:${person.id}` });
  const live = await ctx.db.select().from(sessions).where(eq(sessions.user_id, person.id));
  expect(live.filter((session) => session.epoch === 1)).toEqual([]);
});

describe("asking for a link", () => {
  test("gives the same result for an unknown address, in no less time, and sends nothing to it", async () => {
    waits.length = 0;
    expect(await request()).toMatchObject({ ok: true });
    expect(await request("nobody@nowhere.example")).toMatchObject({ ok: true });
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(400);
    expect(await mailsTo(ctx, "nobody@nowhere.example")).toEqual([]);
  });

  test.each([
    "unverified",
    "pending",
    "deactivated",
  ] as const)("sends nothing to an account that is %s", async (status) => {
    await ctx.db.update(users).set({ status }).where(eq(users.id, person.id));
    expect(await request()).toMatchObject({ ok: true });
    expect(await resetMails()).toEqual([]);
  });

  test("sends three mails an hour to an address and does not say so", async () => {
    for (let asked = 0; asked < 6; asked += 1) expect(await request()).toMatchObject({ ok: true });
    expect(await resetMails()).toHaveLength(3);
    ctx.clock.advance(minutes(61));
    await request();
    expect(await resetMails()).toHaveLength(4);
  });

  test("is not used up for a mailbox by somebody who asks for spellings of it that have no account", async () => {
    const [local, domain] = person.email.split("@");
    for (let asked = 0; asked < 5; asked += 1)
      expect(await request(`${local}+${asked}@${domain}`)).toMatchObject({ ok: true });
    await request();
    expect(await resetMails()).toHaveLength(1);
  });

  test("tells a network that asks for the eleventh time in an hour to wait", async () => {
    for (let asked = 0; asked < 10; asked += 1) await request(`other${asked}@nowhere.example`);
    expect(await request()).toMatchObject({ ok: false });
    expect(await resetMails()).toEqual([]);
  });

  test("keeps at most three links open", async () => {
    for (let hour = 0; hour < 2; hour += 1) {
      for (let asked = 0; asked < 3; asked += 1) await request();
      ctx.clock.advance(minutes(61));
    }
    const isOpen = and(
      eq(authTokens.user_id, person.id),
      eq(authTokens.purpose, "reset"),
      isNull(authTokens.consumed_at),
    );
    expect(await ctx.db.$count(authTokens, isOpen)).toBe(3);
  });

  test("stores no usable token in the database", async () => {
    await request();
    const token = tokenIn(linkIn((await resetMails())[0], "/login"));
    const rows = await ctx.db.select().from(authTokens).where(eq(authTokens.user_id, person.id));
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
