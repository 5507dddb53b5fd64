import type { Secret } from "./find-secret";

/** Says while it is written what a message seems to hold that does not belong into one. */
export const SECRET_SIGNS: Record<Secret, string> = {
  password: "This seems to contain a password. Everybody who reads the ticket sees it.",
  card: "This seems to contain a card number. Everybody who reads the ticket sees it.",
};

/** Asks about it when the message is sent: it can be sent anyway. */
export const secretWarning = (secret: Secret): string => `${SECRET_SIGNS[secret]} Take it out, or send it anyway.`;
