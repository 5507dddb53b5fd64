import { describe, expect, test } from "vitest";
import { savedViews } from "~/db/schema/accounts";
import { ticketDrafts } from "~/db/schema/tickets";
import { listCannedReplies } from "~/features/canned-replies/queries.server";
import { listNotes } from "~/features/notes/queries.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { listReplies, listStatusChanges } from "~/features/submissions/record/read-record.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as cannedReplyAction } from "~/routes/_admin.admin.canned-replies.$reply";
import { action as organizationAction } from "~/routes/_admin.admin.organizations.$organizationId";
import { action as settingsAction } from "~/routes/_admin.admin.settings";
import { action as listAction } from "~/routes/_admin.admin.submissions._index";
import { action as recordAction } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as editNote } from "~/routes/_admin.admin.submissions.$submissionId_.notes.$noteId";
import { action as ticketListAction } from "~/routes/_admin.admin.tickets._index";
import { action as viewAction } from "~/routes/_admin.admin.views";
import { bulk, flash, staffMember } from "../support/admin-area";
import { refOf, sendClientTicket } from "../support/client-tickets";
import { derive } from "../support/context";
import { makeSubmission } from "../support/factories";
import { organizationAndStaff } from "../support/organizations";
import { args, post } from "../support/requests";
import { settingsForm } from "../support/settings";
import { sendStaffTicket } from "../support/ticket-forms";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../support/tickets";

/*
 * A form whose answer was lost is sent again with the token it had, perhaps with other words by now. A page that could
 * not be read again after its form keeps the form's token, and so does a page that Back has restored.
 */

const ALL = { limit: 9, before: null };

/** Returns a function that posts to the page of a new submission, always with the same token. */
async function withOneToken(purpose: string) {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const form_token = issueFormToken(ctx, purpose);
  const send = (fields: Record<string, string>) =>
    recordAction(args(ctx, post(`/admin/submissions/${id}`, { form_token, ...fields }), { submissionId: id }));
  return { ctx, base, id, send };
}

test("another reply from a page that still has the token of the first is sent too, and the same one is not", async () => {
  const { ctx, id, send } = await withOneToken("submission-reply");
  const texts = ["Monday works.", "The quote is attached to this answer.", "Monday works."];
  for (const message of texts) expect((await send({ intent: "reply", message })).status).toBe(303);
  const replies = await listReplies(ctx.db, id, ALL);
  expect(replies.map(({ message }) => message).sort()).toEqual(texts.slice(0, 2));
});

test("another note from a page that still has the token of the first is written too, and the same one is not", async () => {
  const { ctx, id, send } = await withOneToken("submission-note");
  const to: string[] = [];
  for (const note of ["Called.", "No answer.", "Called."])
    to.push((await send({ intent: "note", note })).headers.get("Location") ?? "");
  const notes = await listNotes(ctx.db, { type: "submission", id }, ALL);
  expect(notes.map(({ text }) => text).sort()).toEqual(["Called.", "No answer."]);
  const placeOf = (wanted: string) => `/admin/submissions/${id}#${notes.find(({ text }) => text === wanted)?.id}`;
  expect(to).toEqual(["Called.", "No answer.", "Called."].map(placeOf));
});

test("a row whose status is chosen again after another one, with one token, has it afterwards", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const form_token = issueFormToken(ctx, "submission-list");
  for (const status of ["contacted", "resolved", "contacted"]) {
    const fields = { form_token, intent: "status", save: `0.${id}`, status };
    await listAction(args(ctx, post("/admin/submissions", fields), {}));
    expect(flash(base)).toMatch(/^Status Updated: /);
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status });
  }
  expect(await listStatusChanges(ctx.db, id)).toHaveLength(3);
});

