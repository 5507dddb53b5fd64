import type { ClientTransition } from "../model";

export const TICKETS_FAILED = "Failed to fetch tickets";
export const NONE_FOUND = "No tickets found";
export const NONE_YET = "No tickets yet. When something breaks, or you need something set up, open the first one.";
export const WAITING_FOR_YOU = "Waiting for you";

/** Names the buttons by which a client moves a ticket. */
export const TRANSITION_LABELS: Record<ClientTransition, string> = {
  solved: "It's solved",
  close: "Close",
  reopen: "Reopen",
};
