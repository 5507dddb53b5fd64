import { afterEach, describe, expect, test, vi } from "vitest";
import { lacksRequiredMfa, mfaDeadline, PLATFORM_ROLES } from "~/access/model";
import { codeAt, matchingStep, stepAt } from "~/features/auth/factors.server";
import { errorText } from "~/features/auth/labels";
import {
  backupCodesFile,
  codeFrom,
  destinationOf,
  emailHint,
  isCode,
  landingPath,
  lifetimesOf,
  mayDisableMfa,
  mfaRequirementNotice,
  nextFactor,
  normalizeCode,
  returnPath,
  SESSION_LIFETIMES,
  splitCode,
} from "~/features/auth/model";
import { commonPasswords, minimumResponseTime, passwordFlaw } from "~/features/auth/passwords.server";
import { deviceLabel } from "~/features/auth/sessions.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { days, hours, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { newToken } from "~/platform/crypto.server";
import { platformTime } from "../../support/platform-time";

const COMPANY = "wrenfield.example";

describe("the step after the right password", () => {
  test.each(PLATFORM_ROLES)("a %s with a second factor is asked for it", (role) => {
    expect(nextFactor({ role, mfaEnabled: true, mfaRequiredSince: null }, 0)).toBe("verify");
  });
  test.each([
    ["admin", "setup"],
    ["moderator", "setup"],
    ["user", "none"],
  ] as const)("a %s without one: %s", (role, next) => {
    expect(nextFactor({ role, mfaEnabled: false, mfaRequiredSince: null }, 0)).toBe(next);
  });
});

describe("the landing page", () => {
  test.each([
    ["admin", "admin@wrenfield.example", "/admin"],
    ["moderator", "tech@wrenfield.example", "/admin"],
    ["admin", "admin@WRENFIELD.example", "/admin"],
    ["user", "intern@wrenfield.example", "/client"],
    ["admin", "admin@evil-wrenfield.example", "/client"],
    ["admin", "admin@wrenfield.example.evil.test", "/client"],
    ["admin", "wrenfield.example@elsewhere.test", "/client"],
    ["user", "owner@brightsmile.example", "/client"],
  ] as const)("%s %s lands on %s", (role, email, path) => {
    expect(landingPath({ role, email }, COMPANY)).toBe(path);
  });

  test("without a company domain only the role counts", () => {
    expect(landingPath({ role: "admin", email: "a@elsewhere.test" }, "")).toBe("/admin");
    expect(landingPath({ role: "user", email: "a@elsewhere.test" }, "")).toBe("/client");
    // A new installation presets none: its first administrator has any address.
    expect(landingPath({ role: "admin", email: "a@elsewhere.test" }, DEFAULT_SETTINGS.companyDomain)).toBe("/admin");
  });
});

describe("the redirect after signing in", () => {
  const admin = { role: "admin", email: "admin@wrenfield.example" } as const;
  const client = { role: "user", email: "owner@brightsmile.example" } as const;

  test.each([
    [admin, "/admin/submissions?status=new", "/admin/submissions?status=new"],
    [admin, "/client/tickets", "/client/tickets"],
    [client, "/client/tickets?page=2", "/client/tickets?page=2"],
    [client, "/profile", "/profile"],
    [client, "/admin/users", "/client"],
    [client, "/administration", "/client"],
    [admin, "/contact", "/admin"],
    [admin, null, "/admin"],
  ])("%j who asked for %s is sent to %s", (person, wanted, destination) => {
    expect(destinationOf(person, wanted, COMPANY)).toBe(destination);
  });

  test.each([
    "/%09/evil.com",
    "//evil.com",
    "/admin\r\nSet-Cookie: a=b",
    ["/admin"],
    null,
  ])("%j is not accepted", (wanted) => {
    expect(returnPath(wanted)).toBeNull();
    expect(destinationOf(admin, wanted as string, COMPANY)).toBe("/admin");
  });
});

describe("the hint under the e-mail field", () => {
  const ADMIN_HINT = "Admin portal access detected - Enhanced security required";
  test.each([
    ["someone@wrenfield.example", ADMIN_HINT],
    ["SOMEONE@Wrenfield.Example", ADMIN_HINT],
    ["someone@", "Client portal access"],
    ["someone@evil-wrenfield.example", "Client portal access"],
    ["someone@brightsmile.example", "Client portal access"],
    ["someone", null],
    ["", null],
  ])("for %j is %j", (email, line) => {
    expect(emailHint(email, COMPANY)).toBe(line);
  });
});

test("staff sessions are short, client sessions long", () => {
  expect(lifetimesOf("admin")).toEqual({ idle: minutes(30), absolute: hours(12) });
  expect(lifetimesOf("moderator")).toBe(SESSION_LIFETIMES.staff);
  expect(lifetimesOf("user")).toEqual({ idle: hours(24), absolute: hours(14 * 24) });
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605 Version/18 Safari/605", "Safari on macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 CriOS/141 Mobile Safari/604",
    "Chrome on iOS",
  ],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537 Chrome/141 Mobile Safari/537", "Chrome on Android"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537 Chrome/141 Safari/537", "Chrome on Linux"],
  ["curl/8.5.0", "A browser"],
  ["<script>alert(1)</script>", "A browser"],
  ["", "A browser"],
])("%j is shown as %s", (userAgent, label) => {
  expect(deviceLabel(userAgent)).toBe(label);
});

