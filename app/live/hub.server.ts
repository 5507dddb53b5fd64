import { DurableObject } from "cloudflare:workers";
import { type Audience, canBePresent, canReceive, PRESENCE_AUDIENCE } from "~/access/live-events";
import { withTimeout } from "~/lib/errors";
import { type Instant, minutes, seconds } from "~/lib/time";
import {
  type DeliveryData,
  type LiveSession,
  readForDelivery,
  readSessions,
  type StoredEvent,
} from "./hub-reads.server";
import {
  CLOSE_CODES,
  HEARTBEAT,
  type HereFrame,
  type LiveEventFrame,
  parseClientFrame,
  REPLAY_LIMIT,
} from "./protocol";
import {
  changeSocketState,
  countFrame,
  reportLiveFailure,
  type SocketState,
  sendFrame,
  socketStateOf,
  socketTag,
  socketTags,
  storeSocketState,
  updateSocketState,
  type Viewing,
} from "./sockets.server";

type HubBindings = {
  DB: D1Database;
  LIVE_MAX_SOCKETS?: unknown;
};

const SOCKETS_PER_PERSON = 5;
const SOCKETS_PER_INSTANCE = 200;
const MAX_FRAME_BYTES = 4096;
const ALARM_INTERVAL = minutes(1);
const DATABASE_TIMEOUT = seconds(5);
const NO_EVENTS = Number.MAX_SAFE_INTEGER;

/**
 * Sends the rows of `live_events` to open pages: one instance per audience, named after it. Nothing depends on it: a
 * page without a socket reads the same events in its loader.
 *
 * Each socket stores the number of the newest event it was sent or may not receive. A delivery reads all events after
 * the lowest of these numbers and sends each socket those after its own: in order and never twice.
 */
export class LiveHub extends DurableObject<HubBindings> {
  #runningDelivery: Promise<void> = Promise.resolve();
  #nextDelivery: Promise<void> | null = null;