test("a status of a ticket that a colleague has changed since is not said to be saved by a row that arrives again", async () => {
  const { base, staff, sam, avery, dana, here } = await ticketWorld();
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const rowOf = (person: typeof sam) => {
    const { ctx } = staff(person);
    const form_token = issueFormToken(ctx, "ticket-list");
    return (status: string) => {
      const fields = { form_token, intent: "status", save: `0.${id}`, status };
      return ticketListAction(args(ctx, post("/admin/tickets", fields), {}));
    };
  };
  const choose = rowOf(sam);
  await choose("closed");
  expect(flash(base)).toBe("Success: Ticket status updated successfully");
  await rowOf(avery)("open");
  const late = await choose("closed");
  expect([late.status, await late.json()]).toMatchObject([
    400,
    { rejection: expect.stringContaining("has been changed since") },
  ]);
  expect((await ticketRow(base, id)).status).toBe("open");
});

test("a bulk change to another status, with the token and the rows of a former one, is not said to be done", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const form_token = issueFormToken(ctx, "submission-list");
  const choose = (status: string) => {
    const fields = { form_token, intent: "bulk-status", status, scope: "selected" };
    return listAction(args(ctx, bulk("/admin/submissions", fields, [`${id}.1`]), {}));
  };
  await choose("contacted");
  expect(flash(base)).toMatch(/^Bulk Update Complete: /);
  const rejected = await choose("resolved");
  expect([rejected.status, await rejected.json()]).toMatchObject([
    400,
    { rejection: expect.stringMatching(/1 skipped/) },
  ]);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "contacted" });
});

test.each([
  [
    "get a status",
    { intent: "bulk-status", status: "contacted" },
    /^Bulk Update Complete: .*1 submission/,
    { status: "contacted" },
  ],
  [
    "are released",
    { intent: "bulk-release" },
    /^Bulk Release Complete: Released 1 submission\. Its mails are queued\.$/,
    { moderationReason: null },
  ],
] as const)("other rows %s too from a page that still has the token of the first", async (_, form, answer, expected) => {
  const { ctx, base } = await staffMember();
  const fields = { ...form, scope: "selected", form_token: issueFormToken(ctx, "submission-list") };
  for (let count = 0; count < 2; count += 1) {
    const { id } = await makeSubmission(ctx, form.intent === "bulk-release" ? { moderationReason: "content" } : {});
    for (let time = 0; time < 2; time += 1) {
      await listAction(args(ctx, bulk("/admin/submissions", fields, [`${id}.1`]), {}));
      expect(flash(base)).toMatch(answer);
    }
    expect(await findSubmission(ctx.db, id)).toMatchObject(expected);
  }
});

test("other tickets, and another status of the first, are not said to be changed by the form before", async () => {
  const { base, staff, sam, dana, here } = await ticketWorld();
  const { ctx } = staff(sam);
  const form_token = issueFormToken(ctx, "ticket-list");
  const [one, other] = [0, 1].map(() => makeTicket(base, { organizationId: here.id, createdBy: dana }));
  const choose = async (status: string, ticket = one) => {
    const id = (await ticket)?.id ?? "";
    const fields = { form_token, intent: "bulk-status", status, scope: "selected" };
    const answer = await ticketListAction(args(ctx, bulk("/admin/tickets", fields, [`${id}.1`]), {}));
    return [answer.status, (await ticketRow(base, id)).status];
  };
  expect(await choose("in_progress")).toEqual([303, "in_progress"]);
  expect(await choose("in_progress")).toEqual([303, "in_progress"]);
  expect(await choose("in_progress", other)).toEqual([303, "in_progress"]);
  expect(await choose("closed")).toEqual([400, "in_progress"]);
});

test("a setting that is changed again on a page with the token and version of before is not said to be saved", async () => {
  const { ctx, path, shown } = await settingsForm("company");
  const asShown = { ...(await shown()), intent: "company", form_token: issueFormToken(ctx, "settings-company") };
  const save = (phone: string) => settingsAction(args(ctx, post(path, { ...asShown, phone })));
  expect((await save("(212) 555-0199")).status).toBe(303);
  const late = await save("(212) 555-0142");
  expect([late.status, await late.text()]).toMatchObject([409, expect.stringContaining("(212) 555-0142")]);
  expect(await shown()).toMatchObject({ phone: "(212) 555-0199" });
  const same = await save("(212) 555-0199");
  expect(same.status).toBe(303);
});