const NOW = 1_800_000_000_000;

test.each([
  [seconds(1), "1 minute"],
  [seconds(60), "1 minute"],
  [seconds(61), "2 minutes"],
  [minutes(15), "15 minutes"],
  [0, "1 minute"],
])("a block that ends in %d ms is told as %s", (rest, text) => {
  const words = errorText({ code: "too_many_attempts", retryAt: NOW + rest }, NOW);
  expect(words.sentence).toBe(`Too many attempts. Try again in ${text}.`);
});

test("after the last wrong code the error tells the person to sign in again", () => {
  expect(errorText({ code: "code_wrong", attemptsLeft: 1 }, NOW)).toMatchObject({
    field: "code",
    sentence: "Invalid verification code",
  });
  expect(errorText({ code: "code_wrong", attemptsLeft: 0 }, NOW)).toMatchObject({
    field: "form",
    sentence: "Invalid verification code. Please sign in again.",
  });
});

const policy = (PASSWORD_COMPOSITION: "0" | "1") => ({ config: { PASSWORD_COMPOSITION } }) as Ctx;

const flaw = (password: string, composition: "0" | "1" = "1") =>
  passwordFlaw(policy(composition), password, "dana.okafor@larkspur.example");

test.each([
  ["Demo!Pass2026", null],
  ["Pässwörd!9", null],
  ["Abc!defg1", null],
  ["Abc!de1", "password_too_short"],
  ["🐎🐎🐎Aa1!", "password_too_short"],
  [`Aa1!${"x".repeat(252)}`, null],
  [`Aa1!${"x".repeat(253)}`, "password_too_long"],
  ["abcdefg1!", "password_too_simple"],
  ["ABCDEFG1!", "password_too_simple"],
  ["Abcdefgh!", "password_too_simple"],
  ["Abcdefg12", "password_too_simple"],
  ["Abcdefg1#", "password_too_simple"],
  ["P@ssw0rd!", "password_too_common"],
  ["pAsSwOrD1!", "password_too_common"],
] as const)("the flaw of the password %s is %s", async (password, expected) => {
  expect(await flaw(password)).toBe(expected);
});

test("without the composition rule, length and list are still checked, and the own address is no valid password", async () => {
  expect(await flaw("correct horse battery", "0")).toBeNull();
  expect(await flaw("short", "0")).toBe("password_too_short");
  expect(await flaw("iloveyou", "0")).toBe("password_too_common");
  expect(await flaw("Dana.Okafor", "0")).toBe("password_too_common");
  expect(await flaw("wrenfield", "0")).toBe("password_too_common");
});

test("full-width letters count as the letters they look like", async () => {
  expect(await flaw("Ｐａｓｓｗｏｒｄ１!")).toBe("password_too_common");
});

test("the list holds the 10,000 most used passwords and common variants, all of at least 8 characters", () => {
  const words = commonPasswords();
  expect(words.size).toBeGreaterThan(10_000);
  for (const word of words) {
    expect(word).toBe(word.toLowerCase());
    expect([...word].length).toBeGreaterThanOrEqual(8);
  }
});

test.each([
  // The first and last of the published list, and words with a long prefix in common with the previous one.
  "!qaz2wsx",
  "password",
  "12345678",
  "1234567890",
  "12345679",
  "qwertyuiop",
  "trustno1",
  "zzzzzzzz",
  // From our own list.
  "summer2026!",
  "contraseña",
])("%s is on the list", async (word) => {
  expect(await flaw(word, "0")).toBe("password_too_common");
});

test("a password is compared as a whole: one that only contains a common word is accepted", async () => {
  expect(await flaw("password-to-the-shed", "0")).toBeNull();
});

describe("the least time of an answer", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  const ctx = { now: () => Date.now(), newToken };

  const timer = (length: number) => new Promise<void>((resolve) => setTimeout(resolve, length));

  test.each([
    ["nothing is stored after the hash", 100, null],
    ["the database answers after the hash", 100, 5],
    ["nothing is hashed", 0, 5],
  ])("where %s, the response takes the same least time by a clock that stands still", async (_, hash, database) => {
    const time = platformTime();
    await time.request(async () => {
      const startedAt = ctx.now();
      await timer(3);
      time.work(hash);
      if (database !== null) await timer(database);
      await minimumResponseTime(ctx, startedAt, timer);
    });
    await time.pass();
    expect(time.real()).toBeGreaterThanOrEqual(400);
    expect(time.real()).toBeLessThanOrEqual(486);
  });
});

