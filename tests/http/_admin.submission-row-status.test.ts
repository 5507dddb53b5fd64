import { expect, test } from "vitest";
import { findSubmission } from "~/features/submissions/queries.server";
import { listStatusChanges } from "~/features/submissions/record/read-record.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as listAction } from "~/routes/_admin.admin.submissions._index";
import { bulk, flash, staffMember } from "../support/admin-area";
import { makeSubmission } from "../support/factories";
import { args, post } from "../support/requests";

/** Builds the form of the rows as a page of two rows posts it: what its two selects say, and the button pressed. */
const saveStatus = (fields: { form_token: string; save: string }): Request => {
  const body = new URLSearchParams({ ...fields, intent: "status", return_to: "/admin/submissions?status=new" });
  for (const status of ["deleted", "resolved"]) body.append("status", status);
  return new Request("http://localhost:8787/admin/submissions", { method: "POST", body });
};

test("the select of a row moves its submission and leads back to the same list, two rows from one page", async () => {
  const { ctx, base } = await staffMember();
  const form_token = issueFormToken(ctx, "submission-list");
  for (const { id } of [await makeSubmission(ctx), await makeSubmission(ctx)]) {
    const response = await listAction(args(ctx, saveStatus({ form_token, save: `1.${id}` }), {}));
    expect(response.headers.get("Location")).toBe(`/admin/submissions?status=new#${id}`);
    expect(flash(base)).toBe("Status Updated: Contact submission status has been updated successfully.");
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "resolved" });
  }
});

test("a row whose status was chosen already is not said to be updated, and no history is written", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx, { status: "resolved" });
  const form_token = issueFormToken(ctx, "submission-list");
  await listAction(args(ctx, saveStatus({ form_token, save: `1.${id}` }), {}));
  expect(flash(base)).toBe("Nothing changed: The status was Resolved already.");
  expect(await listStatusChanges(ctx.db, id)).toEqual([]);
});

test.each(["7", "0", "x", ""])("the button of a row with no select at %j moves nothing", async (position) => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const form_token = issueFormToken(ctx, "submission-list");
  const rejected = await listAction(args(ctx, saveStatus({ form_token, save: `${position}.${id}` }), {}));
  expect(rejected.status).toBe(400);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new", version: 1 });
});

test("a bulk change that finds only rows of another version is no success", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const done = await makeSubmission(ctx, { status: "contacted" });
  const form_token = issueFormToken(ctx, "submission-list");
  const fields = { form_token, intent: "bulk-status", status: "contacted", scope: "selected" };
  const rejected = await listAction(args(ctx, bulk("/admin/submissions", fields, [`${id}.7`]), {}));
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({
    rejection: "Failed to update submissions. 1 skipped: changed since you opened the list.",
    rows: [`${id}.7`],
  });
  const again = { ...fields, form_token: issueFormToken(ctx, "submission-list") };
  await listAction(args(ctx, bulk("/admin/submissions", again, [`${done.id}.1`]), {}));
  expect(flash(base)).toBe("Nothing changed: 1 was contacted already.");
});

test("a filter that cannot be read does not stand for all submissions", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx, { firstName: "Untouched" });
  const fields = { intent: "bulk-status", status: "resolved", scope: "all", read_at: String(ctx.now()) };
  for (const query of [`q=${"%F0%9F%98%80".repeat(400)}`, null]) {
    const form_token = issueFormToken(ctx, "submission-list");
    const request = post("/admin/submissions", { ...fields, ...(query === null ? {} : { query }), form_token });
    expect(await (await listAction(args(ctx, request, {}))).json()).toMatchObject({
      rejection: "Select at least one submission first.",
    });
  }
  const longest = new URLSearchParams({ q: "😀".repeat(200), status: "new" }).toString();
  const request = post("/admin/submissions", {
    ...{ ...fields, query: longest },
    form_token: issueFormToken(ctx, "submission-list"),
  });
  await listAction(args(ctx, request, {}));
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});
