import type { Duration, Instant } from "~/lib/time";
import { seconds } from "~/lib/time";

/**
 * What the hub knows about a socket. It travels with the socket, because the hub itself forgets everything whenever
 * the runtime puts it to sleep between two events.
 */
export type SocketState = {
  uid: string;
  sid: string;
  role: string;
  /** The end of the session as the ledger last told it; null before the first look. */
  exp: Instant | null;
  /** The newest event this socket has been offered; null before its first delivery. */
  seq: number | null;
  acceptedAt: Instant;
  /** Frames received in the current window. */
  frames: number;
  windowStart: Instant;
};

export const socketStateOf = (socket: WebSocket) => socket.deserializeAttachment() as SocketState;

export function updateSocketState(socket: WebSocket, changes: Partial<SocketState>): void {
  socket.serializeAttachment({ ...socketStateOf(socket), ...changes });
}

const WINDOW: Duration = seconds(10);
const FRAMES_PER_WINDOW = 20;

/** Counts a received frame; true when the socket has sent too many. */
export function countFrame(socket: WebSocket, now: Instant): boolean {
  const { frames, windowStart } = socketStateOf(socket);
  const fresh = now - windowStart >= WINDOW;
  const count = fresh ? 1 : frames + 1;
  updateSocketState(socket, { frames: count, windowStart: fresh ? now : windowStart });
  return count > FRAMES_PER_WINDOW;
}
