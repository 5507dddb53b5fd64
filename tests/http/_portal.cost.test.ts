import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sessions } from "~/db/schema/sessions";
import { findSignedIn } from "~/features/auth/queries.server";
import { MEMBER_ROLES, MEMBERSHIP_STATUSES } from "~/features/members/model";
import { RECENT_LIMIT } from "~/lists/criteria";
import { PAGE_SIZES } from "~/lists/model";
import { loader as layout } from "~/routes/_portal";
import { loader as dashboard } from "~/routes/_portal.client._index";
import { loader as settings } from "~/routes/_portal.client.organization._index";
import { loader as history } from "~/routes/_portal.client.organization.history";
import { loader as leave } from "~/routes/_portal.client.organization.leave";
import { loader as transfer } from "~/routes/_portal.client.organization.transfer";
import { loader as team } from "~/routes/_portal.client.team._index";
import { loader as invite } from "~/routes/_portal.client.team.invite";
import { loader as tickets } from "~/routes/_portal.client.tickets._index";
import { loader as newTicket } from "~/routes/_portal.client.tickets.new";
import { derive, type TestContext, testContext } from "../support/context";
import {
  makeInvitedMember,
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  together,
} from "../support/factories";
import { fillMembers } from "../support/filled-lists";
import { args, get } from "../support/requests";
import { withoutSearchLimit } from "../support/unlimited-searches";

/*
 * The budgets of the portal: what a page costs, with its frame and the identity that the worker reads, does not depend
 * on how many organizations there are, nor on how many people are in the one that is shown.
 */

type Loader = (given: ReturnType<typeof args>) => Promise<unknown>;

const PAGES: Record<string, Loader> = {
  "/client": dashboard,
  "/client/team": team,
  "/client/organization": settings,
  "/client/organization/history": history,
  "/client/organization/leave": leave,
  "/client/organization/transfer": transfer,
  "/client/team/invite": invite,
  "/client/tickets": tickets,
  "/client/tickets/new": newTicket,
};

/** Signs in the owner of so many organizations, who works in the first of them. */
async function ownerOf(count: number) {
  const ctx = testContext();
  const person = await makePerson(ctx);
  const { signedIn } = await makeSession(ctx, person, 1);
  const ids = await together(ctx, async (gathering) => {
    const made: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const { id } = await makeOrganization(gathering, `Organization ${number}`);
      await makeMember(gathering, id, person, "owner");
      made.push(id);
    }
    return made;
  });
  const [organizationId = ""] = ids;
  await ctx.db.update(sessions).set({ current_org_id: organizationId }).where(eq(sessions.user_id, person.id));
  return { ctx, organizationId, sessionHash: signedIn.sessionHash };
}

/** Adds people to an organization: members with and without a second factor, in turns, and invitations. */
const fill = (base: TestContext, organizationId: string, count: number) =>
  together(base, async (ctx) => {
    for (let number = 0; number < count; number += 1) {
      await makeMember(ctx, organizationId, await makePerson(ctx, { withTotp: number % 2 === 0 }), "member");
      await makeInvitedMember(ctx, organizationId, { email: `${ctx.newId("inv")}@clinic.example` });
      // Other people's organizations cost nothing.
      await makeMember(ctx, (await makeOrganization(ctx)).id, await makePerson(ctx), "owner");
    }
  });

/** Returns the rows that a page reads, with its frame and the identity; it takes two round trips. */
async function rowsOf(ctx: TestContext, sessionHash: string, path: string): Promise<number> {
  Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
  const given = args(derive(ctx, { signedIn: await findSignedIn(ctx.db, sessionHash, ctx.now()) }), get(path));
  await Promise.all([layout(given), (PAGES[path.split("?")[0] ?? ""] as Loader)(given)]);
  expect(ctx.cost.trips, path).toBe(2);
  return ctx.cost.rowsRead;
}

withoutSearchLimit();

describe("a page of the portal", () => {
  test("takes two round trips and two hundred rows at most, for a person in fifty organizations", async () => {
    const { ctx, organizationId, sessionHash } = await ownerOf(50);
    await fill(ctx, organizationId, 30);
    for (const path of Object.keys(PAGES)) {
      expect(await rowsOf(ctx, sessionHash, path), path).toBeLessThanOrEqual(200);
    }
  });

  test("of a team of thousands takes as many rows by each filter and search, and five for each row beyond", async () => {
    const ctx = testContext();
    await fillMembers(ctx, "usr_scale_000000", [0, 4_000]);
    const person = await makePerson(ctx);
    const { signedIn } = await makeSession(ctx, person, 1);
    await makeMember(ctx, "org_scale_0", person, "admin");
    await ctx.db.update(sessions).set({ current_org_id: "org_scale_0" }).where(eq(sessions.user_id, person.id));
    const filters = ["", ...MEMBER_ROLES.map((role) => `role=${role}`)].flatMap((role) =>
      ["", ...MEMBERSHIP_STATUSES.map((status) => `&status=${status}`)].map((status) => role + status),
    );
    const searches = ["", "&q=ada", "&q=ada+beck", "&q=zelda+qu", "&q=nobody", "&q=a"];
    for (const filter of filters) {
      for (const [index, search] of searches.entries()) {
        // Each search has pages of every size, with one filter or another.
        const size = PAGE_SIZES[(filters.indexOf(filter) + index) % PAGE_SIZES.length] ?? 0;
        const path = `/client/team?${filter}${search}&size=${size}`;
        // One letter is looked for in the newest rows, which are read once for the page and the count.
        const recent = search === "&q=a" ? RECENT_LIMIT : 0;
        const limit = 360 + 5 * (size - PAGE_SIZES[0]) + recent;
        expect(await rowsOf(ctx, signedIn.sessionHash, path), path).toBeLessThanOrEqual(limit);
      }
    }
  });

  test("costs the same in an organization of a hundred and twenty people as in one of sixty", async () => {
    const { ctx, organizationId, sessionHash } = await ownerOf(1);
    await fill(ctx, organizationId, 30);
    const paths = [...Object.keys(PAGES), "/client/team?size=50"];
    const few = new Map<string, number>();
    for (const path of paths) few.set(path, await rowsOf(ctx, sessionHash, path));
    await fill(ctx, organizationId, 30);
    for (const path of paths) {
      // The next owner is chosen among a hundred at most.
      if (path.endsWith("/transfer")) continue;
      expect(await rowsOf(ctx, sessionHash, path), path).toBeLessThanOrEqual((few.get(path) ?? 0) + 2);
    }
  });
});
