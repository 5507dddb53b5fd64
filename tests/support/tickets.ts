import { tickets } from "~/db/schema/tickets";
import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import { ticketSearchText } from "~/features/tickets/search-text";
import type { Ctx } from "~/platform/context.server";

let numbers = 0;

type TicketOptions = {
  organizationId: string;
  organizationName?: string;
  createdBy: { id: string; fullName: string };
  title?: string;
  description?: string;
  status?: TicketStatus;
  priority?: TicketPriority;
  assignedTo?: string;
  isPrivate?: boolean;
  at?: number;
};

/** Stores a ticket without a running promise, for tests that are not about how tickets are opened. */
export async function makeTicket(ctx: Ctx, options: TicketOptions): Promise<{ id: string; number: number }> {
  numbers += 1;
  const id = ctx.newId("tkt");
  const at = options.at ?? ctx.now();
  const { title = "Printer offline", description = "It blinks.", status = "open" } = options;
  const number = 500_000 + numbers;
  await ctx.db.insert(tickets).values({
    id,
    number,
    organization_id: options.organizationId,
    title,
    description,
    status,
    priority: options.priority ?? "medium",
    created_by: options.createdBy.id,
    creator_name: options.createdBy.fullName,
    assigned_to: options.assignedTo ?? null,
    is_private: options.isPrivate ?? false,
    resolved_at: status === "resolved" || status === "closed" ? at : null,
    closed_at: status === "closed" ? at : null,
    waiting_since: status === "waiting_for_customer" ? at : null,
    last_message_at: at,
    promise_json: "{}",
    viewers: `~${options.createdBy.id}.`,
    search_text: ticketSearchText({
      title,
      number,
      description,
      organization: options.organizationName ?? "Larkspur Row",
    }),
    created_at: at,
    updated_at: at,
  });
  return { id, number };
}
