import type { Statement } from "~/db/client.server";
import type { tickets } from "~/db/schema/tickets";
import type { TicketPriority } from "~/lib/ticket-words";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { StoredTicket } from "./queries.server";

/** Tells the clock what has happened to a ticket. Internal notes, automatic mails and bounces are no events. */
export type PromiseEvent =
  | { type: "client-message" | "staff-message" | "organization-moved"; at: Instant }
  | { type: "status-changed"; at: Instant; to: "open" | "in_progress" | "waiting_for_customer" }
  | { type: "priority-changed"; at: Instant; to: TicketPriority }
  | { type: "resolved" | "closed" | "reopened"; at: Instant; by: "client" | "staff" | "system" };

/** Holds the columns of a ticket that its clock keeps, and what else the batch writes down for it. */
export type PromiseStep = {
  columns: Pick<typeof tickets.$inferInsert, "promise_json" | "due_at" | "warn_at" | "miss_at">;
  statements: Statement[];
};

type Opening = {
  id: string;
  number: number;
  organizationId: string;
  by: "client" | "staff";
  at: Instant;
  priority: TicketPriority;
};

/** Starts the clock of a ticket. */
export const openPromise = async (_ctx: Pick<Ctx, "db" | "newId">, _opening: Opening): Promise<PromiseStep> => ({
  columns: { promise_json: "{}", due_at: null, warn_at: null, miss_at: null },
  statements: [],
});

/** Tells the clock of a ticket what has happened. `organizationId`: the one it belongs to from then on. */
export const stepPromise = async (
  _ctx: Pick<Ctx, "db" | "newId">,
  { promise }: StoredTicket,
  _events: { organizationId: string; events: readonly PromiseEvent[] },
): Promise<PromiseStep> => ({
  columns: {
    promise_json: promise.json,
    due_at: promise.dueAt,
    warn_at: promise.warnAt,
    miss_at: promise.missAt,
  },
  statements: [],
});
