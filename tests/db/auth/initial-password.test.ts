import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { verifyPassword } from "~/features/auth/passwords.server";
import { findAccount } from "~/features/auth/queries.server";
import { changePassword } from "~/features/auth/set-password.server";
import { days, hours } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, PASSWORD, type Person } from "../../support/factories";

let ctx: TestContext;
let person: Person;

beforeEach(async () => {
  ctx = testContext();
  person = await makePerson(ctx, { withPassword: true });
  await ctx.db
    .update(users)
    .set({ password_expires_at: ctx.now() + hours(72), must_change_password: 1 })
    .where(eq(users.id, person.id));
});

const opens = async (password: string) =>
  (await verifyPassword(ctx, { email: person.email, password }, async () => undefined)).ok;

test("a password that somebody else has set works for 72 hours", async () => {
  ctx.clock.advance(hours(72) - 1);
  expect(await opens(PASSWORD)).toBe(true);
  ctx.clock.advance(1);
  expect(await opens(PASSWORD)).toBe(false);
});

test("a password the owner has chosen does not expire", async () => {
  const own = as(ctx, person);
  const next = "Another!Horse8battery";
  if (!own.signedIn) throw new Error("Nobody is signed in");
  expect(await changePassword(own, own.signedIn, { current: PASSWORD, next, staySignedIn: false })).toMatchObject({
    ok: true,
  });
  ctx.clock.advance(days(30));
  expect(await opens(next)).toBe(true);
  expect((await findAccount(ctx.db, person.id))?.passwordExpiresAt).toBeNull();
});
