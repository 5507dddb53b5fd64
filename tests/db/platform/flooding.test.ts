import { expect, test } from "vitest";
import { newToken } from "~/platform/crypto.server";
import { beginPost, isFlooding } from "~/platform/ingress-checks.server";
import { bindings } from "../../support/context";

/*
 * The limits are those of wrangler.toml, simulated. A minute that ends during a test begins a new count, so a flood is
 * more than twice as much as a limit allows.
 */
const SESSION_FLOOD = 2 * 100 + 1;
const ADDRESS_FLOOD = 2 * 600 + 1;

const PRODUCTION = { APP_ENV: "production" } as const;

/** Sends posts from an address, each with a cookie. Returns how many are refused. */
async function refused(address: string, cookies: readonly (string | null)[]): Promise<number> {
  const answers = await Promise.all(
    cookies.map((cookie) => {
      const headers = { "cf-connecting-ip": address, ...(cookie && { cookie }) };
      return isFlooding(new Request("http://localhost:8787/auth", { method: "POST", headers }), bindings, PRODUCTION);
    }),
  );
  return answers.filter(Boolean).length;
}

const times = <Value>(count: number, value: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => value(at));

/** Floods from an address until it is refused. */
async function expectRefused(address: string, flood: number, cookie: (post: number) => string | null) {
  let hits = 0;
  for (let sent = 0; sent < flood && hits === 0; sent += 100)
    hits = await refused(
      address,
      times(100, (at) => cookie(sent + at)),
    );
  expect(hits).toBeGreaterThan(0);
}

const cookieOf = (sessionId: string) => `theme=dark; __Host-sid=${sessionId}`;

test("thirty people behind one address who post twenty times a minute are not refused", async () => {
  const posts = times(30, newToken).flatMap((sessionId) => times(20, () => cookieOf(sessionId)));
  expect(await refused("203.0.113.1", posts)).toBe(0);
});

test("a session that floods is refused, from however many addresses, and the others of its address are not", async () => {
  const flooding = cookieOf(newToken());
  await expectRefused("203.0.113.2", SESSION_FLOOD, () => flooding);
  const elsewhere = await Promise.all(times(SESSION_FLOOD, (at) => refused(`198.51.100.${at}`, [flooding])));
  expect(elsewhere).toContain(1);
  // More than the address may send: what was refused by the session does not count for it.
  await refused("203.0.113.2", Array(601).fill(flooding));
  expect(await refused("203.0.113.2", [cookieOf(newToken()), null])).toBe(0);
});

test.each([
  ["203.0.113.3", "a new invented cookie in each post", () => cookieOf(newToken())],
  ["203.0.113.4", "no cookie that could be a session's", (post: number) => (post % 2 ? cookieOf("admin") : null)],
])("%s, which floods with %s, is refused, and another address is not", async (address, _, cookie) => {
  await expectRefused(address, ADDRESS_FLOOD, cookie);
  expect(await refused("192.0.2.1", [cookie(0)])).toBe(0);
});

test("a session has six posts under way at most, others go on beside it, and one that was cut off is forgotten", () => {
  const from = (sessionId: string, method = "POST") =>
    new Request("http://localhost:8787/client/tickets/new", { method, headers: { cookie: cookieOf(sessionId) } });
  const [loop, other] = [newToken(), newToken()];
  const ends = times(6, () => beginPost(from(loop), 0));
  expect(ends).not.toContain(null);
  expect(beginPost(from(loop), 0)).toBeNull();
  expect([beginPost(from(other), 0), beginPost(from(loop, "GET"), 0)]).not.toContain(null);
  ends[0]?.();
  ends[0]?.();
  expect(beginPost(from(loop), 9_999)).not.toBeNull();
  expect(beginPost(from(loop), 9_999)).toBeNull();
  expect(beginPost(from(loop), 10_000)).not.toBeNull();
});
