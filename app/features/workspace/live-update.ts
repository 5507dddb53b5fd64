import type { LiveEventType } from "~/lib/live-event-types";
import type { SubjectType } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { LiveEventFrame } from "~/live/protocol";
import { LIVE_SENTENCES } from "./copy";
import { SUBJECT_KINDS, subjectTypeOf } from "./subjects";

/** Names the live channel of staff. */
export const STAFF_LIVE_PATH = "/admin/live";

/** Limits the updates in the panel. */
export const LIVE_PANEL_SIZE = 5;
/** Limits the events the list looks at: older ones are history, and the activity page has them. */
export const LIVE_UPDATES_LIMIT = 50;

/** Describes one line of the live panel, made from one stored event. */
export type LiveUpdate = { seq: number; type: LiveEventType; label: string; href: string | null; at: Instant };

/** Names the kind of subject of an event that has no id, because it is about many. */
const SUBJECT_OF: Record<LiveEventType, SubjectType> = {
  new_submission: "submission",
  status_update: "submission",
  new_note: "submission",
  mfa_event: "user",
  ticket_event: "ticket",
};

type StoredOrReceivedEvent = Pick<LiveEventFrame, "seq" | "type" | "id" | "label"> & { at: Instant };

/** Returns the update for an event, from the table or from the socket, whose frames have no type of subject. */
export const liveUpdate = ({ seq, type, id, label, at }: StoredOrReceivedEvent): LiveUpdate => ({
  seq,
  type,
  label: LIVE_SENTENCES[type](label),
  href: hrefOf(type, id),
  at,
});

function hrefOf(event: LiveEventType, id: string): string | null {
  const type = subjectTypeOf(id) ?? SUBJECT_OF[event];
  const { pages, listPath } = SUBJECT_KINDS[type];
  return (id === "" ? listPath : pages.staff?.(id)) ?? null;
}

/**
 * Returns the updates of the panel: those received since the server made its list, and then the list. Events up to
 * `listedThrough` come from the server's list only; a missing one was dismissed.
 */
export function mergeUpdates(listed: readonly LiveUpdate[], listedThrough: number, received: readonly LiveUpdate[]) {
  const newer = received.filter(({ seq }) => seq > listedThrough).sort((left, right) => right.seq - left.seq);
  return [...newer, ...listed].slice(0, LIVE_PANEL_SIZE);
}
