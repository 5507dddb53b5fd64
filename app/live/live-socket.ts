import { type Duration, type Instant, seconds } from "~/lib/time";
import { HEARTBEAT } from "./protocol";

/** Holds the functions of the browser that a connection uses. Tests replace them. */
export type LiveBrowser = {
  openSocket: () => WebSocket;
  now: () => Instant;
  /** Returns a number from 0 up to 1. */
  random: () => number;
  /** Calls the function after a delay. Returns a function that cancels it. */
  setTimer: (delay: Duration, callback: () => void) => () => void;
};

/** Returns the functions of this browser that a connection to a live channel uses. */
export const liveBrowser = (path: string): LiveBrowser => ({
  openSocket: () => new WebSocket(location.origin.replace(/^http/, "ws") + path),
  now: Date.now,
  random: Math.random,
  setTimer: (delay, callback) => {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
});

type SocketListener = {
  /** Returns the first frame to send. */
  onOpen: () => string;
  onMessage: (data: unknown) => void;
  /** Takes the loss: the socket has ended without `close`. `openFor` null: it was never open. */
  onLost: (code: number | undefined, openFor: Duration | null) => void;
};

export type LiveSocket = {
  isSilent: () => boolean;
  /** Sends a frame. Does nothing while the socket is not open. */
  send: (frame: string) => void;
  /** Closes the socket. The listener is not called any more. */
  close: () => void;
};

const HEARTBEAT_INTERVAL = seconds(45);
/** Limits the time without any frame: then the connection is broken, even if the browser has not noticed. */
const SILENCE_TIMEOUT = 2 * HEARTBEAT_INTERVAL;

/** Opens one socket and sends heartbeats while it is open. A socket that is silent for too long counts as lost. */
export function openLiveSocket(browser: LiveBrowser, listener: SocketListener): LiveSocket {
  const socket = browser.openSocket();
  let openedAt: Instant | null = null;
  let lastFrameAt: Instant = 0;
  let cancelHeartbeat = () => {};

  const isSilent = () => openedAt !== null && browser.now() - lastFrameAt >= SILENCE_TIMEOUT;
  const close = () => {
    cancelHeartbeat();
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(1000);
  };
  const lose = (code?: number) => {
    close();
    listener.onLost(code, openedAt === null ? null : browser.now() - openedAt);
  };
  const scheduleHeartbeat = () => {
    cancelHeartbeat = browser.setTimer(HEARTBEAT_INTERVAL, () => {
      if (isSilent()) return lose();
      socket.send(HEARTBEAT);
      scheduleHeartbeat();
    });
  };

  socket.onopen = () => {
    openedAt = lastFrameAt = browser.now();
    scheduleHeartbeat();
    socket.send(listener.onOpen());
  };
  socket.onmessage = (event) => {
    lastFrameAt = browser.now();
    listener.onMessage(event.data);
  };
  socket.onclose = (event) => lose(event.code);
  const send = (frame: string) => {
    if (openedAt !== null) socket.send(frame);
  };
  return { isSilent, send, close };
}
