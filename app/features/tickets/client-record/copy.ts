export const MESSAGE_ADDED = { title: "Success", message: "Message added successfully" } as const;
export const MESSAGE_FAILED = "Failed to add message";
export const SAY_WHAT_IS_WRONG = "Say what is still wrong.";
export const SOLVED_MEANWHILE = "It was resolved while you were writing. Read what was done first.";
export const WRITE_SOMETHING = "Write a message or attach a file.";
export const MESSAGE_TOO_LONG = "A message can have at most 20,000 characters.";
export const NOT_SENT = "Your message was not sent";

export const PRIVACY_SAVED = { title: "Success", message: "Ticket updated" } as const;
export const PERSON_ADDED = { title: "Success", message: "Added. They can read this ticket now." } as const;
export const PERSON_REMOVED = { title: "Success", message: "Taken off this ticket." } as const;
export const NOT_CHANGED = "Failed to update ticket";
export const CHOOSE_PERSON = "Choose a colleague.";

/** Tells that an answer to a ticket that ended long ago has become a new one. */
export const followUpOpened = (number: string) => ({
  title: "Success",
  message: `The earlier ticket is closed for good, so we opened ${number} for your message.`,
});
