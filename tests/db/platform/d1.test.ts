import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { totals } from "~/db/schema/infrastructure";
import { sessions } from "~/db/schema/sessions";
import { startSession } from "~/features/auth/sessions.server";
import { days } from "~/lib/time";
import { knownDevice, rememberDevice } from "~/platform/cookies.server";
import { meteredD1, noCost, READ_QUEUE } from "~/platform/d1.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, type Person } from "../../support/factories";

beforeAll(() => void vi.mocked(READ_QUEUE.nextTurn).mockRestore());

function metered(d1: Pick<D1Database, "prepare" | "batch"> = bindings.DB) {
  const cost = noCost();
  return { cost, db: openDb(meteredD1(d1, cost)) };
}

/** Returns the database, whose next batches fail with a message, and how often it was asked. */
function failing(message: string, failures = Number.POSITIVE_INFINITY) {
  const asked = { batches: 0 };
  const batch = async (statements: D1PreparedStatement[]) => {
    asked.batches += 1;
    if (asked.batches <= failures) throw new Error(message);
    return bindings.DB.batch(statements);
  };
  const prepare = (query: string) => bindings.DB.prepare(query);
  return { asked, ...metered({ prepare, batch: batch as D1Database["batch"] }) };
}

const total = (db: ReturnType<typeof openDb>, name: string) =>
  db.select({ value: totals.value }).from(totals).where(eq(totals.name, name));

test("reads of several loaders in one turn are sent in one round trip, however many awaits come before each", async () => {
  const { cost, db } = metered();
  const loader = async (name: string, index: number) => {
    for (let awaited = 0; awaited < 10 * index; awaited += 1) await Promise.resolve();
    return total(db, name);
  };
  await Promise.all(["submission.new", "submission.contacted", "submission.resolved"].map(loader));
  expect(cost).toMatchObject({ trips: 1, queries: 3 });
});

test("two equal reads in one turn are sent once, and both get the result", async () => {
  const { cost, db } = metered();
  const [first, second] = await Promise.all([total(db, "submission.new"), total(db, "submission.new")]);
  expect(first).toEqual(second);
  expect(cost.queries).toBe(1);
});

test("a wrong read fails alone, and the other reads of its round trip get results", async () => {
  const { db } = metered();
  const [broken, fine] = await Promise.allSettled([db.all(sql`SELECT * FROM nowhere`), total(db, "submission.new")]);
  expect(broken.status).toBe("rejected");
  expect(fine.status).toBe("fulfilled");
  expect(await total(db, "submission.new")).toHaveLength(1);
});

test("reads are not sent one by one to an overloaded database", async () => {
  const { asked, db } = failing("D1_ERROR: D1 DB is overloaded. Too many requests queued.");
  const reads = ["submission.new", "submission.contacted", "submission.resolved"].map((name) => total(db, name));
  const results = await Promise.allSettled(reads);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(asked.batches).toBe(1);
});

test("a read is repeated after its connection breaks once", async () => {
  expect(await total(failing("D1_ERROR: Network connection lost", 1).db, "submission.new")).toHaveLength(1);
});

test("a join whose columns share a name is an error, not a row without a value", async () => {
  const ctx = testContext();
  await makeSession(ctx, await makePerson(ctx));
  const { db } = metered();
  const confused = db
    .select({ mine: users.created_at, theirs: sessions.created_at })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id));
  await expect(confused.catch((error: Error) => Promise.reject(error.cause))).rejects.toThrow("share a name");
});

test("the columns of a query with a common table expression and function calls are counted correctly", async () => {
  const db = drizzle(meteredD1(bindings.DB, noCost()).reads);
  const named = db.$with("named").as(db.select({ name: totals.name, value: totals.value }).from(totals));
  const rows = await db
    .with(named)
    .select({ name: named.name, text: sql<string>`coalesce(${named.value}, 0)`.as("text") })
    .from(named)
    .limit(1);
  expect(Object.keys(rows[0] ?? {})).toEqual(["name", "text"]);
});

const addTotal = (name: string) => sql`
  WITH given AS (SELECT ${name} AS name, 1 AS value)
  INSERT INTO totals(name, value) SELECT name, value FROM given WHERE true
  ON CONFLICT(name) DO UPDATE SET value = totals.value + 1`;

test("two equal writes in one turn both run, even if they start like a read", async () => {
  const { cost, db } = metered();
  await Promise.all([db.run(addTotal("test.twice")), db.run(addTotal("test.twice"))]);
  expect(cost).toMatchObject({ trips: 2, queries: 2 });
  expect(await total(db, "test.twice")).toEqual([{ value: 2 }]);
});

const countTotal = (db: ReturnType<typeof openDb>, name: string) =>
  db
    .insertBesideReads(totals)
    .values({ name, value: 1 })
    .onConflictDoUpdate({ target: totals.name, set: { value: sql`${totals.value} + 1` } })
    .returning({ value: totals.value });

test("counts beside reads cost no round trip of their own, and equal ones are both counted", async () => {
  const { cost, db } = metered();
  const [, first, second] = await Promise.all([
    total(db, "submission.new"),
    countTotal(db, "test.beside"),
    countTotal(db, "test.beside"),
  ]);
  expect(cost).toMatchObject({ trips: 1, queries: 3 });
  expect([first, second]).toEqual([[{ value: 1 }], [{ value: 2 }]]);
});

test("a count beside a wrong read is counted once", async () => {
  const { db } = metered();
  const [broken] = await Promise.allSettled([db.all(sql`SELECT * FROM nowhere`), countTotal(db, "test.once")]);
  expect(broken.status).toBe("rejected");
  expect(await total(db, "test.once")).toEqual([{ value: 1 }]);
});

test("a write is not repeated after its connection breaks", async () => {
  const { asked, db } = failing("D1_ERROR: Network connection lost");
  await expect(db.run(addTotal("test.broken"))).rejects.toThrow();
  expect(asked.batches).toBe(1);
});

test.each([
  ["WITH … INSERT", addTotal("test.disguised")],
  ["INSERT OR IGNORE", sql`INSERT OR IGNORE INTO totals(name, value) VALUES ('test.disguised', 1)`],
  ["REPLACE", sql`REPLACE INTO totals(name, value) VALUES ('test.disguised', 1)`],
  ["UPDATE", sql`UPDATE totals SET value = 99 WHERE name = 'submission.new' RETURNING value`],
  [
    "WITH … DELETE",
    sql`WITH old AS (SELECT 'submission.new' AS name) DELETE FROM totals WHERE name IN (SELECT name FROM old)`,
  ],
])("a %s that is declared as a read is rejected before it is sent", async (_, statement) => {
  const { cost, db } = metered();
  const before = await total(metered().db, "submission.new");
  await expect((async () => db.all(statement))()).rejects.toThrow("declared as a read");
  expect(cost.queries).toBe(0);
  expect(await total(db, "test.disguised")).toEqual([]);
  expect(await total(db, "submission.new")).toEqual(before);
});

test("a read may mention writes in its words", async () => {
  const { db } = metered();
  const query = sql`SELECT 'updated' AS text, replace('a', 'a', 'b') AS updated_at, 'delete' AS action`;
  expect(await db.all(query)).toEqual([{ text: "updated", updated_at: "b", action: "delete" }]);
});

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
