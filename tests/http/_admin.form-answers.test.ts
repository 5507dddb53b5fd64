import { expect, test } from "vitest";
import { listNotes } from "~/features/notes/queries.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as recordAction } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as viewAction } from "~/routes/_admin.admin.views";
import { staffMember } from "../support/admin-area";
import { makeSubmission } from "../support/factories";
import { args, post } from "../support/requests";

test("a form that a script has sent from its page is answered there, any other by a redirect with a message", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const fields = { intent: "handling", status: "resolved", answer: "beside" };
  const send = (query: string) => {
    const form_token = issueFormToken(ctx, "submission-handling");
    return recordAction(
      args(ctx, post(`/admin/submissions/${id}${query}`, { ...fields, form_token }), { submissionId: id }),
    );
  };
  const saved = await send("?_data=routes");
  expect(await saved.json()).toEqual({ saved: "Status Updated" });
  expect(base.cookiesSet).toEqual([]);
  expect((await send("")).headers.get("Location")).toBe(`/admin/submissions/${id}`);
  const view = { form_token: "old", intent: "save", return_to: "/admin/submissions" };
  const rejected = await viewAction(args(ctx, post("/admin/views?_data=routes", view), {}));
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({ rejection: expect.stringMatching(/view/i) });
  expect((await viewAction(args(ctx, post("/admin/views", view), {}))).status).toBe(303);
});

test("a new note is what the page leads to, also when the same form arrives twice", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const fields = { form_token: issueFormToken(ctx, "submission-note"), intent: "note", note: "Once" };
  const send = () => recordAction(args(ctx, post(`/admin/submissions/${id}`, fields), { submissionId: id }));
  const [first, again] = [await send(), await send()];
  const notes = await listNotes(ctx.db, { type: "submission", id });
  expect(notes).toHaveLength(1);
  const to = `/admin/submissions/${id}#${notes[0]?.id}`;
  expect([first, again].map(({ headers }) => headers.get("Location"))).toEqual([to, to]);
});
