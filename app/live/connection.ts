import { type Duration, type Instant, minutes, seconds } from "~/lib/time";
import { CLOSE_CODES, HEARTBEAT, type LiveEventFrame, type PresenceFrame, parseServerFrame } from "./protocol";

type LiveBrowser = {
  openSocket: () => WebSocket;
  now: () => Instant;
  random: () => number;
  setTimer: (delay: Duration, callback: () => void) => () => void;
};

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
  onOpen: () => string;
  onMessage: (data: unknown) => void;
  onLost: (code: number | undefined, openFor: Duration | null) => void;
};

type LiveSocket = {
  isSilent: () => boolean;
  send: (frame: string) => void;
  close: () => void;
};

const HEARTBEAT_INTERVAL = seconds(45);
/** Limits the time without any frame: then the connection is broken, even if the browser has not noticed. */
const SILENCE_TIMEOUT = 2 * HEARTBEAT_INTERVAL;

function openLiveSocket(browser: LiveBrowser, listener: SocketListener): LiveSocket {
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

/**
 * Missed and new events may come in any order, so the newest number alone does not show which events are duplicates.
 */
function trackReceivedEvents(after: number) {
  let continuedAfter = after;
  let newest = after;
  let received = new Set<number>();
  return {
    newest: () => newest,
    restart: (seq = newest) => {
      received = new Set();
      continuedAfter = newest = seq;
      return seq;
    },
    add: (seq: number) => {
      if (seq <= continuedAfter || received.has(seq)) return false;
      received.add(seq);
      newest = Math.max(newest, seq);
      return true;
    },
  };
}

type TabState = { seq: number; paused: boolean; at: Instant };

const SEQ_LIFETIME = minutes(2);

const keyOf = (path: string) => `live:${path}`;

/** Does nothing when storage is disabled or full: the next document starts with the page's own number. */
export function saveTabState(path: string, state: TabState): void {
  try {
    sessionStorage.setItem(keyOf(path), JSON.stringify(state));
  } catch {
    return;
  }
}

/** `seq` is null when it is too old to continue from; `paused` never gets too old. */
export function loadTabState(path: string, now: Instant): { seq: number | null; paused: boolean } {
  try {
    const state = JSON.parse(sessionStorage.getItem(keyOf(path)) ?? "null") as TabState | null;
    const isRecent = state !== null && now - state.at < SEQ_LIFETIME && Number.isSafeInteger(state.seq);
    return { seq: isRecent ? state.seq : null, paused: state?.paused === true };
  } catch {
    return { seq: null, paused: false };
  }
}

/** `connecting`: first attempt. `live`: connected. `paused`: not connected. */
export type LiveState = "connecting" | "live" | "paused";

type LiveListener = {
  onState: (state: LiveState) => void;
  onEvent: (event: LiveEventFrame) => void;
  onPresence: (frame: PresenceFrame) => void;
  onReset: () => void;
};

type LiveStart = {
  after: number;
  paused: boolean;
};

export type LiveConnection = {
  lastSeq: () => number;
  send: (frame: string) => void;
  pause: () => void;
  resume: () => void;
  hide: () => void;
  wake: () => void;
  end: () => void;
};

type Status = "active" | "paused" | "denied" | "replaced" | "ended";

/** After all others the connection stays active and is opened again. */
const STATUS_AFTER: Record<number, Status> = {
  [CLOSE_CODES.signedOut]: "denied",
  [CLOSE_CODES.notAllowed]: "denied",
  [CLOSE_CODES.replaced]: "replaced",
};

const MAX_RETRY_DELAY = seconds(30);
/** Spreads reconnects over this long, because a deploy closes all sockets at the same time. */
const RECONNECT_SPREAD = seconds(5);
const STABLE_AFTER = seconds(10);
/** Limits how long a hidden page keeps its socket, because each person may have only five. */
const HIDDEN_TIMEOUT = minutes(5);

/**
 * Asks for missed events when it reconnects. Stops for good when the session has ended; when a newer page of the
 * person has replaced this one it waits for `wake`, or they would close each other's sockets.
 */
export function openLiveConnection(browser: LiveBrowser, start: LiveStart, listener: LiveListener): LiveConnection {
  const events = trackReceivedEvents(start.after);
  let socket: LiveSocket | null = null;
  let status: Status = "active";
  let isHidden = false;
  let failures = 0;
  let cancelReconnect = () => {};
  let cancelHiding = () => {};

  function connect() {
    cancelReconnect();
    if (socket || status !== "active" || isHidden) return;
    socket = openLiveSocket(browser, {
      onOpen: () => {
        listener.onState("live");
        return JSON.stringify({ type: "hello", lastSeq: events.restart() });
      },
      onMessage: receive,
      onLost: (code, openFor) => {
        socket = null;
        if (openFor !== null && openFor >= STABLE_AFTER) failures = 0;
        status = STATUS_AFTER[code ?? 0] ?? "active";
        listener.onState("paused");
        if (status === "active") scheduleReconnect(openFor !== null);
      },
    });
  }

  function receive(data: unknown) {
    const frame = parseServerFrame(data);
    if (!frame || frame.type === "pong") return;
    if (frame.type === "reset") {
      // The page reads all its data again. The database may have been restored, so older numbers mean nothing.
      events.restart(0);
      return listener.onReset();
    }
    if (frame.type === "here") return listener.onPresence(frame);
    if (events.add(frame.seq)) listener.onEvent(frame);
  }

  function scheduleReconnect(wasOpen: boolean) {
    const isFirstFailure = wasOpen && failures === 0;
    const delay = isFirstFailure ? browser.random() * RECONNECT_SPREAD : retryDelay(failures, browser.random());
    failures += 1;
    cancelReconnect = browser.setTimer(delay, connect);
  }

  function disconnect() {
    cancelReconnect();
    socket?.close();
    socket = null;
  }

  function reconnectNow() {
    status = "active";
    failures = 0;
    connect();
  }

  function pause() {
    status = "paused";
    disconnect();
    listener.onState("paused");
  }

  if (start.paused) pause();
  else connect();
  return {
    lastSeq: events.newest,
    send: (frame) => socket?.send(frame),
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
        disconnect();
      });
    },
    wake: () => {
      cancelHiding();
      isHidden = false;
      if (socket?.isSilent()) disconnect();
      if (!socket && (status === "active" || status === "replaced")) reconnectNow();
    },
    end: () => {
      status = "ended";
      cancelHiding();
      disconnect();
    },
  };
}

/** Returns 1, 2, 4, … 30 seconds, shortened at random by up to half. `random` is from 0 up to 1. */
const retryDelay = (failures: number, random: number): Duration =>
  Math.min(MAX_RETRY_DELAY, seconds(1) * 2 ** failures) * (1 - random / 2);