test("a note that is edited further after a lost answer is not said to be saved, and the same words are", async () => {
  const { ctx, id, send } = await withOneToken("submission-note");
  await send({ intent: "note", note: "First" });
  const read = () => listNotes(ctx.db, { type: "submission", id }, ALL);
  const noteId = (await read())[0]?.id ?? "";
  const form_token = issueFormToken(ctx, "note-edit");
  const path = `/admin/submissions/${id}/notes/${noteId}`;
  const save = (note: string) =>
    editNote(args(ctx, post(path, { form_token, note, version: "1" }), { submissionId: id, noteId }));
  const answers = [await save("Second"), await save("Second"), await save("Second, and a third")];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 409]);
  expect(await read()).toMatchObject([{ text: "Second" }]);
});

test("an organization that is edited further after a lost answer is not said to be saved", async () => {
  const { ctx, id, path } = await organizationAndStaff({ name: "Oak Dental" });
  const fields = { intent: "edit", name: "Oak Dental", plan: "core", version: "1" };
  const form_token = issueFormToken(ctx, "organization-edit");
  const save = (description: string) =>
    organizationAction(args(ctx, post(path, { ...fields, description, form_token }), { organizationId: id }));
  const answers = [await save("Two rooms"), await save("Two rooms"), await save("Three rooms")];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 409]);
});

test("a canned reply that is written further after a lost answer is saved too", async () => {
  const { ctx, person } = await staffMember();
  const form_token = issueFormToken(ctx, "canned-reply");
  const texts = { intent: "save", title: "Hello", category: "", status: "", form_token };
  for (const message of ["Hello there", "Hello there", "Hello there, and welcome"]) {
    const request = post("/admin/canned-replies/new", { ...texts, message });
    expect((await cannedReplyAction(args(ctx, request, { reply: "new" }))).status).toBe(303);
  }
  const own = (await listCannedReplies(ctx.db, person.id)).filter(({ title }) => title === "Hello");
  expect(own.map(({ message }) => message).sort()).toEqual(["Hello there", "Hello there, and welcome"]);
});

test("another view from a page that still has the token of the first is kept too", async () => {
  const { ctx } = await staffMember();
  const form_token = issueFormToken(ctx, "saved-view");
  for (const name of ["Mine", "Today's", "Mine"])
    await viewAction(
      args(
        ctx,
        post("/admin/views", { form_token, intent: "save", list: "submissions", name, query: "status=new" }),
        {},
      ),
    );
  const kept = await ctx.db.select({ name: savedViews.name }).from(savedViews);
  expect(kept.map(({ name }) => name).sort()).toEqual(["Mine", "Today's"]);
});

/*
 * A form states the values that its page had when it was rendered, so that only what its reader has changed is saved. A
 * page that could not be read again after a save states what was true before it, with the token it had.
 */

const HAD_TICKET = { had_status: "open", had_assignee_id: "", had_category: "" };

async function ticketPage() {
  const { base, staff, sam, avery, dana, here } = await ticketWorld();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const pageOf = (person: typeof sam, had: Record<string, string> = {}) => {
    const { ctx } = staff(person);
    const form_token = issueFormToken(ctx, "ticket-handling");
    const form = { form_token, intent: "handling", assignee_id: "", category: "", ...HAD_TICKET, ...had };
    return async (fields: Record<string, string>, again: Record<string, string> = {}) => {
      await sendStaffTicket(ctx, refOf(ticket), { ...form, ...fields, ...again });
      const { status, assigned_to, category } = await ticketRow(base, ticket.id);
      return [flash(base), status, assigned_to, category];
    };
  };
  return { pageOf, sam, avery };
}

const SAVED = expect.stringMatching(/^Success: Ticket (status updated|updated|assigned|unassigned) successfully$/);

