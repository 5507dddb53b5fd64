import type { StoredTicketEvent, TicketFile, TicketMessage } from "~/features/conversation/messages.server";
import type { MailState, ThreadEntry, ThreadMessage, ThreadSolution } from "~/features/conversation/model";
import { type Instant, seconds } from "~/lib/time";
import { justSent } from "~/lib/time-labels";
import { ticketEventText } from "./labels";
import { isActive, type TicketStatus } from "./model";
import type { StoredTicket } from "./queries.server";

type Person = Pick<StoredTicketEvent, "actorId" | "actor" | "side">;

type Solution = {
  id: string;
  at: Instant;
  text: string;
  by: Person;
  /** Null: nobody has opened the ticket again since. */
  reopened: (Person & { at: Instant }) | null;
};

type Part = {
  ticket: Pick<StoredTicket, "id" | "resolution" | "resolvedAt">;
  since: Instant;
  isNewest: boolean;
};

/**
 * Returns what was done each time a ticket was resolved in a part of its conversation. The newest part has what it is
 * resolved by now in any case, however much has happened since. `events`: newest first.
 */
function solutionsOf(events: readonly StoredTicketEvent[], { ticket, since, isNewest }: Part): Solution[] {
  const { resolution, resolvedAt } = ticket;
  const isCurrent = ({ at }: { at: Instant }) =>
    resolution !== null && resolvedAt !== null && Math.abs(at - resolvedAt) < seconds(1);
  const moves = events.filter(({ kind }) => kind === "status");
  const solutions = moves.flatMap((move, index): Solution[] => {
    const text = move.reason ?? (isCurrent(move) ? resolution : null);
    if (move.to !== "resolved" || !text) return [];
    const reopened = moves.slice(0, index).findLast(({ to }) => isActive(to as TicketStatus)) ?? null;
    return [{ id: move.id, at: move.at, text, by: move, reopened }];
  });
  if (isNewest && resolution !== null && resolvedAt !== null && !solutions.some(isCurrent)) {
    const by: Person = { actorId: null, actor: "", side: "staff" };
    solutions.push({ id: `${ticket.id}-resolution`, at: resolvedAt, text: resolution, by, reopened: null });
  }
  return solutions.filter((each) => each.at >= since || (isNewest && isCurrent(each)));
}

const FEW = 10;

/** Returns the id of the last message of a long conversation, to which a link at its top leads; null: it is short. */
export const latestOfMany = (messages: readonly { id: string }[]): string | null =>
  messages.length > FEW ? (messages.at(-1)?.id ?? null) : null;

type Parts = {
  ticket: StoredTicket;
  /** Of this page, the oldest first. */
  conversation: { messages: readonly TicketMessage[]; hasEarlier: boolean };
  /** The newest first; with those after this page, which tell who has opened the ticket again. */
  events: readonly StoredTicketEvent[];
  isOfPage?: (event: { id: string }) => boolean;
  files: readonly TicketFile[];
  mails?: Readonly<Record<string, MailState>>;
  isNewest: boolean;
  reader: {
    userId: string;
    side: "client" | "staff";
    nameOf: (person: Person) => string;
    labels: Partial<Record<ThreadMessage["from"], string>>;
  };
  now: Instant;
};

/**
 * Puts the conversation of a ticket together as one reader sees it, the oldest first: the description, where nothing
 * lies between it and the messages, what was written, what was done, and for staff what else has happened. Every field
 * is named: what the database holds beside them stays out of it.
 */
export function threadOf({ ticket, conversation, events, files, isNewest, reader, now, ...parts }: Parts) {
  const { messages, hasEarlier } = conversation;
  const { isOfPage = () => true, mails = {} } = parts;
  const isOwn = (id: string | null) => id === reader.userId;
  const messageOf = ({ id, at, authorId, author, side, isInternal, text, notTo }: TicketMessage): ThreadMessage => {
    const from = isInternal
      ? "inside"
      : side === "staff"
        ? "us"
        : reader.side === "client" && isOwn(authorId)
          ? "you"
          : "them";
    return {
      kind: "message",
      id,
      at,
      author: reader.nameOf({ actorId: authorId, actor: author, side }),
      from,
      label: reader.labels[from] ?? null,
      text,
      impact: null,
      files: files
        .filter(({ messageId }) => messageId === (id === ticket.id ? null : id))
        .map(({ id: fileId, name, size, isImage }) => ({ id: fileId, name, size, isImage })),
      mail: mails[id] ?? null,
      notTo,
    };
  };
  const writer = ticket.openedBy ?? ticket.writtenBy ?? ticket.creator;
  const description = {
    ...messageOf({
      id: ticket.id,
      at: ticket.createdAt,
      authorId: writer.id,
      author: writer.name,
      side: ticket.openedBy ? "staff" : "client",
      isInternal: false,
      text: ticket.description,
      notTo: null,
    }),
    // Staff see it beside the conversation.
    impact: reader.side === "client" ? ticket.impact : null,
  };
  const since = hasEarlier ? (messages[0]?.at ?? 0) : 0;
  const happened = events.flatMap((event): ThreadEntry[] => {
    const words = event.at < since || reader.side === "client" ? null : ticketEventText(event, "staff");
    return words === null ? [] : [{ kind: "event", id: event.id, at: event.at, words }];
  });
  const solutions = solutionsOf(events, { ticket, since, isNewest }).filter((each) => isNewest || isOfPage(each));
  const done = solutions.map(
    ({ id, at, text, by, reopened }): ThreadSolution => ({
      kind: "solution",
      id,
      at,
      text,
      by: reader.nameOf(by),
      reopened: reopened && { by: reader.nameOf(reopened), at: reopened.at },
    }),
  );
  // What went with a message is part of it.
  const isAlone = ({ at, by }: Solution) =>
    !messages.some(({ authorId, at: written }) => authorId === by.actorId && Math.abs(written - at) < seconds(1));
  const own = [
    ...messages.map(({ id, at, authorId }) => ({ id, at, isOwn: isOwn(authorId) })),
    ...solutions.map((each) => ({ id: each.id, at: each.at, isOwn: isOwn(each.by.actorId) && isAlone(each) })),
  ];
  // Of the same instant the message comes first, then what it led to, and last what was done.
  const later = [...messages.map(messageOf), ...happened.reverse(), ...done].toSorted((a, b) => a.at - b.at);
  return {
    entries: hasEarlier ? later : [description, ...later],
    sent: justSent(
      own.toSorted((a, b) => a.at - b.at),
      now,
    ),
    earlier: hasEarlier ? (messages[0]?.id ?? null) : null,
    latest: isNewest ? latestOfMany(messages) : null,
  };
}
