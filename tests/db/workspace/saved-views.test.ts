import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { savedViews } from "~/db/schema/saved-views";
import { deleteSavedView } from "~/features/workspace/delete-saved-view.server";
import { saveView } from "~/features/workspace/save-view.server";
import { fail, ok } from "~/lib/result";
import { testContext } from "../../support/context";
import { makePerson, signedInAs } from "../../support/factories";

const ctx = testContext();
const view = { list: "submissions", name: "Mine", query: "view=mine", shared: true } as const;
const save = (actor: ReturnType<typeof signedInAs>) => saveView(ctx, actor, { ...view, nonce: crypto.randomUUID() });

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
