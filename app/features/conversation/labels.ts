export const DRAFT_SAVED = { title: "Draft saved", message: "Only you can see it." } as const;
export const DRAFT_DELETED = { title: "Draft deleted", message: "Nothing of it is kept." } as const;
export const MESSAGE_ADDED = { title: "Success", message: "Message added successfully" } as const;
export const MESSAGE_NOT_ADDED = "Failed to add message";
export const REPLY_UNDONE = {
  title: "Taken back",
  message: "No mail was sent. The text is your draft again; files have to be chosen again.",
} as const;
export const TOO_LATE_TO_UNDO = "It is too late to take this reply back.";
export const WRITE_SOMETHING = "Write a message or attach a file.";
export const TICKET_CHANGED = "This ticket changed while you were working";
export const repliedMeanwhile = (name: string): string => `${name} replied while you were writing.`;

export const SECRET_SIGNS = {
  password: "This seems to contain a password. Everybody who reads the ticket sees it.",
  card: "This seems to contain a card number. Everybody who reads the ticket sees it.",
} as const;

export const secretWarning = (secret: keyof typeof SECRET_SIGNS): string =>
  `${SECRET_SIGNS[secret]} Take it out, or send it anyway.`;
