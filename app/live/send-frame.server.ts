import type { ServerFrame } from "./protocol";
import { reportLiveFailure } from "./report.server";

/** Sends a frame, or the text of one. */
export function sendFrame(socket: WebSocket, frame: ServerFrame | string): void {
  try {
    socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  } catch (error) {
    // The browser has disconnected; the close event follows.
    reportLiveFailure("live_send_failed", error);
  }
}