test("on a ticket's page that could not be read again each choice is saved, also the one that the page began with", async () => {
  const { pageOf, sam } = await ticketPage();
  const save = pageOf(sam);
  for (const status of ["in_progress", "open", "in_progress", "closed"])
    expect(await save({ status })).toEqual([SAVED, status, null, null]);
  const both = { status: "closed", assignee_id: sam.id };
  expect(await save(both)).toEqual([SAVED, "closed", sam.id, null]);
  expect(await save(both)).toEqual([SAVED, "closed", sam.id, null]);
  expect(await save({ ...both, assignee_id: "" })).toEqual([SAVED, "closed", null, null]);
});

test("what a colleague has set since stays where a page that could not be read again has not changed it", async () => {
  const { pageOf, sam, avery } = await ticketPage();
  const save = pageOf(sam);
  await save({ status: "in_progress" });
  const colleague = pageOf(avery, { had_status: "in_progress" });
  await colleague({ status: "waiting_for_customer", assignee_id: avery.id });
  const mine = { status: "in_progress", category: "Billing" };
  expect(await save(mine)).toEqual([SAVED, "waiting_for_customer", avery.id, "Billing"]);
  // The page was read again: its reader has seen what the colleague did.
  const seen = { had_status: "waiting_for_customer", had_assignee_id: avery.id, had_category: mine.category };
  expect(await save({ ...mine, assignee_id: avery.id }, seen)).toEqual([SAVED, "in_progress", avery.id, mine.category]);
});

test("a late post of what a page began with says that a colleague has changed it since", async () => {
  const { pageOf, sam, avery } = await ticketPage();
  const save = pageOf(sam);
  for (const status of ["in_progress", "open", "open"])
    expect(await save({ status })).toEqual([SAVED, status, null, null]);
  await pageOf(avery)({ status: "closed" });
  const answer = [
    expect.stringMatching(/^Error: This was saved before and has been changed since/),
    "closed",
    null,
    null,
  ];
  expect(await save({ status: "open" })).toEqual(answer);
});

test("a page of a ticket on which nothing was chosen says so", async () => {
  const { pageOf, sam } = await ticketPage();
  const answer = [expect.stringMatching(/^Nothing changed: /), "open", null, null];
  expect(await pageOf(sam)({ status: "open" })).toEqual(answer);
});

test("on a submission's page that could not be read again each choice is saved, also the one that the page began with", async () => {
  const { ctx, base, id, send } = await withOneToken("submission-handling");
  const shown = { had_status: "new", had_owner: "", had_follow_up_on: "", intent: "handling", owner: "" };
  const save = async (status: string, follow_up_on = "") => {
    await send({ ...shown, status, follow_up_on });
    return flash(base);
  };
  for (const status of ["contacted", "new", "contacted"]) {
    expect(await save(status)).toMatch(/^Status Updated: /);
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status });
  }
  for (const followUpOn of ["2026-12-01", ""]) {
    await save("contacted", followUpOn);
    expect(await findSubmission(ctx.db, id)).toMatchObject({ followUpOn: followUpOn || null });
  }
  expect(await save("contacted")).not.toMatch(/^Status Updated: /);
});

