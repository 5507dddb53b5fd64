import { beforeAll, describe, expect, test } from "vitest";
import type { OrganizationRole } from "~/access/model";
import { userRoles } from "~/db/schema/accounts";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type TestContext, testContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, type Person, signedInAs } from "../support/factories";
import { type Access, ALLOWED, PERMISSIONS, PERSONAS, type Persona } from "../support/permissions";
import { args, get, post } from "../support/requests";

type Handler = (given: { context: Ctx; request: Request; params: Record<string, string> }) => unknown;
type RouteModule = { loader?: Handler; action?: Handler };

declare global {
  interface ImportMeta {
    glob: (pattern: string, options: { eager: true }) => Record<string, RouteModule>;
  }
}

const routes = Object.entries(import.meta.glob("../../app/routes/*.{ts,tsx}", { eager: true })).map(
  ([file, module]) => ({ name: file.replace(/^.*\/|\.tsx?$/g, ""), module }),
);

let ctx: TestContext;
const people = new Map<Persona, SignedIn | null>();

beforeAll(async () => {
  ctx = testContext();
  const organization = await makeOrganization(ctx);
  const inside = async (role: "owner" | "admin" | "member", status: "active" | "suspended" | "pending" = "active") => {
    const person = await makePerson(ctx);
    await makeMember(ctx, organization.id, person, role, status);
    return person;
  };
  const enter = (persona: Persona, person: Person, aal = 2, role?: OrganizationRole) => {
    const membership = role ? { organizationId: organization.id, organizationName: "Larkspur Row", role } : null;
    people.set(persona, { ...signedInAs(person, ctx.now(), undefined, aal), membership });
  };
  people.set("anonymous", null);
  enter("user_without_organization", await makePerson(ctx), 1);
  enter("member", await inside("member"), 1, "member");
  enter("organization_admin", await inside("admin"), 1, "admin");
  enter("owner", await inside("owner"), 2, "owner");
  enter("suspended_member", await inside("member", "suspended"), 1);
  enter("pending_member", await inside("admin", "pending"), 1);
  enter("moderator", await makePerson(ctx, { role: "moderator", withTotp: true }));
  enter("admin_without_second_factor", await makePerson(ctx, { role: "admin" }), 1);
  enter("admin", await makePerson(ctx, { role: "admin", withTotp: true }));
  expect((await ctx.db.select().from(userRoles)).length).toBeGreaterThan(0);
});

/** Returns the status of the response that a loader or action returns or throws. */
async function statusOf(handler: Handler, persona: Persona, request: Request, params: Record<string, string> = {}) {
  const given = args(ctx, request, params);
  Object.assign(given.context, { signedIn: people.get(persona) ?? null, setCookie: () => undefined });
  try {
    const response = await handler(given);
    return response instanceof Response ? response.status : 200;
  } catch (error) {
    if (error instanceof Response) return error.status;
    throw error;
  }
}

type Expectation = { access: Access; status: number; signedOutStatus: number };

function expectedStatus(persona: Persona, { access, status, signedOutStatus }: Expectation): number {
  if (ALLOWED[access].includes(persona)) return status;
  if (access === "signed_out") return 302;
  if (persona === "admin_without_second_factor") return 303;
  return persona === "anonymous" ? signedOutStatus : 403;
}

test("the table has exactly the routes with a loader or an action", () => {
  const withHandlers = routes.filter(({ module }) => module.loader || module.action).map(({ name }) => name);
  expect(Object.keys(PERMISSIONS).sort()).toEqual(withHandlers.sort());
});

describe.each(routes.filter(({ name }) => name in PERMISSIONS))("$name", ({ name, module }) => {
  const { path = "", params = {}, get: reading, post: writing } = PERMISSIONS[name] ?? {};

  test("the table has exactly its methods", () => {
    expect([Boolean(reading), Boolean(writing)]).toEqual([Boolean(module.loader), Boolean(module.action)]);
  });

  // The page, and the data request of the framework.
  const addresses = [path, `${path}?_data=${encodeURIComponent(`routes/${name}`)}`];

  const { loader, action } = module;
  if (reading && loader) {
    test.each(addresses)("GET %s answers each kind of person as the table says", async (address) => {
      const found: Partial<Record<Persona, number>> = {};
      const expected: Partial<Record<Persona, number>> = {};
      for (const persona of PERSONAS) {
        found[persona] = await statusOf(loader, persona, get(address), params);
        expected[persona] = expectedStatus(persona, { ...reading, signedOutStatus: 302 });
      }
      expect(found).toEqual(expected);
    });
  }

  if (writing && action) {
    test(`POST ${path} answers each kind of person as the table says`, async () => {
      const found: Partial<Record<Persona, number>> = {};
      const expected: Partial<Record<Persona, number>> = {};
      for (const persona of PERSONAS) {
        found[persona] = await statusOf(action, persona, post(path, {}), params);
        expected[persona] = expectedStatus(persona, { ...writing, signedOutStatus: 401 });
      }
      expect(found).toEqual(expected);
    });
  }
});
