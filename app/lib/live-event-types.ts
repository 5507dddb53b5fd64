/** The names are fixed: clients outside the product read them. */
export const LIVE_EVENT_TYPES = ["new_submission", "status_update", "new_note", "mfa_event", "ticket_event"] as const;
export type LiveEventType = (typeof LIVE_EVENT_TYPES)[number];
