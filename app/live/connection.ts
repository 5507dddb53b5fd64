import { type Duration, minutes, seconds } from "~/lib/time";
import { type LiveBrowser, type LiveSocket, openLiveSocket } from "./live-socket";
import { CLOSE_CODES, type LiveEventFrame, type PresenceFrame, parseServerFrame } from "./protocol";
import { trackReceivedEvents } from "./received-events";

/** Lists the states a page shows. `connecting`: first attempt. `live`: connected. `paused`: not connected. */
export type LiveState = "connecting" | "live" | "paused";

type LiveListener = {
  onState: (state: LiveState) => void;
  onEvent: (event: LiveEventFrame) => void;
  onPresence: (frame: PresenceFrame) => void;
  /** Reads all data again: more events were missed than the hub sends again. */
  onReset: () => void;
};

type LiveStart = {
  /** Holds the number of the newest event the page shows. */
  after: number;
  paused: boolean;
};

export type LiveConnection = {
  /** Returns the number of the newest event received: the next connection continues after it. */
  lastSeq: () => number;
  /** Sends a frame. Does nothing while there is no connection. */
  send: (frame: string) => void;
  /** Closes the socket until `resume`, because the person has paused live updates. */
  pause: () => void;
  resume: () => void;
  /** Closes the socket after a while. Must be called when the page becomes hidden. */
  hide: () => void;
  /** Opens the socket again. Must be called when the page becomes visible again or the network is back. */
  wake: () => void;
  /** Closes the connection for good, before the page unloads. */
  end: () => void;
};

type Status = "active" | "paused" | "denied" | "replaced" | "ended";

/** Maps close codes to the status that follows. After all others the connection stays active and is opened again. */
const STATUS_AFTER: Record<number, Status> = {
  [CLOSE_CODES.signedOut]: "denied",
  [CLOSE_CODES.notAllowed]: "denied",
  [CLOSE_CODES.replaced]: "replaced",
};

const MAX_RETRY_DELAY = seconds(30);
/** Spreads reconnects over this long, because a deploy closes all sockets at the same time. */
const RECONNECT_SPREAD = seconds(5);
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
