import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { authTokens } from "~/db/schema/sessions";
import { resendConfirmation, signUp } from "~/features/sign-in/sign-up.server";
import { removeUnconfirmedAccounts } from "~/jobs/purge-expired.server";
import { days, hours } from "~/lib/time";
import { makePerson } from "../../support/factories";
import { visitorContext } from "../../support/visitor";

let ctx: ReturnType<typeof visitorContext>;
let email: string;
let accounts = 0;
const noWait = async () => undefined;

beforeEach(async () => {
  accounts += 1;
  ctx = visitorContext();
  email = `left${accounts}@larkspur.example`;
  const account = { fullName: "Priya Raman", email, password: "Correct!Horse7", organizationName: "Larkspur" };
  await signUp(ctx, account, { wait: noWait, resendInvitations: async () => false });
});

const stored = async () => (await ctx.db.select().from(users).where(eq(users.email, email)))[0];

test("an account nobody confirms is removed after a day, with its links and its name in the activity", async () => {
  const id = (await stored())?.id ?? "";
  ctx.clock.advance(days(1) - 1);
  await removeUnconfirmedAccounts(ctx);
  expect(await stored()).toBeDefined();
  ctx.clock.advance(1);
  await removeUnconfirmedAccounts(ctx);
  expect(await stored()).toBeUndefined();
  expect(await ctx.db.$count(authTokens, eq(authTokens.user_id, id))).toBe(0);
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(event).toMatchObject({ action: "user.signed_up", subject_label: null, actor_name: null, actor_email: null });
});

test("an account without a working link, as of a demonstration, stays for its day all the same", async () => {
  const { id } = await makePerson(ctx, { status: "unverified" });
  const stays = async () => (await ctx.db.$count(users, eq(users.id, id))) === 1;
  ctx.clock.advance(days(1) - 1);
  await removeUnconfirmedAccounts(ctx);
  expect(await stays()).toBe(true);
  ctx.clock.advance(1);
  await removeUnconfirmedAccounts(ctx);
  expect(await stays()).toBe(false);
});

test("it stays as long as a link that was sent again works", async () => {
  ctx.clock.advance(hours(23));
  await resendConfirmation(ctx, email, { wait: noWait, resendInvitations: async () => false });
  ctx.clock.advance(hours(24) - 1);
  await removeUnconfirmedAccounts(ctx);
  expect(await stored()).toBeDefined();
  ctx.clock.advance(1);
  await removeUnconfirmedAccounts(ctx);
  expect(await stored()).toBeUndefined();
});

test("confirmed, invited and closed accounts stay", async () => {
  const kept = await Promise.all(
    (["active", "pending", "deactivated"] as const).map((status) => makePerson(ctx, { status })),
  );
  ctx.clock.advance(days(400));
  await removeUnconfirmedAccounts(ctx);
  for (const { id } of kept) expect(await ctx.db.$count(users, eq(users.id, id))).toBe(1);
});
