import type { ClientActor } from "~/features/auth/guards.server";
import { readNewTicket } from "~/features/tickets/opening/client-opening.server";
import type { Ctx } from "~/platform/context.server";
import { formTokens } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { dashboardActions } from "./dashboard-actions.server";
import { NEW_TICKET_PURPOSE } from "./new-ticket-actions.server";
import { readNextSteps } from "./read-dashboard.server";

/** Reads the page of a new ticket; for a person who works in no organization, the ways to one. */
export async function loadNewTicketPage(ctx: Ctx, actor: ClientActor) {
  const { membership } = actor;
  if (membership) {
    const page = await readNewTicket(ctx, { ...actor, membership });
    return { ...page, token: issueFormToken(ctx, NEW_TICKET_PURPOSE), nextSteps: null };
  }
  return { nextSteps: { ...(await readNextSteps(ctx, actor)), tokens: formTokens(ctx, actor, dashboardActions) } };
}

export type LoadedNewTicket = Awaited<ReturnType<typeof loadNewTicketPage>>;
