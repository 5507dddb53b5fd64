import { expect, test } from "vitest";
import { findSubmission } from "~/features/submissions/queries.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as submissionAction } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as ticketAction } from "~/routes/_admin.admin.tickets.$ticket";
import { flash, staffMember } from "../support/admin-area";
import { makeSubmission } from "../support/factories";
import { args, post } from "../support/requests";
import { makeTicket, ticketRow, ticketWorld } from "../support/tickets";

/*
 * A form states the values that its page had when it was rendered, so that only what its reader has changed is saved. A
 * page that could not be read again after a save states what was true before it, with the token it had.
 */

const HAD_TICKET = { had_status: "open", had_assignee_id: "", had_category: "" };

async function ticketPage() {
  const { base, staff, sam, avery, dana, here } = await ticketWorld();
  const { id, number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const pageOf = (person: typeof sam, had: Record<string, string> = {}) => {
    const { ctx } = staff(person);
    const form_token = issueFormToken(ctx, "ticket-handling");
    return async (fields: Record<string, string>, again: Record<string, string> = {}) => {
      const form = { form_token, intent: "handling", assignee_id: "", category: "", ...HAD_TICKET, ...had, ...fields };
      await ticketAction(
        args(ctx, post(`/admin/tickets/T-${number}`, { ...form, ...again }), { ticket: `T-${number}` }),
      );
      const { status, assigned_to, category } = await ticketRow(base, id);
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
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const had = { had_status: "new", had_owner: "", had_follow_up_on: "" };
  const form = { ...had, intent: "handling", owner: "", form_token: issueFormToken(ctx, "submission-handling") };
  const save = async (fields: Record<string, string>) => {
    const request = post(`/admin/submissions/${id}`, { ...form, ...fields });
    await submissionAction(args(ctx, request, { submissionId: id }));
    return flash(base);
  };
  for (const status of ["contacted", "new", "contacted"]) {
    expect(await save({ status, follow_up_on: "" })).toMatch(/^Status Updated: /);
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status });
  }
  for (const follow_up_on of ["2026-12-01", ""]) {
    await save({ status: "contacted", follow_up_on });
    expect(await findSubmission(ctx.db, id)).toMatchObject({ followUpOn: follow_up_on || null });
  }
  expect(await save({ status: "contacted", follow_up_on: "" })).not.toMatch(/^Status Updated: /);
});
