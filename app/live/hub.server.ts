import { DurableObject } from "cloudflare:workers";
import { type Audience, canReceive } from "~/access/live-events";
import { minutes, seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";
import { type HubReading, readForDelivery, type StoredEvent } from "./hub-reads.server";
import { CLOSE, HEARTBEAT, type LiveEventFrame, parseClientFrame, REPLAY_LIMIT, type ServerFrame } from "./protocol";
import { reportLiveFailure } from "./report.server";
import { countFrame, type SocketState, socketStateOf, updateSocketState } from "./socket-state.server";
import { socketTags } from "./socket-tags";

/** The bindings the hub uses; it gets all of the worker's. */
type HubBindings = {
  DB: D1Database;
  /** Raises the number of sockets of one instance. */
  LIVE_MAX_SOCKETS?: unknown;
};

const SOCKETS_PER_PERSON = 5;
const SOCKETS_PER_INSTANCE = 200;
const MAX_FRAME_BYTES = 4096;
/** How often the hub looks by itself: for sessions that have ended and for events whose notify was lost. */
const ROUND = minutes(1);
const DATABASE_PATIENCE = seconds(5);
/** Above every real sequence number: asks for no events at all. */
const NO_EVENTS = Number.MAX_SAFE_INTEGER;

/**
 * One instance per audience, named after it. It relays what stands in `live_events` to the screens that are open, and
 * nothing depends on it: the table is the truth, and a page without a socket reads the same list from its loader.
 *
 * Each socket carries the number of the newest event it has been offered. A delivery reads everything after the lowest
 * of these numbers and gives each socket what lies beyond its own. New events, what a reconnecting page has missed and
 * the repair of a lost notify are therefore the same thing, in the order of the table and never twice.
 */
export class LiveHub extends DurableObject<HubBindings> {
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | null = null;

  constructor(state: DurableObjectState, env: HubBindings) {
    super(state, env);
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT, HEARTBEAT));
  }

  /** New events may stand in the table. */
  async notify(): Promise<void> {
    await this.#deliver();
  }

  /** Closes all sockets with a tag at once: a role has changed, a session or an account has ended. */
  async disconnect(tag: string): Promise<void> {
    const code = tag.startsWith("r:") ? CLOSE.notAllowed : CLOSE.signedOut;
    for (const socket of this.#open(tag)) socket.close(code, "Access has changed");
  }

  /** Accepts the socket of a person whom the worker has let in; only the worker can call this. */
  override async fetch(request: Request): Promise<Response> {
    const uid = request.headers.get("X-Live-User");
    const sid = request.headers.get("X-Live-Session");
    const role = request.headers.get("X-Live-Role");
    if (!uid || !sid || !role) return new Response("Nobody is announced.", { status: 400 });
    this.#makeRoomFor(uid);
    if (this.#open().length >= this.#capacity()) {
      return new Response("Too many screens are connected.", { status: 503, headers: { "Retry-After": "30" } });
    }
    const { 0: client, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket, socketTags({ uid, sid, role }));
    const now = Date.now();
    const fresh: SocketState = { uid, sid, role, exp: null, seq: null, acceptedAt: now, frames: 0, windowStart: now };
    socket.serializeAttachment(fresh);
    await this.#arm();
    // Asks the ledger once more: a disconnect between the worker's look and this line has found no socket to close. It also
    // sets the place from which the socket hears events, before the browser learns that it is connected.
    await this.#deliver();
    // The database did not answer, so nobody knows what happened before: the next delivery offers it from the start.
    if (socketStateOf(socket).seq === null) updateSocketState(socket, { seq: 0 });
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    // Frames that were already under way when the socket was closed.
    if (socket.readyState !== WebSocket.OPEN) return;
    if (typeof message !== "string") return socket.close(CLOSE.binary, "Text frames only");
    if (isTooLong(message)) return socket.close(CLOSE.tooBig, "Frame too large");
    if (countFrame(socket, Date.now())) return socket.close(CLOSE.flood, "Too many frames");
    const frame = parseClientFrame(message);
    if (frame?.type === "ping") send(socket, { type: "pong" });
    if (frame?.type === "hello") {
      updateSocketState(socket, { seq: frame.lastSeq });
      await this.#deliver();
    }
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    // The other half of a close that the browser began. Without it the browser would report a broken connection.
    if (socket.readyState !== WebSocket.CLOSED) socket.close(1000);
    if (this.#open().length === 0) await this.ctx.storage.deleteAlarm();
  }

  /** The minute's round, as long as anyone is connected. */
  override async alarm(): Promise<void> {
    await this.#deliver();
    if (this.#open().length > 0) await this.#arm();
  }

  /** Sockets that can still be written to. */
  #open(tag?: string): WebSocket[] {
    return this.ctx.getWebSockets(tag).filter((socket) => socket.readyState === WebSocket.OPEN);
  }

  #capacity(): number {
    const configured = Number(this.env.LIVE_MAX_SOCKETS);
    return Number.isInteger(configured) && configured > 0 ? configured : SOCKETS_PER_INSTANCE;
  }

  #makeRoomFor(uid: string): void {
    const own = this.#open(`u:${uid}`);
    own.sort((left, right) => socketStateOf(left).acceptedAt - socketStateOf(right).acceptedAt);
    const surplus = own.slice(0, Math.max(0, own.length - SOCKETS_PER_PERSON + 1));
    for (const socket of surplus) socket.close(CLOSE.replaced, "Opened elsewhere");
  }

  async #arm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + ROUND);
  }

  /** One delivery at a time. Whoever asks while one is running shares the one after it, which sees all they know. */
  #deliver(): Promise<void> {
    if (!this.#waiting) {
      this.#waiting = this.#running
        .then(() => {
          this.#waiting = null;
          return this.#deliverNow();
        })
        // A delivery that fails must not stop the ones that queue behind it.
        .catch((error: unknown) => reportLiveFailure("live_delivery_failed", error));
      this.#running = this.#waiting;
    }
    return this.#waiting;
  }

  async #deliverNow(): Promise<void> {
    const places = this.#open().map((socket) => ({ socket, ...socketStateOf(socket) }));
    if (places.length === 0) return;
    const now = Date.now();
    let reading: HubReading;
    try {
      const question = {
        audience: this.ctx.id.name as Audience,
        sids: [...new Set(places.map(({ sid }) => sid))],
        afterSeq: Math.min(...places.map(({ seq }) => seq ?? NO_EVENTS)),
        now,
      };
      reading = await withTimeout(DATABASE_PATIENCE, readForDelivery(this.env.DB, question));
    } catch (error) {
      // Nothing is lost: every socket keeps its place. Nothing leaks either: without the ledger nothing is sent.
      reportLiveFailure("live_delivery_failed", error);
      for (const { socket, exp } of places) {
        if (exp !== null && exp <= now) socket.close(CLOSE.signedOut, "Session ended");
      }
      return;
    }
    const offers = reading.events.map((event) => ({ event, text: JSON.stringify(noteOf(event)) }));
    for (const { socket, seq } of places) serve(socket, seq, reading, offers);
  }
}

