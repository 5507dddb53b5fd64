import { expect, test } from "vitest";
import { attachments } from "~/db/schema/subjects";
import { sweepOrphans } from "~/jobs/purge-expired.server";
import { days, hours } from "~/lib/time";
import { bindings, type TestContext, testContext } from "../../support/context";

const bytes = new TextEncoder().encode("%PDF-1.7");

/** Stores a file; its time is that of the file store's own clock. */
const store = (ctx: TestContext, key: string) => ctx.files.put(key, bytes);

/** Sets the clock relative to that of the file store. */
function at(ctx: TestContext, later: number) {
  ctx.clock.set(Date.now() + later);
  return ctx;
}

const exists = async (key: string) => (await bindings.FILES.head(key)) !== null;

test("a file without a row is deleted after a day; files with a row and in other folders are kept", async () => {
  const ctx = at(testContext(), days(1) + hours(1));
  await store(ctx, "att/orphan");
  await store(ctx, "att/00-orphan");
  await store(ctx, "att/attached");
  await store(ctx, "exports/file");
  await ctx.db.insert(attachments).values({
    id: "att_attached",
    r2_key: "att/attached",
    name: "plan.pdf",
    kind: "pdf",
    size: bytes.byteLength,
    sha256: "x",
    created_at: ctx.now(),
    subject_type: "submission",
    subject_id: "sub_1",
  });
  expect(await sweepOrphans(ctx)).toEqual({ count: 2 });
  expect(await Promise.all(["att/orphan", "att/00-orphan", "att/attached", "exports/file"].map(exists))).toEqual([
    ...[false, false],
    ...[true, true],
  ]);
  expect(await sweepOrphans(ctx)).toEqual({ count: 0 });
});

test("a file is kept while its form may still be in progress", async () => {
  const ctx = at(testContext(), hours(23));
  await store(ctx, "att/young");
  expect(await sweepOrphans(ctx)).toEqual({ count: 0 });
  expect(await exists("att/young")).toBe(true);
});

test("all pages of the file list are read", async () => {
  const ctx = at(testContext(), days(2));
  await Promise.all(Array.from({ length: 620 }, (_, index) => store(ctx, `att/many-${index}`)));
  expect((await sweepOrphans(ctx)).count).toBeGreaterThanOrEqual(620);
  expect((await bindings.FILES.list({ prefix: "att/many-" })).objects).toEqual([]);
});

test("where there are more files than a run can look at, each has its turn within days", async () => {
  const ctx = at(testContext(), days(2));
  const keys = Array.from({ length: 256 }, (_, index) => `att/${index.toString(16).padStart(2, "0")}-orphan`);
  const deleted = new Set<string>();
  ctx.files = {
    ...ctx.files,
    delete: async (gone) => {
      for (const key of gone) deleted.add(key);
    },
    listOlderThan: async (_prefix, _before, cursor, after = "") => {
      const from = cursor ?? after;
      const found = keys.filter((key) => key > from).slice(0, 10);
      return { keys: found, cursor: found.at(-1) === keys.at(-1) ? undefined : found.at(-1) };
    },
  };
  for (let run = 0; run < 20; run += 1) {
    await sweepOrphans(ctx, { maxPages: 4 });
    ctx.clock.advance(days(1));
  }
  expect(keys.filter((key) => !deleted.has(key))).toEqual([]);
});
