import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { listNotes } from "~/features/notes/queries.server";
import { replyToSubmission } from "~/features/submissions/record/commands.server";
import { listReplies } from "~/features/submissions/record/read-record.server";
import { newToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as listAction } from "~/routes/_admin.admin.submissions._index";
import { action as recordAction } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as ticketAction, loader as ticketLoader } from "~/routes/_admin.admin.tickets.$ticket";
import { action as viewAction } from "~/routes/_admin.admin.views";
import { flash, staffMember } from "../support/admin-area";
import { makeSubmission, signedInAs } from "../support/factories";
import { args, post } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

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
  expect(await saved.json()).toEqual({ saved: "Contact submission status has been updated successfully." });
  const again = await send("?_data=routes");
  expect(await again.json()).toEqual({ unchanged: "Nothing changed" });
  expect(base.cookiesSet).toEqual([]);
  expect((await send("")).headers.get("Location")).toBe(`/admin/submissions/${id}`);
  const view = { form_token: "old", intent: "save", return_to: "/admin/submissions" };
  const rejected = await viewAction(args(ctx, post("/admin/views?_data=routes", view), {}));
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({ rejection: expect.stringMatching(/open for too long/) });
  expect((await viewAction(args(ctx, post("/admin/views", view), {}))).status).toBe(303);
});

test("a script gets the message with the answer to its form, and no cookie that another page could take", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx, { moderationReason: "content" });
  const fields = { form_token: issueFormToken(ctx, "submission-list"), intent: "release", id };
  const send = (query: string) => listAction(args(ctx, post(`/admin/submissions${query}`, fields), {}));
  const answer = await send("?_data=routes");
  expect(await answer.json()).toEqual({
    to: "/admin/submissions#result",
    flash: {
      kind: "success",
      title: "Released",
      message: "The submission is counted now, and its mails are queued.",
    },
  });
  expect(base.cookiesSet).toEqual([]);
  expect((await send("")).headers.get("Location")).toBe("/admin/submissions#result");
  expect(flash(base)).toMatch(/^Released: /);
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

test("two replies of one page are each sent again, with the token that the page has", async () => {
  const { ctx, base, person } = await staffMember();
  const actor = signedInAs(person, base.now());
  const { id } = await makeSubmission(ctx);
  for (const message of ["Monday works.", "Or Tuesday."])
    await replyToSubmission(ctx, actor, { submissionId: id, message, contacted: false, nonce: newToken() });
  await base.settle();
  await ctx.db.update(outbox).set({ status: "dead" }).where(eq(outbox.subject_id, id));
  const replies = await listReplies(ctx.db, id, { limit: 2, before: null });
  const form_token = issueFormToken(ctx, "submission-resend");
  const send = (reply: string, token = form_token) =>
    recordAction(
      args(ctx, post(`/admin/submissions/${id}`, { intent: "resend", reply, form_token: token }), { submissionId: id }),
    );
  for (const reply of replies) {
    const answer = await send(reply.id);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/admin/submissions/${id}#${reply.id}`]);
    expect(flash(base)).toMatch(/^Reply on its way: /);
  }
  await base.settle();
  const sent = await listReplies(ctx.db, id, { limit: 2, before: null });
  expect(sent.map(({ delivery }) => delivery?.status)).toEqual(["sent", "sent"]);
  for (const answer of [await send(replies[0]?.id ?? "", "old"), await send("srp_' OR 1=1")])
    expect(answer.status).toBe(400);
});

test("the page that a form without scripts comes back with is named an error only when the form was rejected", async () => {
  const { base, here, dana, sam, staff } = await ticketWorld();
  const { number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx } = staff(sam);
  const params = { ticket: `T-${number}` };
  const saysError = async (intent: string, body: string) => {
    const form_token = issueFormToken(ctx, "ticket-reply");
    const request = post(`/admin/tickets/T-${number}`, { intent, form_token, body, begun_at_message: "0" });
    const answered = await ticketAction(args(ctx, request, params));
    const { hasErrors } = await (await ticketLoader(args(ctx, request, params))).json();
    return [answered.status, hasErrors];
  };
  expect(await saysError("draft", "Restart the")).toEqual([200, false]);
  expect(await saysError("reply", "")).toEqual([400, true]);
  expect(await saysError("draft", "")).toEqual([200, false]);
});
