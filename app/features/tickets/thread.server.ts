import type { AttachedFile } from "~/features/attachments/model";
import type { StoredTicketEvent, TicketFile, TicketMessage } from "~/features/conversation/messages.server";
import { type Instant, seconds } from "~/lib/time";
import { ticketEventWords } from "./labels";
import { isActive, type TicketStatus } from "./model";
import type { StoredTicket } from "./queries.server";

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
  | { kind: "event"; id: string; at: Instant; words: string }
  | ({ kind: "solution"; isOwn: boolean } & Solution);

/** Holds what was done when a ticket was resolved. It stays in the conversation when the ticket is opened again. */
export type Solution = {
  id: string;
  at: Instant;
  text: string;
  by: Person;
  /** Says who has opened the ticket again after it, and when; null: nobody yet. */
  reopened: { by: Person; at: Instant } | null;
};

type Person = Pick<StoredTicketEvent, "actorId" | "actor" | "side">;

const personOf = ({ actorId, actor, side }: StoredTicketEvent): Person => ({ actorId, actor, side });

type Resolved = Pick<StoredTicket, "id" | "resolution" | "resolvedAt">;

/** Says which part of a conversation is shown: since when, and whether it is the newest. */
type Part = { ticket: Resolved; since: Instant; isNewest: boolean };

/**
 * Returns what was done each time a ticket was resolved in a part of its conversation. The newest part has what it is
 * resolved by now in any case, however much has happened since. `events`: newest first.
 */
export function solutionsOf(events: readonly StoredTicketEvent[], { ticket, since, isNewest }: Part): Solution[] {
  const { resolution, resolvedAt } = ticket;
  const isCurrent = ({ at }: { at: Instant }) =>
    resolution !== null && resolvedAt !== null && Math.abs(at - resolvedAt) < seconds(1);
  const moves = events.filter(({ kind }) => kind === "status");
  const solutions = moves.flatMap((move, index): Solution[] => {
    const text = move.reason ?? (isCurrent(move) ? resolution : null);
    if (move.to !== "resolved" || !text) return [];
    const reopening = moves.slice(0, index).findLast(({ to }) => isActive(to as TicketStatus));
    return [
      {
        id: move.id,
        at: move.at,
        text,
        by: personOf(move),
        reopened: reopening ? { by: personOf(reopening), at: reopening.at } : null,
      },
    ];
  });
  if (isNewest && resolution !== null && resolvedAt !== null && !solutions.some(isCurrent)) {
    const by: Person = { actorId: null, actor: "", side: "staff" };
    solutions.push({ id: `${ticket.id}-resolution`, at: resolvedAt, text: resolution, by, reopened: null });
  }
  return solutions.filter((each) => each.at >= since || (isNewest && isCurrent(each)));
}

/** Limits the messages that can be passed by without a link to the last of them. */
const FEW = 10;

/** Returns the id of the last message of a long conversation, to which a link at its top leads; null: it is short. */
export const latestOfMany = (messages: readonly { id: string }[]): string | null =>
  messages.length > FEW ? (messages.at(-1)?.id ?? null) : null;

type Parts = {
  ticket: Resolved & {
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
  /** Tells whether these are the newest messages. */
  isNewest: boolean;
  reader: { userId: string; side: "client" | "staff" };
};

/**
 * Puts a conversation together, the oldest first: the description, where nothing lies between it and the messages, what
 * was written and what has happened since.
 */
export function threadOf({ ticket, messages, events, files, hasEarlier, isNewest, reader }: Parts): ThreadEntry[] {
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
  const solutions = solutionsOf(events, { ticket, since, isNewest }).map((solution): ThreadEntry => {
    const { actorId } = solution.by;
    // What went with a message is part of it.
    const isAlone = !messages.some(
      ({ authorId, at }) => authorId === actorId && Math.abs(at - solution.at) < seconds(1),
    );
    return { kind: "solution", ...solution, isOwn: isAlone && actorId === reader.userId };
  });
  // Of the same instant the message comes first, then what it led to, and last what was done.
  const later = [...written, ...happened.reverse(), ...solutions].toSorted((left, right) => left.at - right.at);
  return hasEarlier ? later : [description, ...later];
}
