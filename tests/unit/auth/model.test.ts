import { describe, expect, test } from "vitest";
import { PLATFORM_ROLES } from "~/access/model";
import { errorText } from "~/features/auth/labels";
import {
  destinationOf,
  emailHint,
  landingPath,
  lifetimesOf,
  nextFactor,
  returnPath,
  SESSION_LIFETIMES,
} from "~/features/auth/model";
import { deviceLabel } from "~/features/auth/sessions.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { hours, minutes, seconds } from "~/lib/time";

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
    "/\t/evil.com",
    "//evil.com",
    "/\\evil.com",
    "https://evil.com/admin",
    "/admin/..//evil.com",
    "/.//evil.com",
    "javascript:alert(1)",
    "/admin\r\nSet-Cookie: a=b",
    `/admin/${"x".repeat(5_000)}`,
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
