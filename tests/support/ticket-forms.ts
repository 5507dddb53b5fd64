import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import * as route from "~/routes/_admin.admin.tickets.$ticket";
import { pageAt } from "./page";
import { args, type Fields, postFiles } from "./requests";
import { makeTicket, ticketWorld } from "./tickets";

/** Names the purpose of the token of each form that staff have on the page of a ticket. */
const STAFF_FORM_PURPOSES: Record<string, string> = {
  reply: "ticket-reply",
  reply_next: "ticket-reply",
  reply_wait: "ticket-reply",
  reply_resolve: "ticket-reply",
  draft: "ticket-reply",
  note: "ticket-note",
  handling: "ticket-handling",
  priority: "ticket-priority",
  add_person: "ticket-people",
  visit: "ticket-visit",
  reverse_allowance: "ticket-allowance",
  mute: "ticket-mute",
  undo: "ticket-undo",
  insert: "ticket-reply",
  autosave: "ticket-reply",
  refuse_contact: "contact-refuse",
};

/** Is the page of a ticket, as staff have it. */
export const ticketPage = pageAt("/admin/tickets/:ticket", route);

/** Returns a ticket of Dana's, with its page as Sam has it open. */
export async function openedTicket() {
  const world = await ticketWorld();
  const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana });
  const reference = `T-${ticket.number}`;
  const path = `/admin/tickets/${reference}`;
  const { ctx } = world.staff(world.sam);
  const send = (intent: string, fields: Fields, on = ctx, to = path) =>
    ticketPage.send(on, to, STAFF_FORM_PURPOSES[intent] ?? "", { intent, ...fields });
  const read = (on = ctx, at = path) => ticketPage.read(on, at);
  return { ...world, ctx, ticket, reference, path, send, read };
}

/** Sends a form of that page by its intent, with files if there are any. */
export function sendStaffTicket(ctx: Ctx, ref: string, fields: Record<string, string>, files: File[] = []) {
  const form_token = issueFormToken(ctx, STAFF_FORM_PURPOSES[fields.intent ?? ""] ?? "");
  const request = postFiles(`/admin/tickets/${ref}`, { form_token, ...fields }, files);
  return route.action(args(ctx, request, { ticket: ref }));
}
