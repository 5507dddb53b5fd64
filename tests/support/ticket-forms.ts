/** Names the purpose of the token of each form that staff have on the page of a ticket. */
export const STAFF_FORM_PURPOSES: Record<string, string> = {
  reply: "ticket-reply",
  reply_next: "ticket-reply",
  reply_wait: "ticket-reply",
  reply_resolve: "ticket-reply",
  draft: "ticket-reply",
  note: "ticket-note",
  handling: "ticket-handling",
  priority: "ticket-priority",
  add_person: "ticket-people",
  visit: "ticket-visit",
  reverse_allowance: "ticket-allowance",
  mute: "ticket-mute",
};