describe("keys of messages", () => {
  /** Returns staff and a client, each of whom sends everything, on whatever ticket, with one token. */
  async function withOneToken(purpose = "ticket-reply") {
    const { base, staff, sam, dana, here, client } = await ticketWorld();
    const [ours, theirs] = [staff(sam).ctx, client(dana)];
    const form_token = issueFormToken(ours, purpose);
    const press = async (ticket: { number: number }, intent: string, fields: Record<string, string> = {}) => {
      const form = { intent, form_token, body: "Please restart it.", begun_at_message: "0", ...fields };
      return (await sendStaffTicket(ours, refOf(ticket), form)).status;
    };
    const asClient = derive(theirs.ctx, { signedIn: theirs.actor });
    const client_token = issueFormToken(asClient, "ticket-reply");
    const pressAsClient = async (ticket: { number: number }, intent: string, body: string) =>
      (await sendClientTicket(asClient, refOf(ticket), { intent, form_token: client_token, body })).status;
    const newTicket = () => makeTicket(base, { organizationId: here.id, createdBy: dana });
    const drafts = async () => (await base.db.select().from(ticketDrafts)).map(({ message }) => message);
    return { base, newTicket, press, pressAsClient, drafts, theirs };
  }

  test.each([
    ["a reply of staff", "ticket-reply"],
    ["a note of staff", "ticket-note"],
    ["a client's text", "ticket-reply"],
  ])("%s sent with the token of another ticket's form is written, and twice the same is not", async (what, purpose) => {
    const { base, newTicket, press, pressAsClient } = await withOneToken(purpose);
    for (let count = 0; count < 2; count += 1) {
      const ticket = await newTicket();
      const body = `About ${refOf(ticket)}`;
      const send = () =>
        what.startsWith("a client")
          ? pressAsClient(ticket, "reply", body)
          : press(ticket, purpose.replace("ticket-", ""), { body });
      expect([await send(), await send()]).toEqual([303, 303]);
      expect(await textsOf(base, ticket.id)).toEqual([body]);
    }
  });

  test.each([
    "staff",
    "a client",
  ])("what %s went on writing after the answer to the first post was lost is written too", async (who) => {
    const { base, newTicket, press, pressAsClient } = await withOneToken();
    const ticket = await newTicket();
    for (const body of ["It blinks.", "It blinks. And it beeps.", "It blinks. And it beeps."]) {
      const sent = who === "staff" ? press(ticket, "reply", { body }) : pressAsClient(ticket, "reply", body);
      expect(await sent).toBe(303);
    }
    expect((await textsOf(base, ticket.id)).toSorted()).toEqual(["It blinks.", "It blinks. And it beeps."]);
  });

  test.each([
    ["reply_wait", "waiting_for_customer", {}],
    ["reply_resolve", "resolved", { what_was_done: "Replaced the cable." }],
  ])("where a sent message's answer was lost, another button does the rest and sends it no second time (%s)", async (intent, status, fields: Record<
    string,
    string
  >) => {
    const { base, newTicket, press } = await withOneToken();
    const ticket = await newTicket();
    expect(await press(ticket, "reply")).toBe(303);
    for (let time = 0; time < 2; time += 1) {
      expect(await press(ticket, intent, fields)).toBe(303);
      expect(await ticketRow(base, ticket.id)).toMatchObject({ status });
    }
    expect(await textsOf(base, ticket.id)).toEqual(["Please restart it."]);
    expect(await historyOf(base, ticket.id)).toEqual([["status", "open", status, "Sam Lee"]]);
  });

  test("a reply that waits for the client, and arrives again after their answer, leaves the ticket open", async () => {
    const { base, newTicket, press, theirs } = await withOneToken();
    const ticket = await newTicket();
    await press(ticket, "reply_wait");
    await replyAsClient(theirs.ctx, theirs.actor, { ticketId: ticket.id, text: "Done.", nonce: "theirs" });
    expect(await press(ticket, "reply_wait")).toBe(303);
    expect(await ticketRow(base, ticket.id)).toMatchObject({ status: "open" });
    expect((await textsOf(base, ticket.id)).toSorted()).toEqual(["Done.", "Please restart it."]);
  });

  test("what staff go on writing after the answer to a reply was lost is kept by itself; what was sent is not", async () => {
    const { newTicket, press, drafts } = await withOneToken();
    const ticket = await newTicket();
    const keep = async (fields: Record<string, string>) => {
      await press(ticket, "autosave", fields);
      return drafts();
    };
    await press(ticket, "reply");
    for (const body of ["Please restart it.", "Please restart", "Please restart it.\r\n "])
      expect(await keep({ body })).toEqual([]);
    for (const body of ["Please restart it. Then call", "Call me instead."])
      expect(await keep({ body })).toEqual([body]);
    expect(await keep({ body: "", what_was_done: "Replaced the" })).toEqual([""]);
    await press(ticket, "reply", { body: "Call me instead." });
    expect(await keep({ body: "Call me instead." })).toEqual([]);
  });
});
