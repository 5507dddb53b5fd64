import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { userMfaSettings } from "~/db/schema/security";
import { authChallenges } from "~/db/schema/sessions";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { days, hours, type Instant } from "~/lib/time";
import * as accountLayout from "~/routes/_account";
import * as profile from "~/routes/_account.profile._index";
import * as confirm from "~/routes/_account.profile.confirm";
import * as mfa from "~/routes/_account.profile.mfa";
import * as sessionsPage from "~/routes/_account.profile.sessions";
import * as portalLayout from "~/routes/_portal";
import * as portal from "~/routes/_portal.client._index";
import type { TestContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, PASSWORD, type Person } from "../support/factories";
import { errorOf } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let person: Person;
let organizationId: string;

beforeEach(async () => {
  ({ ctx, browser } = newVisitor());
  person = await makePerson(ctx, { withPassword: true });
  organizationId = (await makeOrganization(ctx)).id;
  await makeMember(ctx, organizationId, person, "member");
});

const demand = (at: Instant | null, id = organizationId) =>
  ctx.db.update(organizations).set({ mfa_required_at: at }).where(eq(organizations.id, id));
const membership = (change: Partial<typeof organizationMemberships.$inferInsert>) =>
  ctx.db.update(organizationMemberships).set(change).where(eq(organizationMemberships.user_id, person.id));
const signIn = () => browser.password(person.email);
/** Returns the address that the password alone leads to. */
const reached = async () => {
  await signIn();
  return (await browser.whoAmI()) ? "session" : (await browser.page()).state.at;
};
const answer = (response: Response) => [response.status, response.headers.get("Location")];

/** Sends a form of the page of the second factor. */
const change = (fields: Record<string, string>, path = "/profile/mfa") =>
  browser.submit(mfa.action, path, "account", fields);

describe("a sign-in with the password alone", () => {
  test("opens a session as long as the grace runs, and then leads to the set-up and to no session", async () => {
    await demand(ctx.now());
    ctx.clock.advance(days(7) - 1);
    expect(await reached()).toBe("session");
    browser.cookies.clear();
    ctx.clock.advance(1);
    expect(await reached()).toBe("setup_required");
  });

  test("counts the grace of somebody who joined later from their joining", async () => {
    await demand(ctx.now() - days(300));
    await membership({ joined_at: ctx.now() - days(6) });
    expect(await reached()).toBe("session");
    browser.cookies.clear();
    await membership({ joined_at: ctx.now() - days(7) });
    expect(await reached()).toBe("setup_required");
  });

  test("is not held up by a membership that is suspended, nor by an organization that demands nothing", async () => {
    await demand(ctx.now() - days(30));
    await membership({ joined_at: ctx.now() - days(30), status: "suspended" });
    await makeMember(ctx, (await makeOrganization(ctx, "Free choice")).id, person, "owner");
    expect(await reached()).toBe("session");
  });

  test("with two organizations follows the one whose grace ended first", async () => {
    await membership({ joined_at: ctx.now() - days(30) });
    await demand(ctx.now() - days(2));
    const stricter = (await makeOrganization(ctx, "Stricter")).id;
    await makeMember(ctx, stricter, person, "member");
    await ctx.db.update(organizationMemberships).set({ joined_at: ctx.now() - days(30) });
    await demand(ctx.now() - days(8), stricter);
    expect(await reached()).toBe("setup_required");
  });

  test("that finds out nothing about the demand ends in an outage, without session or challenge", async () => {
    await ctx.db.run(sql`ALTER TABLE organizations RENAME TO away`);
    try {
      const response = await signIn();
      expect(response.status).toBe(503);
      expect(await browser.whoAmI().catch(() => null)).toBeNull();
      const challenges = await ctx.db.select().from(authChallenges).where(eq(authChallenges.user_id, person.id));
      expect(challenges).toEqual([]);
      expect([...browser.cookies.keys()]).toEqual([]);
    } finally {
      await ctx.db.run(sql`ALTER TABLE away RENAME TO organizations`);
    }
  });
});

test("who somebody is costs one read, demand included", async () => {
  await demand(ctx.now());
  await signIn();
  await ctx.settle();
  Object.assign(ctx.cost, { trips: 0, queries: 0 });
  expect(await browser.whoAmI()).toMatchObject({ mfaRequiredSince: ctx.now() });
  expect([ctx.cost.trips, ctx.cost.queries]).toEqual([1, 1]);
});

