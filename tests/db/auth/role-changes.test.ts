import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { reserveAttempt } from "~/features/auth/factors.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { startSession } from "~/features/auth/sessions.server";
import { hashToken } from "~/platform/crypto.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, type Person } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

let ctx: TestContext;

beforeEach(() => {
  ctx = testContext();
});

const epochOf = async ({ id }: Person) =>
  (await ctx.db.select({ epoch: users.auth_epoch }).from(users).where(eq(users.id, id)))[0]?.epoch;
const alive = async (sessionHash: string) => (await findSignedIn(ctx.db, sessionHash, ctx.now())) !== null;

type RoleChange = [string, Person["role"], (person: Person) => Promise<unknown>];
const CHANGES: RoleChange[] = [
  ["is given one", "user", ({ id }) => ctx.db.insert(userRoles).values({ user_id: id, role: "moderator" })],
  [
    "gets a higher one",
    "moderator",
    ({ id }) => ctx.db.update(userRoles).set({ role: "admin" }).where(eq(userRoles.user_id, id)),
  ],
  [
    "gets a lower one",
    "admin",
    ({ id }) => ctx.db.update(userRoles).set({ role: "user" }).where(eq(userRoles.user_id, id)),
  ],
  ["loses it", "admin", ({ id }) => ctx.db.delete(userRoles).where(eq(userRoles.user_id, id))],
  [
    "gets another one in place of it",
    "admin",
    ({ id }) => ctx.db.run(sql`insert or replace into user_roles(user_id, role) values (${id}, 'user')`),
  ],
  [
    "gets one that is written if there is none",
    "moderator",
    ({ id }) =>
      ctx.db
        .insert(userRoles)
        .values({ user_id: id, role: "admin" })
        .onConflictDoUpdate({ target: userRoles.user_id, set: { role: "admin" } }),
  ],
];

describe("every session and every begun sign-in of a person ends when the person", () => {
  test.each(CHANGES)("%s", async (_, role, change) => {
    const person = await makePerson(ctx, { role });
    const { signedIn } = await makeSession(ctx, person);
    const challenge = hashToken(await challenged(ctx, proven(person)));
    const other = await makeSession(ctx, await makePerson(ctx, { role }));
    expect(await alive(signedIn.sessionHash)).toBe(true);
    await change(person);
    expect(await alive(signedIn.sessionHash)).toBe(false);
    expect(await reserveAttempt(ctx, challenge, "verify")).toBeNull();
    expect(await alive(other.signedIn.sessionHash)).toBe(true);
  });
});

test("writing the same role again ends nothing", async () => {
  const person = await makePerson(ctx, { role: "admin" });
  const { signedIn } = await makeSession(ctx, person);
  await ctx.db.update(userRoles).set({ role: "admin" }).where(eq(userRoles.user_id, person.id));
  expect(await alive(signedIn.sessionHash)).toBe(true);
  expect(await epochOf(person)).toBe(0);
});

test("a client who becomes staff between the password and the session gets no session of a client", async () => {
  const person = await makePerson(ctx);
  const racing = interruptedBeforeCommit(ctx, () =>
    ctx.db.insert(userRoles).values({ user_id: person.id, role: "admin" }),
  );
  expect(await startSession(racing, proven(person))).toBe(false);
  expect(await liveSessionsOf(ctx, person)).toEqual([]);
});
