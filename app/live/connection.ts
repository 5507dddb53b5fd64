import { type Duration, type Instant, minutes, seconds } from "~/lib/time";
import { CLOSE, HEARTBEAT, type LiveEventFrame, parseServerFrame } from "./protocol";

/** Lists the states a page shows. `connecting`: first attempt. `live`: connected. `paused`: not connected, for any reason. */
export type LiveState = "connecting" | "live" | "paused";

type LiveListener = {
  onState: (state: LiveState) => void;
  onEvent: (event: LiveEventFrame) => void;
  /** More events were missed than the hub sends again. */
  onReset: () => void;
};

/** Holds the functions of the browser that a connection uses. Tests replace them. */
type LiveBrowser = {
  openSocket: () => WebSocket;
  now: () => Instant;
  /** From 0 up to 1. */
  random: () => number;
  /** Calls the function after a delay. Returns a function that cancels it. */
  setTimer: (delay: Duration, callback: () => void) => () => void;
};

type LiveStart = {
  /** Number of the newest event the page shows. */
  after: number;
  paused: boolean;
};

export type LiveConnection = {
  /** Number of the newest event received: the next connection continues after it. */
  lastSeq: () => number;
  /** Closes the socket until `resume`, because the person has paused live updates. */
  pause: () => void;
  resume: () => void;
  /** Must be called when the page becomes hidden. */
  hide: () => void;
  /** Must be called when the page becomes visible again or the network is back. */
  wake: () => void;
  /** Closes the connection for good, before the page unloads. */
  end: () => void;
};

const MAX_RETRY_DELAY = seconds(30);
/** Spreads reconnects over this long, because a deploy closes all sockets at the same time. */
const RECONNECT_SPREAD = seconds(5);
const HEARTBEAT_INTERVAL = seconds(45);
/** Limits the time without any frame: then the connection is broken, even if the browser has not noticed. */
const SILENCE_TIMEOUT = 2 * HEARTBEAT_INTERVAL;
/** Sets when a connection counts as stable: after its end the delays start again with the shortest. */
const STABLE_AFTER = seconds(10);
/** Limits how long a hidden page keeps its socket, because each person may have only five. */
const HIDDEN_TIMEOUT = minutes(5);

/**
 * Keeps one socket to the hub open and reports its events. It reconnects by itself and asks for the missed events. It
 * stops for good when the hub says that the session has ended or may not listen. When a newer page of the same person
 * has replaced this one, it waits for `wake`: reconnecting would only close another of their pages.
 */
export function openLiveConnection(browser: LiveBrowser, start: LiveStart, listener: LiveListener): LiveConnection {
  let socket: WebSocket | null = null;
  let status: "active" | "paused" | "denied" | "replaced" | "ended" = "active";
  let isHidden = false;
  let failures = 0;
  /** Null while the socket is not open. */
  let openedAt: Instant | null = null;
  let lastFrameAt: Instant = 0;
  let newestSeq = start.after;
  // Since the last hello: the number it asked to continue after, and the events received. Missed and new events may come
  // in any order, so the newest number alone does not show which events are duplicates.
  let continuedAfter = start.after;
  let received = new Set<number>();
  let cancelReconnect = () => {};
  let cancelHeartbeat = () => {};
  let cancelHiding = () => {};

  function connect() {
    cancelReconnect();
    if (socket || status !== "active" || isHidden) return;
    const current = browser.openSocket();
    socket = current;
    current.onopen = () => {
      openedAt = lastFrameAt = browser.now();
      continueAfter(newestSeq);
      current.send(JSON.stringify({ type: "hello", lastSeq: newestSeq }));
      scheduleHeartbeat();
      listener.onState("live");
    };
    current.onmessage = (event) => {
      if (socket === current) receive(event.data);
    };
    current.onclose = (event) => {
      if (socket === current) onLost(event.code);
    };
  }

  function continueAfter(seq: number) {
    continuedAfter = newestSeq = seq;
    received = new Set();
  }

  function receive(data: unknown) {
    lastFrameAt = browser.now();
    const frame = parseServerFrame(data);
    if (!frame || frame.type === "pong") return;
    if (frame.type === "reset") {
      // The page reads all its data again. The database may have been restored, so older numbers mean nothing.
      continueAfter(0);
      return listener.onReset();
    }
    if (frame.seq <= continuedAfter || received.has(frame.seq)) return;
    received.add(frame.seq);
    newestSeq = Math.max(newestSeq, frame.seq);
    listener.onEvent(frame);
  }

  function scheduleHeartbeat() {
    cancelHeartbeat = browser.setTimer(HEARTBEAT_INTERVAL, () => {
      if (isSilent()) return onLost(undefined);
      socket?.send(HEARTBEAT);
      scheduleHeartbeat();
    });
  }

  const isSilent = () => browser.now() - lastFrameAt >= SILENCE_TIMEOUT;

  function closeSocket() {
    cancelHeartbeat();
    cancelReconnect();
    const old = socket;
    socket = null;
    openedAt = null;
    old?.close(1000);
  }

  function onLost(code: number | undefined) {
    const wasOpen = openedAt !== null;
    if (openedAt !== null && browser.now() - openedAt >= STABLE_AFTER) failures = 0;
    closeSocket();
    if (code === CLOSE.signedOut || code === CLOSE.notAllowed) status = "denied";
    if (code === CLOSE.replaced) status = "replaced";
    listener.onState("paused");
    if (status !== "active") return;
    const isFirstFailure = wasOpen && failures === 0;
    const delay = isFirstFailure ? browser.random() * RECONNECT_SPREAD : retryDelay(failures, browser.random());
    failures += 1;
    cancelReconnect = browser.setTimer(delay, connect);
  }

  function reconnectNow() {
    status = "active";
    failures = 0;
    connect();
  }

  function pause() {
    status = "paused";
    closeSocket();
    listener.onState("paused");
  }

  if (start.paused) pause();
  else connect();
  return {
    lastSeq: () => newestSeq,
    pause,
    resume: () => {
      if (status === "ended") return;
      listener.onState(socket ? "live" : "connecting");
      reconnectNow();
    },
    hide: () => {
      cancelHiding();
      cancelHiding = browser.setTimer(HIDDEN_TIMEOUT, () => {
        isHidden = true;
        closeSocket();
      });
    },
    wake: () => {
      cancelHiding();
      isHidden = false;
      if (openedAt !== null && isSilent()) closeSocket();
      if (!socket && (status === "active" || status === "replaced")) reconnectNow();
    },
    end: () => {
      status = "ended";
      cancelHiding();
      closeSocket();
    },
  };
}

/** Returns 1, 2, 4, … 30 seconds, shortened at random by up to half. `random` is from 0 up to 1. */
const retryDelay = (failures: number, random: number): Duration =>
  Math.min(MAX_RETRY_DELAY, seconds(1) * 2 ** failures) * (1 - random / 2);
