import { beforeAll, describe, expect, test } from "vitest";
import { runAll } from "../support/built-worker";
import { FILES, SOCKETS } from "../support/file-and-socket-permissions";
import { type Access, ALLOWED, PERMISSIONS, PERSONAS, type Persona } from "../support/permissions";
import { rawClientOfBuiltWorker } from "../support/raw-http";
import { accountOf } from "../support/raw-session";

/*
 * Tests the same table as `tests/http`, but through the whole worker: with cookies, ingress checks, the guard of the
 * area and the framework; and files and sockets, which need it.
 */

const ORIGIN = "http://localhost:8787";
const FORM = "application/x-www-form-urlencoded";
const typeOf = (path: string) => (path === "/csp-report" ? "application/csp-report" : FORM);

const { send, fetch, getEnv } = rawClientOfBuiltWorker({ pastFiles: true });
const cookies = new Map<Persona, string>();
let db: D1Database;

beforeAll(async () => {
  ({ DB: db } = await getEnv<{ DB: D1Database }>());
  const now = Date.now();
  const statements = ["org_1", "org_2"].map(
    (id) => `INSERT INTO organizations(id, name, slug, search_name, created_at, updated_at)
      VALUES ('${id}', '${id}', '${id.replace("_", "-")}', '${id}', ${now}, ${now})`,
  );
  const enter = (persona: Persona, account: Parameters<typeof accountOf>[0]) => {
    const person = accountOf({ ...account, id: persona });
    statements.push(...person.statements);
    cookies.set(persona, person.session.cookie);
  };
  const join = (persona: Persona, role: "owner" | "admin" | "member", status = "active") => {
    enter(persona, { hasFactor: false });
    statements.push(
      `INSERT INTO organization_memberships(id, organization_id, user_id, role, status, joined_at, created_at, updated_at)
       VALUES ('mem_${persona}', 'org_1', '${persona}', '${role}', '${status}', ${now}, ${now}, ${now})`,
    );
  };
  enter("user_without_organization", { hasFactor: false });
  join("member", "member");
  join("organization_admin", "admin");
  join("owner", "owner");
  join("suspended_member", "admin", "suspended");
  join("pending_member", "admin", "pending");
  enter("moderator", { role: "moderator" });
  enter("admin_without_second_factor", { role: "admin", hasFactor: false });
  enter("admin", { role: "admin" });
  await runAll(db, statements);
});

type Answer = { status: number; body: string };
type ByPersona<Value> = Record<Persona, Value>;

/** Returns what each persona gets of what `open` does; all open it at once. */
async function forEachPersona<Value>(open: (persona: Persona) => Promise<Value>): Promise<ByPersona<Value>> {
  const answers = await Promise.all(PERSONAS.map(async (persona) => [persona, await open(persona)] as const));
  return Object.fromEntries(answers) as ByPersona<Value>;
}

/** Returns the answer to each persona. The framework's 204 to a data request counts as the redirect it means. */
const answersOf = (path: string, method: "GET" | "POST") =>
  forEachPersona<Answer>(async (persona) => {
    const cookie = cookies.get(persona) ?? "";
    const { status, headers, body } = await (method === "GET"
      ? send(path, { headers: { cookie } })
      : send(path, {
          method,
          headers: { cookie, origin: ORIGIN, "content-type": typeOf(path) },
          body: typeOf(path) === FORM ? "a=b" : "{}",
        }));
    const redirectStatus = Number(headers["x-remix-status"]);
    return { status: status === 204 && redirectStatus ? redirectStatus : status, body };
  });

const statusesIn = (answers: ByPersona<Answer>): Record<string, number> =>
  Object.fromEntries(Object.entries(answers).map(([persona, { status }]) => [persona, status]));

const statusesOf = async (path: string, method: "GET" | "POST") => statusesIn(await answersOf(path, method));

/** Tells whether a refusal holds more than a page that says so, or the words for one. */
function holdsData({ body }: Answer): boolean {
  if (body === "" || /<title>Access Denied \|/.test(body)) return false;
  return Object.keys(JSON.parse(body)).some((key) => !["title", "text", "links"].includes(key));
}

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
    test(`GET ${path} and its data request answer each kind of person as the table says, and no refusal holds data`, async () => {
      const rule = { ...reading, signedOutStatus: 302 };
      expect(await statusesOf(path, "GET")).toEqual(expectedStatuses(forPage(rule)));
      const data = `${path}?_data=${encodeURIComponent(`routes/${name}`)}`;
      const answers = await answersOf(data, "GET");
      expect(statusesIn(answers)).toEqual(expectedStatuses(rule));
      expect(
        PERSONAS.filter((persona) => !ALLOWED[rule.access].includes(persona) && holdsData(answers[persona])),
      ).toEqual([]);
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
  await db.exec("DELETE FROM rate_limit_attempts");
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
  expect(await forEachPersona(open)).toEqual(
    statusFor((persona) => {
      if (allowed.includes(persona)) return 101;
      if (foreign.includes(persona)) return 404;
      if (persona === "anonymous") return 401;
      return persona === "admin_without_second_factor" ? 303 : 403;
    }),
  );
});
