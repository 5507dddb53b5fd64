import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { rawClientOfBuiltWorker } from "../support/raw-http";
import { testSecrets } from "../support/test-variables.mjs";

const root = path.resolve(import.meta.dirname, "../..");

const { send } = rawClientOfBuiltWorker();

/** Returns all public files with their content. */
function publicFiles(folder = path.join(root, "public")): [string, string][] {
  return readdirSync(folder).flatMap((name): [string, string][] => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return publicFiles(file);
    return [[path.relative(root, file), readFileSync(file, "latin1")]];
  });
}

describe("the public files", () => {
  const files = publicFiles();

  test("contain no source maps and no links to them", () => {
    expect(files.length).toBeGreaterThan(10);
    const maps = files.filter(([name, content]) => /\.map$/.test(name) || /sourceMappingURL=(?!data:)/.test(content));
    expect(maps.map(([name]) => name)).toEqual([]);
  });

  test("contain nothing of the server: no keys, tables or queries", () => {
    const SERVER_ONLY = /PASSWORD_PEPPER|DATA_KEK|FORM_KEY_1|LOG_HMAC|password_hash|auth_epoch|totp_secret|scrypt/;
    expect(files.filter(([, content]) => SERVER_ONLY.test(content)).map(([name]) => name)).toEqual([]);
  });
});

test.each([
  "/auth",
  "/client/auth?tab=create",
  "/login?mode=reset",
  "/nothing",
  "/healthz",
])("the response to %s contains no key", async (address) => {
  const { body, headers } = await send(address);
  const response = body + JSON.stringify(headers);
  for (const secret of Object.values(testSecrets)) expect(response).not.toContain(secret);
});

test.each([
  "/.dev.vars",
  "/wrangler.toml",
  "/.git/config",
  "/.env",
  "/migrations/0000_schema.sql",
])("%s is not public", async (address) => {
  expect((await send(address)).status).toBe(404);
});

test.each([
  ["/login?mode=reset", "__Host-rst", "/login?mode=reset"],
  ["/verify-email?", "__Host-vfy", "/verify-email"],
  ["/email-change?", "__Host-emc", "/email-change"],
  ["/not-me?", "__Host-nme", "/not-me"],
])("the token of %s is moved from the address to a cookie, and no other site gets it as a referrer", async (address, cookie, next) => {
  const token = "A".repeat(43);
  const response = await send(`${address}&token=${token}`.replace("?&", "?"));
  expect([response.status, response.headers.location]).toEqual([303, next]);
  expect(response.headers["referrer-policy"]).toBe("same-origin");
  expect(String(response.headers["set-cookie"])).toContain(`${cookie}=`);
  expect(String(response.headers["set-cookie"])).toContain("HttpOnly");
  expect(response.body).not.toContain(token);
});
