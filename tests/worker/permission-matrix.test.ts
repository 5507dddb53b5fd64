import { beforeAll, describe, expect, test } from "vitest";
import { hours } from "~/lib/time";
import { hashToken, newToken } from "~/platform/crypto.server";
import { FILES, SOCKETS } from "../support/file-and-socket-permissions";
import { type Access, ALLOWED, PERMISSIONS, PERSONAS, type Persona } from "../support/permissions";
import { rawClientOfBuiltWorker } from "../support/raw-http";

/*
 * Tests the same table as `tests/http`, but through the whole worker: with cookies, ingress checks, the guard of the
 * area and the framework; and files and sockets, which need it.
 */

const ORIGIN = "http://localhost:8787";
const FORM = "application/x-www-form-urlencoded";
const typeOf = (path: string) => (path === "/csp-report" ? "application/csp-report" : FORM);

const { send, fetch, getEnv } = rawClientOfBuiltWorker();
const cookies = new Map<Persona, string>();

beforeAll(async () => {
  const { DB } = await getEnv<{ DB: D1Database }>();
  const now = Date.now();
  const run = (statement: string, ...values: (string | number | null)[]) =>
    DB.prepare(statement)
      .bind(...values)
      .run();
  for (const id of ["org_1", "org_2"]) {
    await run(
      "INSERT INTO organizations(id, name, slug, search_name, created_at, updated_at) VALUES (?1, ?1, ?2, ?1, ?3, ?3)",
      id,
      id.replace("_", "-"),
      now,
    );
  }
  const enter = async (persona: Persona, role: string | null, hasFactor: boolean) => {
    const sessionId = newToken();
    const aal = hasFactor ? 2 : 1;
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
      `INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at, reauth_at, ip_prefix)
       VALUES (?1, ?2, 0, ?3, ?4, ?4, ?5, ?5, ?4, '203.0.113.0')`,
      hashToken(sessionId),
      persona,
      aal,
      now,
      now + hours(1),
    );
    cookies.set(persona, `__Host-sid=${sessionId}`);
  };
  const join = async (persona: Persona, role: "owner" | "admin" | "member", status = "active") => {
    await enter(persona, null, false);
    await run(
      `INSERT INTO organization_memberships(id, organization_id, user_id, role, status, joined_at, created_at, updated_at)
       VALUES (?1, 'org_1', ?2, ?3, ?4, ?5, ?5, ?5)`,
      `mem_${persona}`,
      persona,
      role,
      status,
      now,
    );
  };
  await enter("user_without_organization", null, false);
  await join("member", "member");
  await join("organization_admin", "admin");
  await join("owner", "owner");
  await join("suspended_member", "admin", "suspended");
  await join("pending_member", "admin", "pending");
  await enter("moderator", "moderator", true);
  await enter("admin_without_second_factor", "admin", false);
  await enter("admin", "admin", true);
});

/** Returns the status that each persona gets of what `open` does; all open it at once. */
async function statusForEach(open: (persona: Persona) => Promise<number>): Promise<Partial<Record<Persona, number>>> {
  const statuses = await Promise.all(PERSONAS.map(async (persona) => [persona, await open(persona)] as const));
  return Object.fromEntries(statuses);
}

/** Returns the status for each persona. The framework's 204 to a data request counts as the redirect it means. */
const statusesOf = (path: string, method: "GET" | "POST") =>
  statusForEach(async (persona) => {
    const cookie = cookies.get(persona) ?? "";
    const { status, headers } = await (method === "GET"
      ? send(path, { headers: { cookie } })
      : send(path, {
          method,
          headers: { cookie, origin: ORIGIN, "content-type": typeOf(path) },
          body: typeOf(path) === FORM ? "a=b" : "{}",
        }));
    const redirectStatus = Number(headers["x-remix-status"]);
    return status === 204 && redirectStatus ? redirectStatus : status;
  });

type Expectation = { access: Access; status: number; signedOutStatus: number };

function expectedStatuses({ access, status, signedOutStatus }: Expectation) {
  const statuses: Partial<Record<Persona, number>> = {};
  for (const persona of PERSONAS) {
    if (ALLOWED[access].includes(persona)) statuses[persona] = status;
    else if (access === "signed_out") statuses[persona] = 302;
    else if (persona === "admin_without_second_factor") statuses[persona] = 303;
    else statuses[persona] = persona === "anonymous" ? signedOutStatus : 403;
  }
  return statuses;
}

/** Holds the addresses whose whole page, also after a form, redirects signed-in people. */
const SIGNED_OUT_PAGES = new Set(
  Object.values(PERMISSIONS)
    .filter(({ get }) => get?.access === "signed_out")
    .map(({ path }) => path),
);

describe.each(Object.entries(PERMISSIONS))("%s", (name, { path, get: reading, post: writing }) => {
  const forPage = <Rule extends { access: Access }>(rule: Rule): Rule =>
    SIGNED_OUT_PAGES.has(path) ? { ...rule, access: "signed_out" } : rule;
  if (reading) {
    test(`GET ${path} and its data request answer each kind of person as the table says`, async () => {
      const rule = { ...reading, signedOutStatus: 302 };
      expect(await statusesOf(path, "GET")).toEqual(expectedStatuses(forPage(rule)));
      const data = `${path}?_data=${encodeURIComponent(`routes/${name}`)}`;
      expect(await statusesOf(data, "GET")).toEqual(expectedStatuses(rule));
    });
  }
  if (writing) {
    test(`POST ${path} answers each kind of person as the table says`, async () => {
      const rule = { ...writing, status: writing.pageStatus ?? writing.status, signedOutStatus: 401 };
      expect(await statusesOf(path, "POST")).toEqual(expectedStatuses(forPage(rule)));
    });
  }
});

const statusFor = (statusOf: (persona: Persona) => number) =>
  Object.fromEntries(PERSONAS.map((persona) => [persona, statusOf(persona)]));

test.each(FILES)("the file $path goes to those alone who may have it", async ({ path, allowed, otherStaff = 403 }) => {
  // Nobody takes as many files within an hour as this table has.
  const { DB } = await getEnv<{ DB: D1Database }>();
  await DB.prepare("DELETE FROM rate_limit_attempts").run();
  expect(await statusesOf(path, "GET")).toEqual(
    statusFor((persona) => {
      if (allowed.includes(persona)) return 200;
      if (persona === "anonymous") return 302;
      if (persona === "admin_without_second_factor") return 303;
      return persona === "moderator" && path.startsWith("/admin") ? otherStaff : 403;
    }),
  );
});

test.each(SOCKETS)("the socket $path opens for those alone who may listen", async ({ path, allowed, foreign = [] }) => {
  const open = async (persona: Persona) => {
    const headers = { Cookie: cookies.get(persona) ?? "", Upgrade: "websocket", Origin: ORIGIN };
    const { status, webSocket } = await fetch(ORIGIN + path, { redirect: "manual", headers });
    webSocket?.accept();
    webSocket?.close(1000);
    return status;
  };
  expect(await statusForEach(open)).toEqual(
    statusFor((persona) => {
      if (allowed.includes(persona)) return 101;
      if (foreign.includes(persona)) return 404;
      if (persona === "anonymous") return 401;
      return persona === "admin_without_second_factor" ? 303 : 403;
    }),
  );
});
