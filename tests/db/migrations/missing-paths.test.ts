import { expect, test } from "vitest";
import { countMissingPath, listMissingPaths } from "~/features/health/missing-paths.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { derive } from "../../support/context";
import { databaseBefore, PRIYAS_SUBMISSION } from "../../support/earlier-database";

test("what was stored before the migration stays, and addresses without a page are counted from then on", async () => {
  const database = await databaseBefore("0014");
  await database.insert("contact_submissions", PRIYAS_SUBMISSION);
  const ctx = await database.migrate();
  expect(await findSubmission(ctx.db, "sub_1")).toMatchObject({ number: "L-1001", name: "Priya Natarajan" });
  expect(await countSubmissions(ctx.db)).toMatchObject({ contacted: 1, all: 1 });
  expect(await listMissingPaths(ctx)).toEqual([]);
  const url = new URL("/brochure", ctx.request.url);
  await countMissingPath(derive(ctx, { request: { ...ctx.request, url } }));
  expect(await listMissingPaths(ctx)).toMatchObject([{ path: "/brochure", hits: 1 }]);
});
