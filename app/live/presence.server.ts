import { canBePresent } from "~/access/live-events";
import { type Instant, minutes } from "~/lib/time";
import type { LiveSession } from "./hub-reads.server";
import type { HereFrame } from "./protocol";
import { type Place, sendFrame, socketStateOf, updateSocketState } from "./sockets.server";

/** What it knows is stored with its socket, where there is little room. */
const PEOPLE_TOLD = 5;
/** A page in the background gives one each minute. */
const SILENCE = minutes(3);

type Sessions = ReadonlyMap<string, LiveSession>;
type Person = { userId: string; name: string; writing: boolean };

export const presenceOf = (socket: WebSocket): Place | null => socketStateOf(socket).place;

/** Notes which ticket the page of a socket shows now. Returns the tickets whose people must hear of it. */
export function moveTo(socket: WebSocket, { ticketId, writing }: HereFrame, now: Instant): string[] {
  const before = presenceOf(socket);
  const told = before?.ticketId === ticketId ? before.told : "";
  updateSocketState(socket, { place: ticketId === null ? null : { ticketId, writing, since: now, told } });
  return [before?.ticketId, ticketId].filter((id) => typeof id === "string");
}

export const socketsOn = (sockets: readonly WebSocket[], ticketIds?: readonly string[]): WebSocket[] =>
  sockets.filter((socket) => {
    const place = presenceOf(socket);
    return place && (!ticketIds || ticketIds.includes(place.ticketId));
  });

export const isCompany = (sockets: readonly WebSocket[]): boolean =>
  sockets.some((socket) => presenceOf(socket)?.told) ||
  new Set(sockets.map((each) => socketStateOf(each).uid)).size > 1;

type Telling = {
  /** Whoever came later is told of by the look-up that they caused. */
  asked: ReadonlySet<string>;
  sessions: Sessions;
  heartbeatOf: (socket: WebSocket) => Instant | null;
  now: Instant;
};

/** Not to or of sessions that have ended, people who may not see tickets any more, and silent pages. */
export function tellWhoIsHere(sockets: readonly WebSocket[], telling: Telling): void {
  const tickets = new Set(sockets.map((socket) => presenceOf(socket)?.ticketId ?? ""));
  tickets.delete("");
  for (const ticketId of tickets) {
    const here = socketsOn(sockets, [ticketId]);
    if (here.some((socket) => !telling.asked.has(socketStateOf(socket).sid))) continue;
    const pages = here.flatMap((socket) => pageOf(socket, telling) ?? []);
    const people = new Map<string, Person>();
    for (const { session, place } of pages) {
      const { name, listener } = session;
      const writing = place.writing || people.get(listener.userId)?.writing === true;
      people.set(listener.userId, { userId: listener.userId, name, writing });
    }
    for (const page of pages) tell(page, [...people.values()]);
  }
}

type Page = { socket: WebSocket; session: LiveSession; place: Place };

function pageOf(socket: WebSocket, { sessions, heartbeatOf, now }: Telling): Page | null {
  const session = sessions.get(socketStateOf(socket).sid);
  const place = presenceOf(socket);
  if (!place || !session?.canListen || !canBePresent(session.listener)) return null;
  const isSilent = now - Math.max(place.since, heartbeatOf(socket) ?? 0) > SILENCE;
  return isSilent ? null : { socket, session, place };
}

function tell({ socket, session, place }: Page, people: readonly Person[]): void {
  const others = people
    .filter(({ userId }) => userId !== session.listener.userId)
    .toSorted((left, right) => Number(right.writing) - Number(left.writing) || left.name.localeCompare(right.name))
    .slice(0, PEOPLE_TOLD);
  const told = others.map(({ userId, writing }) => (writing ? `${userId}!` : userId)).join(" ");
  if (told === place.told) return;
  updateSocketState(socket, { place: { ...place, told } });
  sendFrame(socket, {
    type: "here",
    id: place.ticketId,
    people: others.map(({ name, writing }) => ({ name, writing })),
  });
}
