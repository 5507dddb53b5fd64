import { expect, test } from "vitest";
import { loader as page } from "~/routes/_admin.admin.reports";
import { staffMember } from "../support/admin-area";
import { makeSubmission } from "../support/factories";
import { args, get } from "../support/requests";
import { listSubmissions } from "../support/submission-list";

test("a domain leads to its submissions, not to those of another one that ends like it", async () => {
  const { ctx } = await staffMember();
  for (const email of ["one@gmail.example", "two@mail.example", "three@mail.example"])
    await makeSubmission(ctx, { email });
  const { report } = await (await page(args(ctx, get("/admin/reports?type=submissions")))).json();
  const domain = report?.cards.find(({ label }) => label === "Top Domain");
  expect(domain).toMatchObject({ value: "mail.example", note: "2 of 3" });
  expect(report?.domains[0]?.to).toBe(domain?.to);
  const rows = await listSubmissions(ctx.db, domain?.to?.split("?")[1]);
  expect(rows.map(({ email }) => email).sort()).toEqual(["three@mail.example", "two@mail.example"]);
});
