import type { Db } from "~/db/client.server";
import { repliedMeanwhile } from "~/features/conversation/labels";
import {
  listNewerMessages,
  listTicketEvents,
  type StoredTicketEvent,
  type TicketMessage,
} from "~/features/conversation/messages.server";
import type { Conflict } from "~/features/conversation/model";
import { endedMeanwhile } from "./labels";
import { isActive, type TicketStatus } from "./model";
import type { StoredTicket } from "./queries.server";

type BaseVersion = {
  baseMessage: number;
  /** Names the status that staff saw when they began; absent: it does not matter. */
  baseStatus?: TicketStatus;
  by: string;
  nameOf: (message: TicketMessage) => string;
};

async function findEnd(
  db: Db,
  { id, status }: Pick<StoredTicket, "id" | "status">,
  { baseStatus, by }: Pick<BaseVersion, "baseStatus" | "by">,
): Promise<{ status: "resolved" | "closed"; event: StoredTicketEvent | null } | null> {
  if (baseStatus === undefined || !isActive(baseStatus)) return null;
  if (status !== "resolved" && status !== "closed") return null;
  const events = await listTicketEvents(db, id);
  const event = events.find(({ kind, to }) => kind === "status" && to === status) ?? null;
  return event?.actorId === by ? null : { status, event };
}

export const hasConflict = async (
  db: Db,
  ticket: Pick<StoredTicket, "id" | "publicMessages" | "status">,
  base: Omit<BaseVersion, "nameOf">,
): Promise<boolean> =>
  (await listNewerMessages(db, ticket.id, { ...base, publicMessages: ticket.publicMessages })).length > 0 ||
  (await findEnd(db, ticket, base)) !== null;

/**
 * Reads what others wrote on a ticket since somebody began a reply, as its author reads their names; for staff also who
 * has ended it, and what was done.
 */
export async function readConflict(
  db: Db,
  { id, publicMessages, status }: Pick<StoredTicket, "id" | "publicMessages" | "status">,
  { nameOf, baseStatus, ...base }: BaseVersion,
): Promise<Conflict> {
  const [newer, end] = await Promise.all([
    listNewerMessages(db, id, { ...base, publicMessages }),
    findEnd(db, { id, status }, { baseStatus, by: base.by }),
  ]);
  const messages = newer.map((each) => ({ id: each.id, author: nameOf(each), at: each.at, text: each.text }));
  const seen = { upTo: publicMessages, status };
  const replied = repliedMeanwhile(messages.at(-1)?.author ?? "Someone");
  if (!end) return { words: replied, messages, ...seen };
  const { event } = end;
  const name = event?.actor || "The system";
  const words =
    messages.length > 0 ? `${replied} ${endedMeanwhile(end.status, null)}` : endedMeanwhile(end.status, name);
  const done = event?.reason ? [{ id: event.id, author: name, at: event.at, text: event.reason }] : [];
  return { words, messages: [...messages, ...done], ...seen };
}
