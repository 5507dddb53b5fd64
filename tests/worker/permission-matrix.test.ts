import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { hours } from "~/lib/time";
import { hashToken, newToken } from "~/platform/crypto.server";
import { startBuiltWorker } from "../support/built-worker";
import { ADMITTED, type Door, PERMISSIONS, type Persona } from "../support/permissions";

/*
 * The same table as in `tests/http`, asked from outside: with cookies, through the door, the guard of the area, and the
 * framework. The personas are those that differ at a door.
 */

const ORIGIN = "http://localhost:8787";
const WALKED = [
  "anonymous",
  "user_without_organization",
  "moderator",
  "admin_without_second_factor",
  "admin",
] as const satisfies readonly Persona[];

const FORM = "application/x-www-form-urlencoded";
const typeOf = (path: string) => (path === "/csp-report" ? "application/csp-report" : FORM);

let server: TestHarness;
const cookies = new Map<Persona, string>();

beforeAll(async () => {
  server = await startBuiltWorker();
  const { DB } = await server.getWorker<{ DB: D1Database }>().getEnv();
  const now = Date.now();
  const enter = async (persona: Persona, role: string | null, hasFactor: boolean) => {
    const sid = newToken();
    const aal = hasFactor ? 2 : 1;
    const run = (statement: string, ...values: (string | number | null)[]) =>
      DB.prepare(statement)
        .bind(...values)
        .run();
    await run(
      "INSERT INTO users(id, email, full_name, status, created_at, updated_at) VALUES (?1, ?2, 'Priya', 'active', ?3, ?3)",
      persona,
      `${persona}@clinic.example`,
      now,
    );
    if (role) await run("INSERT INTO user_roles(user_id, role) VALUES (?, ?)", persona, role);
    if (hasFactor) {
      await run("INSERT INTO user_mfa_settings(user_id, is_enabled, updated_at) VALUES (?, 1, ?)", persona, now);
    }
    await run(
      `INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at, reauth_at, ua_label, ip_prefix)
       VALUES (?1, ?2, 0, ?3, ?4, ?4, ?5, ?5, ?4, 'Chrome', '203.0.113.0')`,
      hashToken(sid),
      persona,
      aal,
      now,
      now + hours(1),
    );
    cookies.set(persona, `__Host-sid=${sid}`);
  };
  await enter("user_without_organization", null, false);
  await enter("moderator", "moderator", true);
  await enter("admin_without_second_factor", "admin", false);
  await enter("admin", "admin", true);
});
afterAll(async () => server.close());

/** Each persona's status. What the framework tells its own scripts as 204 counts as the redirect it stands for. */
async function walk(path: string, method: "GET" | "POST") {
  const found: Partial<Record<Persona, number>> = {};
  for (const persona of WALKED) {
    const response = await server.fetch(ORIGIN + path, {
      method,
      redirect: "manual",
      headers: {
        Cookie: cookies.get(persona) ?? "",
        ...(method === "POST" ? { Origin: ORIGIN, "Content-Type": typeOf(path) } : {}),
      },
      ...(method === "POST" ? { body: typeOf(path) === FORM ? "a=b" : "{}" } : {}),
    });
    await response.arrayBuffer();
    const led = Number(response.headers.get("X-Remix-Status"));
    found[persona] = response.status === 204 && led ? led : response.status;
  }
  return found;
}

function wanted(door: Door, status: number, stranger: number) {
  const answers: Partial<Record<Persona, number>> = {};
  for (const persona of WALKED) {
    if (ADMITTED[door].includes(persona)) answers[persona] = status;
    else if (door === "strangers") answers[persona] = 302;
    else if (persona === "admin_without_second_factor") answers[persona] = 303;
    else answers[persona] = persona === "anonymous" ? stranger : 403;
  }
  return answers;
}

/** Addresses whose page, inside any frame and after any form, sends the signed-in on. */
const FOR_STRANGERS = new Set(
  Object.values(PERMISSIONS)
    .filter(({ get }) => get?.door === "strangers")
    .map(({ path }) => path),
);

describe.each(Object.entries(PERMISSIONS))("%s", (name, { path, get: reading, post: writing }) => {
  const ofPage = (door: Door) => (FOR_STRANGERS.has(path) ? "strangers" : door);
  if (reading) {
    test(`GET ${path}, and its data alone`, async () => {
      expect(await walk(path, "GET")).toEqual(wanted(ofPage(reading.door), reading.status, 302));
      const data = `${path}?_data=${encodeURIComponent(`routes/${name}`)}`;
      expect(await walk(data, "GET")).toEqual(wanted(reading.door, reading.status, 302));
    });
  }
  if (writing) {
    test(`POST ${path}`, async () => {
      expect(await walk(path, "POST")).toEqual(wanted(ofPage(writing.door), writing.status, 401));
    });
  }
});
