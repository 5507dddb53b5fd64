import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { sessions } from "~/db/schema/sessions";
import { requireStaff, requireUser } from "~/features/auth/guards.server";
import { minutes } from "~/lib/time";
import type { LogFields } from "~/platform/log.server";
import { type TestContext, testContext } from "../support/context";
import { makePerson, makeSession, type Person, signedInAs } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";

let ctx: TestContext;
let logged: (LogFields & { event: string })[];

beforeEach(() => {
  logged = [];
  ctx = testContext({ log: (_, fields) => void logged.push(fields) });
});

const at = (path: string, signedIn: TestContext["signedIn"] = null) =>
  Object.assign(args(ctx, get(path)).context, { signedIn });

describe("a stranger", () => {
  test.each([
    ["/admin", "/auth?redirectTo=%2Fadmin"],
    ["/admin/submissions?status=new&after=1.a", "/auth?redirectTo=%2Fadmin%2Fsubmissions%3Fstatus%3Dnew%26after%3D1.a"],
    ["/admin?_data=routes%2F_admin", "/auth?redirectTo=%2Fadmin"],
    ["/profile", "/auth?redirectTo=%2Fprofile"],
    ["/client", "/client/auth?redirectTo=%2Fclient"],
    ["/client/tickets/T-1001", "/client/auth?redirectTo=%2Fclient%2Ftickets%2FT-1001"],
    ["/create-ticket", "/client/auth?redirectTo=%2Fcreate-ticket"],
    ["/clients", "/auth?redirectTo=%2Fclients"],
  ])("asking for %s is sent to %s", async (path, location) => {
    const response = await thrownBy(requireUser(at(path)));
    expect([response.status, response.headers.get("Location")]).toEqual([302, location]);
  });
});

describe("the admin area", () => {
  const signedIn = (person: Person, aal = 2) => signedInAs(person, ctx.now(), "hash", aal);

  test.each([
    ["a client", "user", 2, "role"],
    ["a technician, for what only admins do", "moderator", 2, "ability"],
    ["an admin whose session has proved no factor", "admin", 1, "factor"],
  ] as const)("stays closed to %s, and the log says why", async (_, role, aal, reason) => {
    const person = await makePerson(ctx, { role });
    const response = await thrownBy(
      requireStaff(at("/admin/users", { ...signedIn(person, aal), mfaEnabled: true }), "user.view"),
    );
    expect(response.status).toBe(403);
    expect(await response.text()).toBe("");
    expect(logged).toMatchObject([
      { event: "denied", user_id: person.id, ability: "user.view", reason, path: "/admin/users" },
    ]);
  });

  test("sends an admin whose factor was taken away during the session to its set-up, and the log says so", async () => {
    const admin = await makePerson(ctx, { role: "admin" });
    const context = at("/admin", { ...signedIn(admin), mfaEnabled: false });
    const response = await thrownBy(requireStaff(context, "submission.view"));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/profile/mfa"]);
    expect(logged).toMatchObject([{ event: "factor_missing", user_id: admin.id, path: "/admin" }]);
  });
});

test("whoever must change their password gets nowhere else", async () => {
  const person = await makePerson(ctx);
  const context = at("/client", { ...signedInAs(person, ctx.now()), mustChangePassword: true });
  const response = await thrownBy(requireUser(context));
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/login?mode=update"]);
});

test("being allowed keeps the session alive", async () => {
  const { signedIn } = await makeSession(ctx, await makePerson(ctx));
  ctx.clock.advance(minutes(6));
  await requireUser(at("/client", signedIn));
  await ctx.settle();
  const [row] = await ctx.db.select().from(sessions).where(eq(sessions.id_hash, signedIn.sessionHash));
  expect(row?.last_seen_at).toBe(ctx.now());
});