type Offer = { event: StoredEvent; text: string };

/** Gives one socket what it has not been offered yet, if its session still allows that. */
function serve(socket: WebSocket, seq: number | null, { sessions, newest }: HubReading, offers: Offer[]): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  const { sid, seq: currentSeq } = socketStateOf(socket);
  const session = sessions.get(sid);
  if (!session) return socket.close(CLOSE.signedOut, "Session ended");
  if (!session.canListen) return socket.close(CLOSE.notAllowed, "Not allowed any more");
  // A hello has moved the place while we were reading; the delivery it has asked for follows.
  if (currentSeq !== seq) return;
  const missed = offers.filter(({ event }) => seq !== null && event.seq > seq);
  // A place beyond the newest event is one of another life of the database.
  if (missed.length > REPLAY_LIMIT || (seq !== null && seq > newest)) send(socket, { type: "reset" });
  else
    for (const { event, text } of missed)
      if (canReceive(session.listener, { type: event.type, actorId: event.actor_id })) send(socket, text);
  updateSocketState(socket, { seq: newest, role: session.listener.role, exp: session.exp });
}

const noteOf = ({ seq, type, id, label, at }: StoredEvent): LiveEventFrame => ({
  v: 1,
  seq,
  type,
  id,
  label,
  at: new Date(at).toISOString(),
});

function send(socket: WebSocket, frame: ServerFrame | string): void {
  try {
    socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  } catch (error) {
    // The browser is gone; its close event follows.
    reportLiveFailure("live_send_failed", error);
  }
}

/** Text is cheap to measure in characters and costly in bytes, so bytes are counted only where they can matter. */
const isTooLong = (text: string) =>
  text.length > MAX_FRAME_BYTES || new TextEncoder().encode(text).byteLength > MAX_FRAME_BYTES;