/** Holds the secret of RFC 6238, appendix B: "12345678901234567890" in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

const VECTORS = [
  [59, 1, "287082"],
  [1111111109, 37037036, "081804"],
  [1111111111, 37037037, "050471"],
  [1234567890, 41152263, "005924"],
  [2000000000, 66666666, "279037"],
  [20000000000, 666666666, "353130"],
] as const;

test.each(VECTORS)("at second %d the step is %d and the code %s, as the RFC has it", (second, step, code) => {
  expect(stepAt(seconds(second))).toBe(step);
  expect(codeAt(SECRET, step)).toBe(code);
  expect(matchingStep(SECRET, code, seconds(second))).toBe(step);
});

test.each([-1, 0, 1])("a code %d steps away still counts, as the step it belongs to", (offset) => {
  const now = seconds(1234567890);
  const step = stepAt(now) + offset;
  expect(matchingStep(SECRET, codeAt(SECRET, step), now)).toBe(step);
});

test.each([-3, -2, 2, 3])("a code %d steps away does not count", (offset) => {
  const now = seconds(1234567890);
  expect(matchingStep(SECRET, codeAt(SECRET, stepAt(now) + offset), now)).toBeNull();
});

test.each(["", "28708", "2870820", "28708a", "２８７０８２", "94287082"])("%j is not the code 287082", (typed) => {
  expect(matchingStep(SECRET, typed, seconds(59))).toBeNull();
});

test("a code uses every character of its alphabet and no other", () => {
  const drawn = new Set<string>();
  for (let byte = 0; byte < 256; byte += 8) {
    for (const character of codeFrom(Uint8Array.from({ length: 8 }, (_, place) => byte + place))) drawn.add(character);
  }
  expect([...drawn].sort().join("")).toBe("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
});

test.each([
  ["7f3k21qd", "7F3K21QD"],
  ["7F3K-21QD", "7F3K21QD"],
  [" 7f3k 21qd ", "7F3K21QD"],
  ["OilL0000", "01110000"],
  ["7F3K21QDEXTRA", "7F3K21QD"],
])("%j is read as %s", (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
});

test.each(["", "7F3K21Q", "7F3K21QU", "7F3K21Q!", "ÄÖÜ45678"])("%j cannot be a code", (text) => {
  expect(isCode(text)).toBe(false);
});

test("the file contains the account, the time and the codes as they are typed", () => {
  const text = backupCodesFile(
    ["7F3K21QD", "H0PM88ZR"],
    "Wrenfield",
    "dana@larkspur.example",
    "2026-11-18 15:00:00 UTC",
  );
  expect(text.split("\n")).toEqual([
    "Wrenfield backup codes for dana@larkspur.example",
    "Generated: 2026-11-18 15:00:00 UTC",
    "",
    "7F3K21QD",
    "H0PM88ZR",
    "",
    "Each code works once, in place of the code of your authenticator app.",
    "",
  ]);
  expect(splitCode("7F3K21QD")).toEqual(["7F3K", "21QD"]);
});

const MONDAY = Date.parse("2026-11-16T09:00:00Z");

const client = (mfaRequiredSince: number | null, mfaEnabled = false) =>
  ({ role: "user", mfaRequiredSince, mfaEnabled }) as const;

test.each([
  "admin",
  "moderator",
] as const)("a %s must have a second factor at once, whatever organizations ask", (role) => {
  for (const mfaRequiredSince of [null, MONDAY]) {
    expect(lacksRequiredMfa({ role, mfaRequiredSince, mfaEnabled: false }, MONDAY)).toBe(true);
    expect(nextFactor({ role, mfaRequiredSince, mfaEnabled: false }, MONDAY)).toBe("setup");
    expect(mayDisableMfa({ role, mfaRequiredSince })).toBe(true);
  }
});

test("a client without such an organization never needs one", () => {
  expect(mfaDeadline(client(null))).toBeNull();
  expect(nextFactor(client(null), Number.MAX_SAFE_INTEGER)).toBe("none");
  expect(mfaRequirementNotice(client(null), MONDAY)).toBeNull();
  expect(mayDisableMfa(client(null))).toBe(true);
});

describe("a client whose organization requires it", () => {
  test.each([
    ["at once", 0, "none", 7],
    ["after three hours", 3 / 24, "none", 7],
    ["after three days", 3, "none", 4],
    ["in the last millisecond", 7 - 1 / days(1), "none", 1],
    ["after exactly seven days", 7, "setup", 0],
    ["a year later", 365, "setup", 0],
  ] as const)("signs in %s", (_, passed, next, daysLeft) => {
    const now = MONDAY + passed * days(1);
    expect(nextFactor(client(MONDAY), now)).toBe(next);
    expect(mfaRequirementNotice(client(MONDAY), now)).toEqual({ isStaff: false, daysLeft });
  });

  test("must use an existing factor, on the first day and on the hundredth, and sees no countdown", () => {
    for (const passed of [0, 100]) {
      expect(nextFactor(client(MONDAY, true), MONDAY + days(passed))).toBe("verify");
      expect(mfaRequirementNotice(client(MONDAY, true), MONDAY + days(passed))).toBeNull();
    }
  });

  test("may not switch it off, not even during the grace period", () => {
    expect(mayDisableMfa(client(MONDAY))).toBe(false);
  });
});
