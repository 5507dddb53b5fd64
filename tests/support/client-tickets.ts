import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { CHANGE_PURPOSE, REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_portal.client.tickets.$ticket";
import { action as newTicketAction } from "~/routes/_portal.client.tickets.new";
import { args, get, postFiles } from "./requests";
import { partsOf } from "./tickets";

/*
 * Clients at the pages of tickets: what they read there, and what they send, for the organization they work in.
 */

type Fields = Record<string, string>;

export const refOf = ({ number }: { number: number }): string => `T-${number}`;

/** Lists the buttons of the reply; the other forms of the page share a token of their own. */
const REPLY_INTENTS = ["reply", "broken", "draft", "autosave", "discard"];

const organizationOf = (ctx: Ctx) => ({ organization_id: ctx.signedIn?.membership?.organizationId ?? "" });

export async function openClientTicket(ctx: Ctx, ref: string) {
  const page = await (await loader(args(ctx, get(`/client/tickets/${ref}`), { ticket: ref }))).json();
  return { ...page, ...partsOf(page) };
}

export function sendClientTicket(ctx: Ctx, ref: string, fields: Fields, files: File[] = []) {
  const form_token = issueFormToken(ctx, REPLY_INTENTS.includes(fields.intent ?? "") ? REPLY_PURPOSE : CHANGE_PURPOSE);
  const form = { form_token, ...organizationOf(ctx), ...fields };
  return action(args(ctx, postFiles(`/client/tickets/${ref}`, form, files), { ticket: ref }));
}

export const NEW_TICKET = { title: "Fax is dead", description: "No dial tone.", priority: "medium", category: "" };

export function sendNewTicket(ctx: Ctx, changes: Fields = {}, files: File[] = []) {
  const form_token = issueFormToken(ctx, NEW_TICKET_PURPOSE);
  const form = { form_token, ...organizationOf(ctx), ...NEW_TICKET, ...changes };
  return newTicketAction(args(ctx, postFiles("/client/tickets/new", form, files)));
}