  constructor(state: DurableObjectState, env: HubBindings) {
    super(state, env);
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT, HEARTBEAT));
  }

  async notify(): Promise<void> {
    await this.#deliver();
  }

  async disconnect(tag: string): Promise<void> {
    const closed = this.#openSockets(tag);
    for (const socket of closed) socket.close(CLOSE_CODES.signedOut, "Access has changed");
    await this.#announcePresence(closed.flatMap((socket) => presenceOf(socket)?.ticketId ?? []));
  }

  override async fetch(request: Request): Promise<Response> {
    const uid = request.headers.get("X-Live-User");
    const sid = request.headers.get("X-Live-Session");
    const role = request.headers.get("X-Live-Role");
    if (!uid || !sid || !role) return new Response("The headers of the person are missing.", { status: 400 });
    this.#closeOldestSockets(uid);
    if (this.#openSockets().length >= this.#socketLimit()) {
      return new Response("Too many pages are connected.", { status: 503, headers: { "Retry-After": "30" } });
    }
    const { 0: client, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket, socketTags({ uid, sid }));
    const now = Date.now();
    const unknown = { exp: null, seq: null, viewing: null };
    const state: SocketState = { uid, sid, role, ...unknown, acceptedAt: now, frames: 0, windowStart: now };
    socket.serializeAttachment(state);
    await this.#scheduleAlarm();
    // Checks the session again: a disconnect after the worker's check and before this line found no socket to close.
    // Also sets the number after which the socket gets events, before the browser knows that it is connected.
    await this.#deliver();
    // The database did not respond, so the newest number is unknown: the next delivery starts with the first event.
    if (socketStateOf(socket).seq === null) updateSocketState(socket, { seq: 0 });
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    // Frames that were sent before the socket was closed.
    if (socket.readyState !== WebSocket.OPEN) return;
    if (typeof message !== "string") return socket.close(CLOSE_CODES.binary, "Text frames only");
    if (isTooLong(message)) return socket.close(CLOSE_CODES.tooBig, "Frame too large");
    if (countFrame(socket, Date.now())) return socket.close(CLOSE_CODES.flood, "Too many frames");
    const frame = parseClientFrame(message);
    if (!frame) return socket.close(CLOSE_CODES.malformed, "Not a frame");
    if (frame.type === "ping") sendFrame(socket, { type: "pong" });
    if (frame.type === "hello") {
      // Nobody knows what the page has seen, so it must read all its data again.
      if (frame.lastSeq === null) return sendFrame(socket, { type: "reset" });
      updateSocketState(socket, { seq: frame.lastSeq });
      await this.#deliver();
    }
    if (frame.type === "here" && this.#audience === PRESENCE_AUDIENCE)
      await this.#announcePresence(moveTo(socket, frame, Date.now()));
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // Completes a close that the browser has started. Otherwise the browser would report a broken connection.
    if (socket.readyState !== WebSocket.CLOSED) socket.close(1000);
    if (this.#openSockets().length === 0) return this.ctx.storage.deleteAlarm();
    const viewing = presenceOf(socket);
    if (viewing) await this.#announcePresence([viewing.ticketId]);
  }

  override async alarm(): Promise<void> {
    await this.#deliver();
    if (this.#openSockets().length > 0) await this.#scheduleAlarm();
  }

  get #audience(): Audience {
    return this.ctx.id.name as Audience;
  }

  #openSockets(tag?: string): WebSocket[] {
    return this.ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN);
  }

  #socketLimit(): number {
    const configured = Number(this.env.LIVE_MAX_SOCKETS);
    return Number.isInteger(configured) && configured > 0 ? configured : SOCKETS_PER_INSTANCE;
  }

  #closeOldestSockets(uid: string): void {
    const own = this.#openSockets(socketTag.user(uid));
    own.sort((left, right) => socketStateOf(left).acceptedAt - socketStateOf(right).acceptedAt);
    const surplus = own.slice(0, Math.max(0, own.length - SOCKETS_PER_PERSON + 1));
    for (const socket of surplus) socket.close(CLOSE_CODES.replaced, "Opened elsewhere");
  }

  async #scheduleAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + ALARM_INTERVAL);
  }

  /** All calls during a delivery share the next one, which reads everything committed before these calls. */
  #deliver(): Promise<void> {
    if (!this.#nextDelivery) {
      this.#nextDelivery = this.#runningDelivery
        .then(() => {
          this.#nextDelivery = null;
          return this.#deliverNow();
        })
        // A failed delivery must not stop the next ones.
        .catch((error: unknown) => reportLiveFailure("live_delivery_failed", error));
      this.#runningDelivery = this.#nextDelivery;
    }
    return this.#nextDelivery;
  }

  async #deliverNow(): Promise<void> {
    const sockets = this.#openSockets().map((socket) => ({ socket, ...socketStateOf(socket) }));
    if (sockets.length === 0) return;
    const now = Date.now();
    let data: DeliveryData;
    try {
      const query = {
        audience: this.#audience,
        sids: [...new Set(sockets.map(({ sid }) => sid))],
        afterSeq: Math.min(...sockets.map(({ seq }) => seq ?? NO_EVENTS)),
        now,
      };
      data = await withTimeout(DATABASE_TIMEOUT, readForDelivery(this.env.DB, query));
    } catch (error) {
      // Every socket keeps its number, so the next delivery sends the events. Without a check of the session nothing is
      // sent now.
      reportLiveFailure("live_delivery_failed", error);
      for (const { socket, exp } of sockets) {
        if (exp !== null && exp <= now) socket.close(CLOSE_CODES.signedOut, "Session ended");
      }
      return;
    }
    const events = data.events.map(outgoing);
    for (const { socket, seq } of sockets) deliverTo(socket, seq, data, events);
    this.#tell(new Set(sockets.map(({ sid }) => sid)), data.sessions);
    // What was sent leaves first. The hub cannot hibernate before this ends.
    await scheduler.wait(0);
    for (const { socket } of sockets) if (socket.readyState === WebSocket.OPEN) storeSocketState(socket);
  }

  /** Whoever is alone costs no look into the database. */
  async #announcePresence(ticketIds: readonly string[]): Promise<void> {
    const here = socketsOn(this.#openSockets(), ticketIds);
    if (!isCompany(here)) return;
    const asked = new Set(here.map((socket) => socketStateOf(socket).sid));
    try {
      const query = { audience: this.#audience, sids: [...asked], now: Date.now() };
      this.#tell(asked, await withTimeout(DATABASE_TIMEOUT, readSessions(this.env.DB, query)));
    } catch (error) {
      // The next delivery tells it.
      reportLiveFailure("live_presence_failed", error);
    }
  }

  #tell(asked: ReadonlySet<string>, sessions: ReadonlyMap<string, LiveSession>): void {
    const heartbeatOf = (socket: WebSocket) => this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null;
    announcePresence(this.#openSockets(), { asked, sessions, heartbeatOf, now: Date.now() });
  }
}

