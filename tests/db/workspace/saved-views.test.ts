import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { savedViews } from "~/db/schema/accounts";
import { deleteSavedView, saveView } from "~/features/workspace/actions.server";
import { fail, ok } from "~/lib/errors";
import { testContext } from "../../support/context";
import { makePerson, signedInAs } from "../../support/factories";

const ctx = testContext();
const view = { list: "submissions", name: "Mine", query: "view=mine", shared: true } as const;
const save = (actor: ReturnType<typeof signedInAs>) => saveView(ctx, actor, view);

const viewsOf = ({ userId }: { userId: string }) =>
  ctx.db.select({ id: savedViews.id }).from(savedViews).where(eq(savedViews.owner_id, userId));

test("somebody who may not open a list keeps no view of it, and takes none away that they kept when they might", async () => {
  const person = await makePerson(ctx, { role: "moderator" });
  const before = signedInAs(person, ctx.now());
  const after = { ...before, role: "user" as const };
  expect(await save(after)).toEqual(fail("list_not_found"));
  expect(await viewsOf(before)).toEqual([]);

  expect(await save(before)).toEqual(ok(null));
  const [kept] = await viewsOf(before);
  await deleteSavedView(ctx, after, kept?.id ?? "");
  expect(await viewsOf(before)).toEqual([kept]);
  await deleteSavedView(ctx, before, kept?.id ?? "");
  expect(await viewsOf(before)).toEqual([]);
});

test("a view is kept once, however often its form is sent, and again after it was deleted", async () => {
  const actor = signedInAs(await makePerson(ctx, { role: "moderator" }), ctx.now());
  await Promise.all(Array.from({ length: 5 }, () => save(actor)));
  const [kept, ...others] = await viewsOf(actor);
  expect(others).toEqual([]);
  await deleteSavedView(ctx, actor, kept?.id ?? "");
  expect(await save(actor)).toEqual(ok(null));
  expect(await viewsOf(actor)).toHaveLength(1);
  for (const other of [{ shared: false }, { name: "Other" }, { query: "view=none" }]) {
    await saveView(ctx, actor, { ...view, ...other });
  }
  expect(await viewsOf(actor)).toHaveLength(4);
});
