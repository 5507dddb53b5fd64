import { LIVE_EVENT_TYPES, type LiveEventType } from "~/lib/subject";
import { type Actor, isVerifiedStaff } from "./model";
import { type Ability, can } from "./policy";

/** Names who a live event is for: all staff, or the people of one organization. Also the name of the hub instance. */
export type Audience = "staff" | `org:${string}`;

export const organizationAudience = (organizationId: string): Audience => `org:${organizationId}`;

/** Names the ability that opens the page of an event's subject. Who may not open the page does not get the event. */
const ABILITY_FOR: Record<LiveEventType, Ability> = {
  new_submission: "submission.view",
  status_update: "submission.view",
  new_note: "submission.view",
  mfa_event: "security.view",
  ticket_event: "ticket.view",
};

export type Listener = Actor & { aal: number; mfaEnabled: boolean };

export function canListen(listener: Listener, audience: Audience): boolean {
  if (audience === "staff") return isVerifiedStaff(listener) && can(listener, "live.staff");
  return listener.membership !== null && audience === organizationAudience(listener.membership.organizationId);
}

/** Names the only hub whose people are shown to each other. Clients are shown to nobody, and nobody to them. */
export const PRESENCE_AUDIENCE: Audience = "staff";

/** Tells whether a person who may listen there is shown on a ticket that they have open, and sees who else is. */
export const canBePresent = (listener: Actor): boolean => can(listener, "ticket.view");

/** Tells whether a person who may listen receives an event. People are not notified of their own actions. */
export const canReceive = (listener: Actor, event: { type: LiveEventType; actorId: string | null }): boolean =>
  event.actorId !== listener.userId && can(listener, ABILITY_FOR[event.type]);

export const receivableEventTypes = (listener: Actor): LiveEventType[] =>
  LIVE_EVENT_TYPES.filter((type) => can(listener, ABILITY_FOR[type]));
