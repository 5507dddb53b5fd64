import { expect, test } from "vitest";
import { attachments } from "~/db/schema/attachments";
import { sweepOrphans } from "~/jobs/sweep-orphans.server";
import { days, hours } from "~/lib/time";
import { bindings, type TestContext, testContext } from "../../support/context";

const bytes = new TextEncoder().encode("%PDF-1.7");

/** Stores a file now, by the storage's own clock. */
const store = (ctx: TestContext, key: string) => ctx.files.put(key, bytes, {});

/** Sets the clock relative to the storage's own. */
function at(ctx: TestContext, later: number) {
  ctx.clock.set(Date.now() + later);
  return ctx;
}

const exists = async (key: string) => (await bindings.FILES.head(key)) !== null;

test("a file that no row knows is deleted after a day; a known one and other folders are not touched", async () => {
  const ctx = at(testContext(), days(1) + hours(1));
  await store(ctx, "att/orphan");
  await store(ctx, "att/known");
  await store(ctx, "exports/not-ours");
  await ctx.db.insert(attachments).values({
    id: "att_known",
    r2_key: "att/known",
    name: "plan.pdf",
    kind: "pdf",
    size: bytes.byteLength,
    sha256: "x",
    created_at: ctx.now(),
    subject_type: "submission",
    subject_id: "sub_1",
  });
  expect(await sweepOrphans(ctx)).toEqual({ count: 1 });
  expect(await Promise.all(["att/orphan", "att/known", "exports/not-ours"].map(exists))).toEqual([false, true, true]);
  expect(await sweepOrphans(ctx)).toEqual({ count: 0 });
});

test("a file whose form is just being stored is left alone", async () => {
  const ctx = at(testContext(), hours(23));
  await store(ctx, "att/young");
  expect(await sweepOrphans(ctx)).toEqual({ count: 0 });
  expect(await exists("att/young")).toBe(true);
});

test("more files than fit on one page are all looked at", async () => {
  const ctx = at(testContext(), days(2));
  await Promise.all(Array.from({ length: 620 }, (_, place) => store(ctx, `att/many-${place}`)));
  expect((await sweepOrphans(ctx)).count).toBeGreaterThanOrEqual(620);
  expect((await bindings.FILES.list({ prefix: "att/many-" })).objects).toEqual([]);
});
