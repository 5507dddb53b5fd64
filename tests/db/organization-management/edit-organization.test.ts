import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { reviewOrganization, updateOrganization } from "~/features/organization-management/commands.server";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { findDetails } from "~/features/organization-management/queries.server";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { administrator, details, eventsOf, newOrganization, nonce } from "../../support/organizations";

const { base, ctx, actor } = await administrator();
const rowOf = async (id: string) => (await ctx.db.select().from(organizations).where(eq(organizations.id, id)))[0];
const update = (id: string, changes: Parameters<typeof details>[0], version = 1, context = ctx, key = nonce()) =>
  updateOrganization(context, actor, { organizationId: id, details: details(changes), version, nonce: key });

test("name, description, plan and domains change, the slug stays, and the audit knows what was before", async () => {
  const id = await newOrganization(ctx, actor, { name: "Elm Clinic", domains: ["elm.example", "old.example"] });
  const changes = { name: "Elm & Co", plan: "none" as const, domains: ["elm.example", "new.example"] };
  expect(await update(id, changes)).toEqual({ ok: true, changed: true });
  expect(await rowOf(id)).toMatchObject({
    name: "Elm & Co",
    slug: "elm-clinic",
    version: 2,
    contract_started_at: null,
    search_name: "elm & co",
  });
  expect(await findDetails(ctx.db, id)).toEqual({ ...details(), ...changes });
  const [event] = (await eventsOf(ctx, id)).slice(-1);
  expect(JSON.parse(event?.meta_json ?? "")).toEqual({
    changed: ["name", "plan", "domains"],
    before: { name: "Elm Clinic", plan: "core", domains: ["elm.example", "old.example"] },
    after: changes,
  });
});

test("of twenty who save the same version at once, one does", async () => {
  const id = await newOrganization(ctx, actor);
  const saved = await Promise.all(
    Array.from({ length: 20 }, (_, index) => update(id, { description: `Version of ${index}` })),
  );
  expect(saved.filter(({ ok }) => ok)).toHaveLength(1);
  expect(saved.filter((result) => !result.ok && result.code === "organization_changed")).toHaveLength(19);
  expect((await rowOf(id))?.version).toBe(2);
});

test("a domain of another organization is rejected by name, and nothing else is saved", async () => {
  await newOrganization(ctx, actor, { domains: ["ours.example"] });
  const id = await newOrganization(ctx, actor, { domains: ["theirs.example"] });
  const changes = { name: "New name", domains: ["theirs.example", "ours.example"] };
  expect(await update(id, changes)).toEqual({ ok: false, code: "domain_taken", domain: "ours.example" });
  expect(await findDetails(ctx.db, id)).toMatchObject({ name: "Oak Dental", domains: ["theirs.example"] });
});

test("whoever edits an organization that is deleted meanwhile finds none, and it does not come back", async () => {
  const id = await newOrganization(ctx, actor);
  const meanwhile = interruptedBeforeCommit(ctx, () =>
    deleteOrganization(ctx, actor, { organizationId: id, version: 1, nonce: nonce() }),
  );
  expect(await update(id, { name: "Too late" }, 1, meanwhile)).toEqual({ ok: false, code: "organization_not_found" });
  expect(await rowOf(id)).toBeUndefined();
});

test("the same form posted twice succeeds twice and saves once", async () => {
  const id = await newOrganization(ctx, actor);
  const key = nonce();
  expect(await update(id, { name: "Once" }, 1, ctx, key)).toEqual({ ok: true, changed: true });
  expect(await update(id, { name: "Once" }, 1, ctx, key)).toEqual({ ok: true, changed: true });
  expect((await rowOf(id))?.version).toBe(2);
});

test("what is saved again with one token, after something else, is saved", async () => {
  const id = await newOrganization(ctx, actor);
  const key = nonce();
  for (const [version, name] of [
    [1, "One"],
    [2, "Other"],
    [3, "One"],
  ] as const) {
    expect(await update(id, { name }, version, ctx, key)).toEqual({ ok: true, changed: true });
  }
  expect(await rowOf(id)).toMatchObject({ name: "One", version: 4 });
});

test("a review is not said to be done by somebody who is no administrator any more", async () => {
  const id = await newOrganization(ctx, actor);
  await ctx.db.update(organizations).set({ needs_review_at: 1 }).where(eq(organizations.id, id));
  const { ctx: own, actor: former } = await administrator(base);
  const demoted = interruptedBeforeCommit(own, () =>
    own.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, former.userId)),
  );
  expect(await reviewOrganization(demoted, former, id)).toEqual({ ok: false, code: "denied" });
  expect((await rowOf(id))?.needs_review_at).toBe(1);
});

test("an organization is reviewed once, however often the button is pressed", async () => {
  const id = await newOrganization(ctx, actor);
  await ctx.db.update(organizations).set({ needs_review_at: 1 }).where(eq(organizations.id, id));
  await Promise.all(Array.from({ length: 5 }, () => reviewOrganization(ctx, actor, id)));
  expect((await rowOf(id))?.needs_review_at).toBeNull();
  const reviews = (await eventsOf(ctx, id)).filter(({ action }) => action === "organization.reviewed");
  expect(reviews).toHaveLength(1);
  expect(await reviewOrganization(ctx, actor, "org_missing")).toMatchObject({ ok: false });
});
