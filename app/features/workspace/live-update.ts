import type { LiveEventType } from "~/lib/live-event-types";
import type { Instant } from "~/lib/time";
import { LIVE_SENTENCES } from "./copy";

/** How many the panel holds. */
export const LIVE_PANEL_SIZE = 5;
/** How far back the list reaches: older events are history, and the activity page has it. */
export const LIVE_UPDATES_LIMIT = 50;

/** One line of the live panel. */
export type LiveUpdate = { seq: number; type: LiveEventType; label: string; href: string | null; at: Instant };

const PLACES: Record<LiveEventType, (objectId: string) => string | null> = {
  new_submission: (id) => `/admin/submissions/${id}`,
  // A bulk change is one event about many: it leads to the list.
  status_update: (id) => (id === "" ? "/admin/submissions" : `/admin/submissions/${id}`),
  new_note: (id) => `/admin/submissions/${id}`,
  mfa_event: () => null,
  ticket_event: (id) => `/admin/tickets/${id}`,
};

type Event = { seq: number; type: LiveEventType; objectId: string; label: string; at: Instant };

export const liveUpdate = ({ seq, type, objectId, label, at }: Event): LiveUpdate => ({
  seq,
  type,
  label: LIVE_SENTENCES[type](label),
  href: PLACES[type](objectId),
  at,
});

/**
 * What the panel shows: the list the server made, and before it whatever has arrived since. What the server has
 * already looked at is left to it: an event it does not list has been dismissed.
 */
export function withArrivals(listed: readonly LiveUpdate[], listedThrough: number, arrived: readonly LiveUpdate[]) {
  const newer = arrived.filter(({ seq }) => seq > listedThrough).sort((left, right) => right.seq - left.seq);
  return [...newer, ...listed].slice(0, LIVE_PANEL_SIZE);
}
