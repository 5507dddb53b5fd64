import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { startBuiltWorker } from "../support/built-worker";
import { rawClient } from "../support/raw-http";
import { testSecrets } from "../support/test-variables.mjs";

const root = path.resolve(import.meta.dirname, "../..");

let server: TestHarness;
let send: ReturnType<typeof rawClient>["send"];

beforeAll(async () => {
  server = await startBuiltWorker();
  ({ send } = rawClient((await server.listen()).url.port));
});
afterAll(async () => server.close());

/** Everything that browsers can be given, with its content. */
function publicFiles(folder = path.join(root, "public")): [string, string][] {
  return readdirSync(folder).flatMap((name): [string, string][] => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return publicFiles(file);
    return [[path.relative(root, file), readFileSync(file, "latin1")]];
  });
}

describe("what browsers can fetch", () => {
  const files = publicFiles();

  test("holds no source maps and points at none", () => {
    expect(files.length).toBeGreaterThan(10);
    const maps = files.filter(([name, content]) => /\.map$/.test(name) || /sourceMappingURL=(?!data:)/.test(content));
    expect(maps.map(([name]) => name)).toEqual([]);
  });

  test("holds nothing of the server: no keys, no tables, no queries", () => {
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
])("%s carries no key", async (address) => {
  const { body, headers } = await send(address);
  const answer = body + JSON.stringify(headers);
  for (const secret of Object.values(testSecrets)) expect(answer).not.toContain(secret);
});

test.each([
  "/.dev.vars",
  "/wrangler.toml",
  "/.git/config",
  "/.env",
  "/migrations/0000_first_tables.sql",
])("%s is not there", async (address) => {
  expect((await send(address)).status).toBe(404);
});

test.each([
  ["/login?mode=reset", "__Host-rst", "/login?mode=reset"],
  ["/verify-email?", "__Host-vfy", "/verify-email"],
  ["/email-change?", "__Host-em", "/email-change"],
  ["/not-me?", "__Host-nme", "/not-me"],
])("the token of %s leaves the address at once, and no page that knows it tells others where it was", async (address, cookie, next) => {
  const token = "A".repeat(43);
  const answer = await send(`${address}&token=${token}`.replace("?&", "?"));
  expect([answer.status, answer.headers.location]).toEqual([303, next]);
  expect(answer.headers["referrer-policy"]).toBe("same-origin");
  expect(String(answer.headers["set-cookie"])).toContain(`${cookie}`);
  expect(String(answer.headers["set-cookie"])).toContain("HttpOnly");
  expect(answer.body).not.toContain(token);
});
