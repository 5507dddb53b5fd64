import { describe, expect, test } from "vitest";
import { FLASH_COOKIE, flashValue } from "~/platform/flash.server";
import { loader as layout } from "~/routes/_account";
import { loader as profile } from "~/routes/_account.profile._index";
import { clientTeam } from "../support/client-team";
import { derive, type TestContext } from "../support/context";
import { as, makeMember, makePerson, makeSubmission, signedInAs } from "../support/factories";
import { args, get } from "../support/requests";

const ORIGIN = "http://localhost:8787";
const COOKIE = "__Host-frame";

type Came = { from?: string; remembered?: string };

/** Returns the context of a request that comes from this address, by a browser that remembers this area. */
function coming(ctx: TestContext, { from = "", remembered }: Came): TestContext {
  const cookies = new Map(remembered === undefined ? [] : [[COOKIE, remembered]]);
  const { request } = ctx;
  return derive(ctx, { request: { ...request, referrer: from && new URL(from, ORIGIN).href, cookies } });
}

/** Returns what the frame of a personal page is made of, and its name. */
async function frameFor(ctx: TestContext, came: Came = {}) {
  const own = coming(ctx, came);
  const before = own.cookiesSet.length;
  const data = await (await layout(args(own, get("/profile/sessions")))).json();
  const remembers = own.cookiesSet.slice(before).flatMap((cookie) => cookie.match(/^__Host-frame=\w*/)?.[0] ?? []);
  return { name: data.area, data, remembers };
}

/** Creates a technician who also belongs to an organization. */
async function worldOfBoth() {
  const team = await clientTeam();
  const technician = await makePerson(team.ctx, { role: "moderator", withTotp: true });
  await makeMember(team.ctx, team.organization.id, technician, "member");
  const { organizations = [], membership = null } = (await team.requestOf(team.member)).signedIn ?? {};
  const signedIn = { ...signedInAs(technician, team.ctx.now()), organizations, membership };
  return { team, technician, signedIn, both: derive(team.ctx, { signedIn }) };
}

describe("nobody gets a frame that the guard of its area would not give them", () => {
  test("a client who forges both what they came from and what is remembered gets that of the portal, and nothing of staff", async () => {
    const team = await clientTeam();
    const { id } = await makeSubmission(team.ctx, { firstName: "Wilhelmina", lastName: "Hargreave" });
    for (const person of [team.member, team.owner]) {
      const ctx = await team.requestOf(person);
      const { name, data, remembers } = await frameFor(ctx, { from: "/admin/submissions", remembered: "admin" });
      expect(name).toBe("portal");
      expect(data).toMatchObject({ organization: { name: "Brightsmile Dental" } });
      expect(JSON.stringify(data)).not.toMatch(new RegExp(`${id}|Hargreave|/admin|Submissions`));
      expect(remembers).toEqual([]);
    }
  });

  test("staff without a second factor, or with one that this session has not proved, get none of the admin area", async () => {
    const { team, technician, signedIn } = await worldOfBoth();
    const came = { from: "/admin", remembered: "admin" };
    const alone = signedInAs(technician, team.ctx.now());
    for (const [person, name] of [
      [{ ...alone, aal: 1, mfaEnabled: false }, "none"],
      [{ ...alone, aal: 1 }, "none"],
      [{ ...signedIn, aal: 1, mfaEnabled: false }, "none"],
      [{ ...signedIn, aal: 1 }, "portal"],
    ] as const) {
      expect((await frameFor(derive(team.ctx, { signedIn: person }), came)).name).toBe(name);
    }
  });

  test("a client who must set up a second factor first, or who is in no organization, gets the plain one", async () => {
    const team = await clientTeam();
    const { signedIn } = await team.requestOf(team.member);
    if (!signedIn) throw new Error("The member is signed in");
    const due = { ...signedIn, mfaEnabled: false, mfaRequiredSince: 0 };
    for (const person of [due, { ...signedIn, membership: null, organizations: [] }]) {
      const { name, data } = await frameFor(derive(team.ctx, { signedIn: person }), { from: "/client" });
      expect(name).toBe("none");
      expect(data).toMatchObject({ hasPortal: true });
    }
  });

  test("staff who belong to no organization get no frame of the portal", async () => {
    const team = await clientTeam();
    const technician = await makePerson(team.ctx, { role: "moderator", withTotp: true });
    const { name } = await frameFor(as(team.ctx, technician), { from: "/client", remembered: "portal" });
    expect(name).toBe("admin");
  });
});

describe("somebody who works in both areas", () => {
  test("sees the frame of the one they came from, and the next pages keep it", async () => {
    const { both } = await worldOfBoth();
    const fromAdmin = await frameFor(both, { from: "/admin/tickets?status=open" });
    expect([fromAdmin.name, fromAdmin.remembers]).toEqual(["admin", [`${COOKIE}=admin`]]);
    const fromPortal = await frameFor(both, { from: "/client", remembered: "admin" });
    expect([fromPortal.name, fromPortal.remembers]).toEqual(["portal", [`${COOKIE}=portal`]]);
    for (const remembered of ["admin", "portal"]) {
      for (const from of ["/profile", "/profile/mfa?do=enable", ""]) {
        expect(await frameFor(both, { from, remembered })).toMatchObject({ name: remembered, remembers: [] });
      }
    }
  });

  test("sees that of the admin area when nothing says where they came from", async () => {
    const { both } = await worldOfBoth();
    for (const came of [{}, { remembered: "owner" }, { from: "https://elsewhere.example/client" }, { from: "/auth" }]) {
      expect((await frameFor(both, came)).name).toBe("admin");
    }
  });

  test("sees in the admin area's frame what staff see there, and in the portal's their organization alone", async () => {
    const { both, team } = await worldOfBoth();
    await makeSubmission(team.ctx);
    const linksFrom = async (from: string) => {
      const { data } = await frameFor(both, { from });
      return "items" in data ? data.items.map(({ label }) => label) : [];
    };
    const ofStaff = await linksFrom("/admin");
    expect(ofStaff).toEqual(expect.arrayContaining(["Dashboard", "Tickets", "Submissions"]));
    expect(ofStaff).not.toContain("Settings");
    expect(await linksFrom("/client")).toEqual(["Dashboard", "Tickets"]);
  });
});

test("a personal page reads its frame in one round trip, with the page itself", async () => {
  const { both } = await worldOfBoth();
  for (const from of ["/admin", "/client"]) {
    const ctx = coming(both, { from });
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await Promise.all([layout(args(ctx, get("/profile"))), profile(args(ctx, get("/profile")))]);
    expect(ctx.cost.trips, from).toBe(1);
  }
});

test("the message of the action before is shown in each frame", async () => {
  const { both } = await worldOfBoth();
  for (const from of ["/admin", "/client"]) {
    const ctx = coming(both, { from });
    const flash = flashValue(ctx, { kind: "success", title: "Success", message: "Profile updated successfully" });
    const cookies = new Map([...ctx.request.cookies, [FLASH_COOKIE, flash]]);
    const told = derive(ctx, { request: { ...ctx.request, cookies } });
    const { flash: shown } = await (await layout(args(told, get("/profile")))).json();
    expect(shown).toMatchObject({ message: "Profile updated successfully" });
  }
});
