import { canBePresent } from "~/access/live-events";
import { type Instant, minutes } from "~/lib/time";
import type { LiveSession } from "./hub-reads.server";
import type { HereFrame } from "./protocol";
import { sendFrame, socketStateOf, updateSocketState, type Viewing } from "./sockets.server";

/** What it knows is stored with its socket, where there is little room. */
const PEOPLE_LISTED = 5;
/** A page in the background gives one each minute. */
const SILENCE = minutes(3);
type Person = { userId: string; name: string; writing: boolean };

export const presenceOf = (socket: WebSocket): Viewing | null => socketStateOf(socket).viewing;

/** Notes which ticket the page of a socket shows now. Returns the tickets whose people must hear of it. */
export function moveTo(socket: WebSocket, { ticketId, writing }: HereFrame, now: Instant): string[] {
  const before = presenceOf(socket);
  const lastSent = before?.ticketId === ticketId ? before.lastSent : "";
  updateSocketState(socket, { viewing: ticketId === null ? null : { ticketId, writing, since: now, lastSent } });
  return [before?.ticketId, ticketId].filter((id) => typeof id === "string");
}

export const socketsOn = (sockets: readonly WebSocket[], ticketIds?: readonly string[]): WebSocket[] =>
  sockets.filter((socket) => {
    const viewing = presenceOf(socket);
    return viewing && (!ticketIds || ticketIds.includes(viewing.ticketId));
  });

export const isCompany = (sockets: readonly WebSocket[]): boolean =>
  sockets.some((socket) => presenceOf(socket)?.lastSent) ||
  new Set(sockets.map((each) => socketStateOf(each).uid)).size > 1;

type Telling = {
  /** Whoever came later is told of by the query that they caused. */
  asked: ReadonlySet<string>;
  sessions: ReadonlyMap<string, LiveSession>;
  heartbeatOf: (socket: WebSocket) => Instant | null;
  now: Instant;
};

/** Not to or of sessions that have ended, people who may not see tickets any more, and silent pages. */
export function announcePresence(sockets: readonly WebSocket[], telling: Telling): void {
  const tickets = new Set(sockets.map((socket) => presenceOf(socket)?.ticketId ?? ""));
  tickets.delete("");
  for (const ticketId of tickets) {
    const here = socketsOn(sockets, [ticketId]);
    if (here.some((socket) => !telling.asked.has(socketStateOf(socket).sid))) continue;
    const pages = here.flatMap((socket) => pageOf(socket, telling) ?? []);
    const people = new Map<string, Person>();
    for (const { session, viewing } of pages) {
      const { name, listener } = session;
      const writing = viewing.writing || people.get(listener.userId)?.writing === true;
      people.set(listener.userId, { userId: listener.userId, name, writing });
    }
    for (const page of pages) tell(page, [...people.values()]);
  }
}

type Page = { socket: WebSocket; session: LiveSession; viewing: Viewing };

function pageOf(socket: WebSocket, { sessions, heartbeatOf, now }: Telling): Page | null {
  const session = sessions.get(socketStateOf(socket).sid);
  const viewing = presenceOf(socket);
  if (!viewing || !session?.canListen || !canBePresent(session.listener)) return null;
  const isSilent = now - Math.max(viewing.since, heartbeatOf(socket) ?? 0) > SILENCE;
  return isSilent ? null : { socket, session, viewing };
}

function tell({ socket, session, viewing }: Page, people: readonly Person[]): void {
  const others = people
    .filter(({ userId }) => userId !== session.listener.userId)
    .toSorted((left, right) => Number(right.writing) - Number(left.writing) || left.name.localeCompare(right.name))
    .slice(0, PEOPLE_LISTED);
  const lastSent = others.map(({ userId, writing }) => (writing ? `${userId}!` : userId)).join(" ");
  if (lastSent === viewing.lastSent) return;
  updateSocketState(socket, { viewing: { ...viewing, lastSent } });
  sendFrame(socket, {
    type: "here",
    id: viewing.ticketId,
    people: others.map(({ name, writing }) => ({ name, writing })),
  });
}
