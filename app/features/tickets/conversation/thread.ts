import type { AttachedFile } from "~/features/attachments/model";
import type { Instant } from "~/lib/time";
import { ticketEventWords } from "../event-words";
import type { StoredTicketEvent, TicketFile, TicketMessage } from "./queries.server";

/** Holds a part of a conversation as it is shown. */
export type ThreadEntry =
  | {
      kind: "message";
      id: string;
      at: Instant;
      author: string;
      side: "client" | "staff";
      isInternal: boolean;
      /** Tells whether the reader has written it. */
      isOwn: boolean;
      text: string;
      files: AttachedFile[];
    }
  | { kind: "event"; id: string; at: Instant; words: string };

/** Limits the messages that can be passed by without a link to the last of them. */
const FEW = 10;

/** Returns the id of the last message of a long conversation, to which a link at its top leads; null: it is short. */
export const latestOfMany = (messages: readonly { id: string }[]): string | null =>
  messages.length > FEW ? (messages.at(-1)?.id ?? null) : null;

type Parts = {
  ticket: {
    id: string;
    createdAt: Instant;
    description: string;
    creator: { id: string | null; name: string };
    /** Names the member of staff who wrote it for the client. */
    openedBy: { id: string | null; name: string } | null;
  };
  messages: readonly TicketMessage[];
  /** Lists the events, newest first. */
  events: readonly StoredTicketEvent[];
  files: readonly TicketFile[];
  hasEarlier: boolean;
  reader: { userId: string; side: "client" | "staff" };
};

/**
 * Puts a conversation together, the oldest first: the description, where nothing lies between it and the messages, what
 * was written and what has happened since.
 */
export function threadOf({ ticket, messages, events, files, hasEarlier, reader }: Parts): ThreadEntry[] {
  const filesOf = (messageId: string | null): AttachedFile[] =>
    files.filter((file) => file.messageId === messageId).map(({ messageId: _, ...file }) => file);
  const writer = ticket.openedBy ?? ticket.creator;
  const description: ThreadEntry = {
    kind: "message",
    id: ticket.id,
    at: ticket.createdAt,
    author: writer.name,
    side: ticket.openedBy ? "staff" : "client",
    isInternal: false,
    isOwn: writer.id === reader.userId,
    text: ticket.description,
    files: filesOf(null),
  };
  const written = messages.map(
    ({ authorId, ...message }): ThreadEntry => ({
      kind: "message",
      ...message,
      isOwn: authorId === reader.userId,
      files: filesOf(message.id),
    }),
  );
  const since = hasEarlier ? (messages[0]?.at ?? 0) : 0;
  const happened = events.flatMap((event): ThreadEntry[] => {
    const words = event.at < since ? null : ticketEventWords(event, reader.side);
    return words === null ? [] : [{ kind: "event", id: event.id, at: event.at, words }];
  });
  // Of the same instant the message comes first, and then what it led to.
  const later = [...written, ...happened.reverse()].toSorted((left, right) => left.at - right.at);
  return hasEarlier ? later : [description, ...later];
}
