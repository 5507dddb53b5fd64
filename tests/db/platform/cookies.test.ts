import { beforeEach, expect, test } from "vitest";
import { startSession } from "~/features/auth/sessions.server";
import { days } from "~/lib/time";
import { knownDevice, rememberDevice } from "~/platform/cookies.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, type Person } from "../../support/factories";

let ctx: TestContext;

beforeEach(() => {
  ctx = testContext();
});

const cookieOf = (name: string) => ctx.cookiesSet.findLast((header) => header.startsWith(`${name}=`)) ?? "";

const signIn = ({ id: userId, email, fullName, role }: Person) =>
  startSession(ctx, { userId, email, fullName, role, epoch: 0, mfaEnabled: false, mfaRequiredSince: null });

const HOST_ONLY = /(; Max-Age=\d+)?; Path=\/; HttpOnly; Secure; SameSite=Lax$/;

test("clients' session cookies last fourteen days, those of staff until the browser closes, and all are host-only", async () => {
  await signIn(await makePerson(ctx));
  expect(cookieOf("__Host-sid")).toMatch(/; Max-Age=1209600;/);
  await signIn(await makePerson(ctx, { role: "admin" }));
  expect(cookieOf("__Host-sid")).not.toContain("Max-Age");
  expect(cookieOf("__Host-mfa")).toMatch(/^__Host-mfa=;.*Max-Age=0;/);
  expect(cookieOf("__Host-kd")).toMatch(/Max-Age=34560000;/);
  for (const header of ctx.cookiesSet) expect(header).toMatch(HOST_ONLY);
});

test("the cookie of a known device is valid for its person and epoch only, for 400 days, and only if unchanged", async () => {
  const owner = { userId: "usr_owner", epoch: 7 };
  rememberDevice(ctx, owner);
  const value = /^__Host-kd=([^;]+)/.exec(cookieOf("__Host-kd"))?.[1] ?? "";
  const withCookie = (cookie: string) => {
    ctx.request = { ...ctx.request, cookies: new Map([["__Host-kd", cookie]]) };
    return ctx;
  };
  const device = knownDevice(withCookie(value), owner);
  expect(device).toMatch(/^[\w-]{43}$/);
  expect(knownDevice(withCookie(value), { ...owner, userId: "usr_other" })).toBeNull();
  expect(knownDevice(withCookie(value.replace(/^./, (first) => (first === "A" ? "B" : "A"))), owner)).toBeNull();
  expect(knownDevice(withCookie(value.split(".").slice(0, 2).join(".")), owner)).toBeNull();
  expect(knownDevice(withCookie(value), { ...owner, epoch: 8 })).toBeNull();
  ctx.clock.advance(days(399));
  rememberDevice(withCookie(value), owner);
  expect(cookieOf("__Host-kd")).toContain(device);
  ctx.clock.advance(days(1));
  expect(knownDevice(withCookie(value), owner)).toBeNull();
});
