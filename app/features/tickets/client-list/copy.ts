import type { ClientTransition } from "../model";

export const TICKETS_FAILED = "Failed to fetch tickets";
export const NONE_FOUND = "No tickets found";
export const NONE_YET = "No tickets yet. When something breaks, or you need something set up, open the first one.";
export const WAITING_FOR_YOU = "Waiting for you";

/** Names the button that closes a ticket: beside the one that says it is solved, that this is something else. */
export const closeLabel = (isActive: boolean): string => (isActive ? "Close without a solution" : "Close");

/** Names the buttons by which a client moves a ticket, of those that there are. */
export const transitionLabel = (move: ClientTransition, moves: readonly ClientTransition[]): string =>
  ({ solved: "It's solved", close: closeLabel(moves.includes("solved")), reopen: "Reopen" })[move];