describe("a session that lives on when the grace ends", () => {
  beforeEach(async () => {
    await demand(ctx.now() - days(6.9));
    await membership({ joined_at: ctx.now() - days(30) });
    await signIn();
    ctx.clock.advance(hours(3));
  });

  test.each([
    ["/client", portalLayout.loader],
    ["/client", portal.loader],
    ["/profile/sessions", sessionsPage.loader],
  ] as const)("does not open %s any more, not by one loader either", async (path, loader) => {
    expect(answer(await browser.visit(loader, path))).toEqual([303, "/profile/mfa"]);
  });

  test("changes nothing by a form of another page", async () => {
    const sent = await browser.submit(profile.action, "/profile", "account", {
      intent: "details",
      full_name: "Changed",
      email: person.email,
    });
    expect(answer(sent)).toEqual([303, "/profile/mfa"]);
    expect((await browser.whoAmI())?.fullName).toBe(person.fullName);
  });

  test("opens the set-up, sets the factor up, and then everything again", async () => {
    for (const [path, loader] of [
      ["/profile", accountLayout.loader],
      ["/profile", profile.loader],
      ["/profile/mfa", mfa.loader],
      ["/profile/confirm", confirm.loader],
    ] as const) {
      expect([path, (await browser.visit(loader, path)).status]).toEqual([path, 200]);
    }
    const proof = { intent: "enable", current_password: PASSWORD };
    expect(answer(await change(proof))).toEqual([303, "/profile/mfa?step=setup"]);
    const page = await browser.read<{ enrollment: { secret: string } }>(mfa.loader, "/profile/mfa?step=setup");
    const code = codeAt(page.enrollment.secret, stepAt(ctx.now()));
    const done = await change({ intent: "verify-setup", code }, "/profile/mfa?step=setup");
    expect(answer(done)).toEqual([303, "/profile/mfa?step=codes"]);
    expect((await browser.visit(portal.loader, "/client")).status).toBe(200);
  });

  test("can be signed out", async () => {
    expect((await browser.signOut()).status).toBe(303);
    expect(await browser.whoAmI()).toBeNull();
  });
});

test("every page of the portal and the account counts the days that are left", async () => {
  await demand(ctx.now() - days(5.5));
  await membership({ joined_at: ctx.now() - days(30) });
  await signIn();
  for (const [path, loader] of [
    ["/client", portalLayout.loader],
    ["/profile", accountLayout.loader],
  ] as const) {
    expect(await browser.read(loader, path)).toMatchObject({ mfaNotice: { isStaff: false, daysLeft: 2 } });
  }
});

describe("switching the factor off", () => {
  const proof = () => ({ intent: "disable", current_password: PASSWORD, code: browser.currentCode(1) });
  const isOn = async () => {
    const [row] = await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, person.id));
    return row?.is_enabled === 1;
  };

  beforeEach(async () => {
    person = await makePerson(ctx, { withPassword: true, withTotp: true });
    await makeMember(ctx, organizationId, person, "member");
    await browser.enter(person.email);
  });

  test("tells clients that the password is enough, and staff that it is not", async () => {
    const disabled = async () => {
      const sent = await change(proof());
      expect(answer(sent)).toEqual([303, "/profile/mfa"]);
      return (await browser.read<{ flash: unknown }>(accountLayout.loader, "/profile/mfa")).flash;
    };
    expect(await disabled()).toMatchObject({ message: "You now sign in with your password only." });
    person = await makePerson(ctx, { role: "admin", withPassword: true, withTotp: true });
    browser.cookies.clear();
    await browser.enter(person.email);
    expect(await disabled()).toMatchObject({
      title: "MFA Disabled",
      message: "The admin area is closed to you until you set it up again.",
    });
  });

  test("or making new codes needs one that is set up", async () => {
    await change(proof());
    for (const intent of ["disable", "codes"]) {
      const rejected = await change({ ...proof(), intent });
      expect(rejected.status).toBe(400);
      expect((await errorOf(rejected)).errors).toEqual({ form: "MFA settings not found" });
    }
    expect(await browser.whoAmI()).toMatchObject({ aal: 1 });
  });

  test("is rejected while an organization demands it, grace or not, and is not offered", async () => {
    await demand(ctx.now());
    const rejected = await change(proof());
    expect(rejected.status).toBe(400);
    expect((await errorOf(rejected)).errors).toEqual({
      form: "Your organization requires two-step sign-in.",
    });
    expect(await isOn()).toBe(true);
    expect(await browser.read(mfa.loader, "/profile/mfa?do=disable")).toMatchObject({
      mayDisable: false,
      change: null,
    });
  });

  test("is possible again when the demand is taken back", async () => {
    await demand(ctx.now());
    await demand(null);
    expect((await change(proof())).status).toBe(303);
    expect(await isOn()).toBe(false);
  });
});
