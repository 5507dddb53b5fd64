import { canReceive } from "~/access/live-events";
import type { DeliveryData, StoredEvent } from "./hub-reads.server";
import { CLOSE_CODES, type LiveEventFrame, REPLAY_LIMIT } from "./protocol";
import { sendFrame } from "./send-frame.server";
import { changeSocketState, socketStateOf } from "./socket-state.server";

type OutgoingEvent = { event: StoredEvent; text: string };

export const outgoing = (event: StoredEvent): OutgoingEvent => ({ event, text: JSON.stringify(frameOf(event)) });

/** Sends one socket its events, if its session is valid. `seq` is the socket's number when the events were read. */
export function deliverTo(
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
