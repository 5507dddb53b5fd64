import type { Statement } from "~/db/client.server";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-words";
import type { Ctx } from "~/platform/context.server";
import type { TicketActor } from "./model";

/** Holds what has happened to a ticket, for those who want to be told. Absent: it did not happen. */
export type TicketNews = {
  ticket: {
    id: string;
    number: number;
    title: string;
    organization: { id: string; name: string };
    priority: TicketPriority;
    /** Status after the change. */
    status: TicketStatus;
    creator: { id: string | null; name: string };
    /** Who had it before the change. */
    assignee: { id: string; name: string } | null;
    isPrivate: boolean;
  };
  actor: TicketActor;
  /** It was opened: by the client, or by staff for the client. */
  opened?: { description: string };
  message?: { id: string; text: string; isInternal: boolean };
  /** The status before the change. */
  statusBefore?: TicketStatus;
  /** What was done, as the client reads it. */
  resolution?: string;
  /** Who has it from now on. */
  assigned?: { id: string; name: string };
  personAdded?: { id: string; name: string };
};

/** Returns the statements that tell people of a change, for its batch: notifications and mails. */
export const announceTicket = async (_ctx: Ctx, _news: TicketNews): Promise<Statement[]> => [];
