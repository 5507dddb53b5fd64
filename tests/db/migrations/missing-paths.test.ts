import { expect, test } from "vitest";
import { countMissingPath, listMissingPaths } from "~/features/health/missing-paths.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { derive, WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";

test("what was stored before the migration stays, and addresses without a page are counted from then on", async () => {
  const database = await databaseBefore("0014");
  await database.insert("contact_submissions", {
    id: "sub_1",
    number: 1001,
    first_name: "Priya",
    last_name: "Natarajan",
    email: "priya@kestrel.example",
    status: "contacted",
    consent_at: WEDNESDAY,
    consent_terms_version: "2026-11-01",
    ip_hash: "",
    created_at: WEDNESDAY,
    updated_at: WEDNESDAY,
  });
  const ctx = await database.migrate();
  expect(await findSubmission(ctx.db, "sub_1")).toMatchObject({ number: "L-1001", name: "Priya Natarajan" });
  expect(await countSubmissions(ctx.db)).toMatchObject({ contacted: 1, all: 1 });
  expect(await listMissingPaths(ctx)).toEqual([]);
  const url = new URL("/brochure", ctx.request.url);
  await countMissingPath(derive(ctx, { request: { ...ctx.request, url } }));
  expect(await listMissingPaths(ctx)).toMatchObject([{ path: "/brochure", hits: 1 }]);
});
