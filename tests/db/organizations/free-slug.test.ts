import { inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { createOrganization } from "~/features/organizations/create-organization.server";
import { testContext } from "../../support/context";
import { makePerson, signedInAs } from "../../support/factories";

const ctx = testContext();

async function slugsOf(names: readonly string[]) {
  const owner = signedInAs(await makePerson(ctx), ctx.now());
  await Promise.all(
    names.map((name) => commit(ctx.db, createOrganization(ctx, { name, owner, needsApproval: false }))),
  );
  const rows = await ctx.db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(inArray(organizations.name, [...names]));
  return rows.map(({ slug }) => slug).sort();
}

test("twenty organizations of one name, created at once, all get a slug of their own", async () => {
  const slugs = await slugsOf(Array.from({ length: 20 }, () => "Oak & Ash"));
  expect(slugs).toEqual(["oak-ash", ...Array.from({ length: 19 }, (_, index) => `oak-ash-${index + 2}`)].sort());
});

test("a reserved slug gets a number, and a name without letters becomes org", async () => {
  expect(await slugsOf(["Admin"])).toEqual(["admin-2"]);
  expect(await slugsOf(["---", "日本"])).toEqual(["org", "org-2"]);
});
