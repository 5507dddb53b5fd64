import { type Duration, type Instant, seconds } from "~/lib/time";

/**
 * Holds the state of a socket. It is stored with the socket, because the hub loses its memory when it hibernates; until
 * then it is kept, because reading it costs as much as sending an event.
 */
export type SocketState = {
  /** Holds the user id. */
  uid: string;
  /** Holds the hash of the session id. */
  sid: string;
  role: string;
  /** Holds the absolute expiry of the session, from the last read of the sessions table; null before the first one. */
  exp: Instant | null;
  /** Holds the number of the newest event that was handled for this socket; null before its first delivery. */
  seq: number | null;
  acceptedAt: Instant;
  /** Counts the frames received in the current window. */
  frames: number;
  windowStart: Instant;
  /** Names the ticket that the page shows; null: none. */
  place: Place | null;
};

/** Says which ticket a page has open, and what it knows of the others there. */
export type Place = {
  ticketId: string;
  writing: boolean;
  /** Says when the page last reported this place. */
  since: Instant;
  /** Names whom the page was last told of, so that it is told again only of a change. */
  told: string;
};

const known = new WeakMap<WebSocket, SocketState>();

/** Returns the state of a socket, as it was stored last if the hub has hibernated since. */
export function socketStateOf(socket: WebSocket): SocketState {
  const state = known.get(socket) ?? (socket.deserializeAttachment() as SocketState);
  known.set(socket, state);
  return state;
}

/** Changes the state of a socket, and stores it. */
export function updateSocketState(socket: WebSocket, changes: Partial<SocketState>): void {
  changeSocketState(socket, changes);
  storeSocketState(socket);
}

/** Changes the state of a socket, which must be stored before the hub can hibernate. */
export function changeSocketState(socket: WebSocket, changes: Partial<SocketState>): void {
  known.set(socket, { ...socketStateOf(socket), ...changes });
}

/** Stores the state of a socket, so that it outlives a hibernation of the hub. */
export const storeSocketState = (socket: WebSocket): void => socket.serializeAttachment(socketStateOf(socket));

const WINDOW: Duration = seconds(10);
const FRAMES_PER_WINDOW = 20;

/** Counts a received frame. True: the socket has sent too many. */
export function countFrame(socket: WebSocket, now: Instant): boolean {
  const { frames, windowStart } = socketStateOf(socket);
  const isOver = now - windowStart >= WINDOW;
  const count = isOver ? 1 : frames + 1;
  updateSocketState(socket, { frames: count, windowStart: isOver ? now : windowStart });
  return count > FRAMES_PER_WINDOW;
}