/** Counting bytes is slow, so a text with too many characters is not counted. */
const isTooLong = (text: string) =>
  text.length > MAX_FRAME_BYTES || new TextEncoder().encode(text).byteLength > MAX_FRAME_BYTES;

type OutgoingEvent = { event: StoredEvent; text: string };

const outgoing = (event: StoredEvent): OutgoingEvent => ({ event, text: JSON.stringify(frameOf(event)) });

/** `seq` is the socket's number when the events were read. */
function deliverTo(
  socket: WebSocket,
  seq: number | null,
  { sessions, newestSeq }: DeliveryData,
  events: OutgoingEvent[],
): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  const state = socketStateOf(socket);
  const session = sessions.get(state.sid);
  if (!session) return socket.close(CLOSE_CODES.signedOut, "Session ended");
  if (!session.canListen) return socket.close(CLOSE_CODES.notAllowed, "Not allowed any more");
  // A hello has changed the number during the read, and has started the next delivery.
  if (state.seq !== seq) return;
  const missed = events.filter(({ event }) => seq !== null && event.seq > seq);
  // A number after the newest event is from before the database was restored.
  if (missed.length > REPLAY_LIMIT || (seq !== null && seq > newestSeq)) sendFrame(socket, { type: "reset" });
  else
    for (const { event, text } of missed)
      if (canReceive(session.listener, { type: event.type, actorId: event.actor_id })) sendFrame(socket, text);
  changeSocketState(socket, { seq: newestSeq, role: session.listener.role, exp: session.exp });
}

const frameOf = ({ seq, type, id, label, at }: StoredEvent): LiveEventFrame => ({
  v: 1,
  seq,
  type,
  id,
  label,
  at: new Date(at).toISOString(),
});

/** What it knows is stored with its socket, where there is little room. */
const PEOPLE_LISTED = 5;
/** A page in the background gives one each minute. */
const SILENCE = minutes(3);
type Person = { userId: string; name: string; writing: boolean };

const presenceOf = (socket: WebSocket): Viewing | null => socketStateOf(socket).viewing;

/** Notes which ticket the page of a socket shows now. Returns the tickets whose people must hear of it. */
function moveTo(socket: WebSocket, { ticketId, writing }: HereFrame, now: Instant): string[] {
  const before = presenceOf(socket);
  const lastSent = before?.ticketId === ticketId ? before.lastSent : "";
  updateSocketState(socket, { viewing: ticketId === null ? null : { ticketId, writing, since: now, lastSent } });
  return [before?.ticketId, ticketId].filter((id) => typeof id === "string");
}

const socketsOn = (sockets: readonly WebSocket[], ticketIds?: readonly string[]): WebSocket[] =>
  sockets.filter((socket) => {
    const viewing = presenceOf(socket);
    return viewing && (!ticketIds || ticketIds.includes(viewing.ticketId));
  });

const isCompany = (sockets: readonly WebSocket[]): boolean =>
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
function announcePresence(sockets: readonly WebSocket[], telling: Telling): void {
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
