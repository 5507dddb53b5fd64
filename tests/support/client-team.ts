import { eq } from "drizzle-orm";
import { organizationMemberships } from "~/db/schema/organizations";
import { findSignedIn } from "~/features/auth/queries.server";
import { derive, type TestContext, testContext } from "./context";
import {
  makeInvitedMember,
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  type Person,
  together,
} from "./factories";

/** Creates an organization with an owner, an admin and a member; `ids` are those of their memberships. */
export const makeStaffedOrganization = (base: TestContext, name?: string) =>
  together(base, async (ctx) => {
    const organization = await makeOrganization(ctx, name);
    const owner = await makePerson(ctx, { fullName: "Dana Whitlock" });
    const lead = await makePerson(ctx, { fullName: "Sam Ortega" });
    const member = await makePerson(ctx, { fullName: "Priya Nair" });
    const ids = {
      owner: (await makeMember(ctx, organization.id, owner, "owner")).id,
      lead: (await makeMember(ctx, organization.id, lead, "admin")).id,
      member: (await makeMember(ctx, organization.id, member, "member")).id,
    };
    return { organization, owner, lead, member, ids };
  });

export type StaffedOrganization = Awaited<ReturnType<typeof makeStaffedOrganization>>;

/**
 * Creates Brightsmile with an owner, an admin, a member and an invited address, and another organization with a member.
 */
export async function clientTeam() {
  const ctx = testContext();
  const { organization, owner, lead, member, ids: members } = await makeStaffedOrganization(ctx, "Brightsmile Dental");
  const invite = (gathering: TestContext, { id }: { id: string }) =>
    makeInvitedMember(gathering, id, { email: `next-${id}@clinic.example` });
  const { other, stranger, ids } = await together(ctx, async (gathering) => {
    const other = await makeOrganization(gathering, "Harbor House");
    const stranger = await makePerson(gathering, { fullName: "Chris Adeyemi" });
    const ids = {
      ...members,
      invited: (await invite(gathering, organization)).id,
      foreign: (await makeMember(gathering, other.id, stranger, "member")).id,
      foreignInvited: (await invite(gathering, other)).id,
    };
    return { other, stranger, ids };
  });
  /** Returns what a new request of a person knows. */
  const requestOf = async (person: Person): Promise<TestContext> => {
    const { signedIn } = await makeSession(ctx, person, 1);
    return derive(ctx, { signedIn: await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now()) });
  };
  const stateOf = async (id: string) => {
    const [row] = await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.id, id));
    return row ? `${row.role}, ${row.status}` : "gone";
  };
  return { ctx, organization, other, owner, lead, member, stranger, ids, requestOf, stateOf };
}

export type ClientTeam = Awaited<ReturnType<typeof clientTeam>>;
