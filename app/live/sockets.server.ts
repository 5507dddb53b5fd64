import { describeError } from "~/lib/errors";
import { type Duration, type Instant, seconds } from "~/lib/time";
import type { ServerFrame } from "./protocol";

export const socketTag = {
  user: (userId: string) => `u:${userId}`,
  session: (sessionHash: string) => `s:${sessionHash}`,
};

export const socketTags = (person: { uid: string; sid: string }): string[] => [
  socketTag.user(person.uid),
  socketTag.session(person.sid),
];

/** Logs a failure in the background, in the format of `platform/log.server.ts`, which this folder may not import. */
export function reportLiveFailure(event: `live_${string}`, error: unknown): void {
  console.warn(JSON.stringify({ level: "warn", event, reason: describeError(error) }));
}

/** Stored with the socket: the hub loses its memory when it hibernates. Kept until then: reading it is slow. */
export type SocketState = {
  uid: string;
  sid: string;
  role: string;
  exp: Instant | null;
  seq: number | null;
  acceptedAt: Instant;
  frames: number;
  windowStart: Instant;
  viewing: Viewing | null;
};

export type Viewing = {
  ticketId: string;
  writing: boolean;
  since: Instant;
  lastSent: string;
};

const known = new WeakMap<WebSocket, SocketState>();

export function socketStateOf(socket: WebSocket): SocketState {
  const state = known.get(socket) ?? (socket.deserializeAttachment() as SocketState);
  known.set(socket, state);
  return state;
}

export function updateSocketState(socket: WebSocket, changes: Partial<SocketState>): void {
  changeSocketState(socket, changes);
  storeSocketState(socket);
}

export function changeSocketState(socket: WebSocket, changes: Partial<SocketState>): void {
  known.set(socket, { ...socketStateOf(socket), ...changes });
}

export const storeSocketState = (socket: WebSocket): void => socket.serializeAttachment(socketStateOf(socket));

const WINDOW: Duration = seconds(10);
const FRAMES_PER_WINDOW = 20;

export function countFrame(socket: WebSocket, now: Instant): boolean {
  const { frames, windowStart } = socketStateOf(socket);
  const isOver = now - windowStart >= WINDOW;
  const count = isOver ? 1 : frames + 1;
  updateSocketState(socket, { frames: count, windowStart: isOver ? now : windowStart });
  return count > FRAMES_PER_WINDOW;
}

export function sendFrame(socket: WebSocket, frame: ServerFrame | string): void {
  try {
    socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  } catch (error) {
    // The browser has disconnected; the close event follows.
    reportLiveFailure("live_send_failed", error);
  }
}
