/** Says where the mails about a message are, for staff. */
export type MessageDelivery = { state: "waiting" | "sent" | "failed"; words: string };
