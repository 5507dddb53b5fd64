import type { Statement } from "~/db/client.server";

/** Holds files that are stored already, and become files of a message, or of a ticket's description, in its batch. */
export type Uploads = {
  count: number;
  /** `messageId` null: files of the description. */
  statements: (place: { ticketId: string; messageId: string | null }) => Statement[];
};
