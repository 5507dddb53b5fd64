import { type Duration, type Instant, minutes, seconds } from "~/lib/time";
import { CLOSE, HEARTBEAT, type LiveEventFrame, parseServerFrame } from "./protocol";

/** `connecting`: not yet heard from. `live`: connected. `paused`: away, on purpose or not; the page says so. */
export type LiveState = "connecting" | "live" | "paused";

export type LiveListener = {
  onState: (state: LiveState) => void;
  onEvent: (note: LiveEventFrame) => void;
  /** More was missed than is sent again. */
  onReset: () => void;
};

/** What a connection needs of its surroundings. */
export type LiveWorld = {
  open: () => WebSocket;
  now: () => Instant;
  /** From 0 up to 1. */
  random: () => number;
  /** Does something later; the answer calls it off. */
  later: (delay: Duration, work: () => void) => () => void;
};

export type LiveStart = {
  /** The newest event the page knows of. */
  after: number;
  paused: boolean;
};

export type LiveConnection = {
  /** The newest event heard of: where a later connection should go on. */
  lastSeq: () => number;
  /** The person wants quiet: nothing arrives until `resume`. */
  pause: () => void;
  resume: () => void;
  /** The page is out of sight. */
  hide: () => void;
  /** The page is in sight again, or the network is back. */
  wake: () => void;
  /** The page is going away. */
  end: () => void;
};

const LONGEST_WAIT = seconds(30);
/** A deploy drops every socket in the same second; their return is spread over this long. */
const SPREAD = seconds(5);
const HEARTBEAT_EVERY = seconds(45);
/** Two heartbeats without a sound: the line is dead, whatever the browser believes. */
const SILENCE = 2 * HEARTBEAT_EVERY;
/** A connection that lasted this long was a good one: the next failure starts with short waits again. */
const GOOD = seconds(10);
/** Hidden pages give their socket back after this long; there are five per person. */
const HIDDEN_GRACE = minutes(5);

/**
 * Keeps one socket to the hub, tells what arrives on it and comes back by itself when it is lost, asking for what was
 * missed in between. It stops for good when the hub says that the session is over or may not listen, and waits for the
 * person when another of their own screens has taken its place: coming back would only push that one out in turn.
 */
export function openLiveConnection(world: LiveWorld, start: LiveStart, listener: LiveListener): LiveConnection {
  let socket: WebSocket | null = null;
  let reason: "wanted" | "paused" | "refused" | "replaced" | "ended" = "wanted";
  let isHidden = false;
  let failures = 0;
  /** Null while the socket is not open. */
  let openedAt: Instant | null = null;
  let heardAt: Instant = 0;
  let newest = start.after;
  // Since the last hello: where it asked to go on, and what has come since. Answers to a hello and new events may
  // overtake each other, so order alone does not tell a duplicate.
  let base = start.after;
  let seen = new Set<number>();
  let cancelReconnect = () => {};
  let cancelHeartbeat = () => {};
  let cancelHiding = () => {};

  function connect() {
    cancelReconnect();
    if (socket || reason !== "wanted" || isHidden) return;
    const mine = world.open();
    socket = mine;
    mine.onopen = () => {
      openedAt = heardAt = world.now();
      goOnAfter(newest);
      mine.send(JSON.stringify({ type: "hello", lastSeq: newest }));
      beat();
      listener.onState("live");
    };
    mine.onmessage = (event) => {
      if (socket === mine) receive(event.data);
    };
    mine.onclose = (event) => {
      if (socket === mine) lost(event.code);
    };
  }

  function goOnAfter(seq: number) {
    base = newest = seq;
    seen = new Set();
  }

  function receive(data: unknown) {
    heardAt = world.now();
    const frame = parseServerFrame(data);
    if (!frame || frame.type === "pong") return;
    if (frame.type === "reset") {
      // The page reads everything anew; numbers of before may mean nothing any more.
      goOnAfter(0);
      return listener.onReset();
    }
    if (frame.seq <= base || seen.has(frame.seq)) return;
    seen.add(frame.seq);
    newest = Math.max(newest, frame.seq);
    listener.onEvent(frame);
  }

  function beat() {
    cancelHeartbeat = world.later(HEARTBEAT_EVERY, () => {
      if (isSilent()) return lost(undefined);
      socket?.send(HEARTBEAT);
      beat();
    });
  }

  const isSilent = () => world.now() - heardAt >= SILENCE;

  function letGo() {
    cancelHeartbeat();
    cancelReconnect();
    const old = socket;
    socket = null;
    openedAt = null;
    old?.close(1000);
  }

  function lost(code: number | undefined) {
    const wasOpen = openedAt !== null;
    if (openedAt !== null && world.now() - openedAt >= GOOD) failures = 0;
    letGo();
    if (code === CLOSE.signedOut || code === CLOSE.notAllowed) reason = "refused";
    if (code === CLOSE.replaced) reason = "replaced";
    listener.onState("paused");
    if (reason !== "wanted") return;
    const wait = wasOpen && failures === 0 ? world.random() * SPREAD : backOff(failures, world.random());
    failures += 1;
    cancelReconnect = world.later(wait, connect);
  }

  function tryAfresh() {
    reason = "wanted";
    failures = 0;
    connect();
  }

  function pause() {
    reason = "paused";
    letGo();
    listener.onState("paused");
  }

  if (start.paused) pause();
  else connect();
  return {
    lastSeq: () => newest,
    pause,
    resume: () => {
      if (reason === "ended") return;
      listener.onState(socket ? "live" : "connecting");
      tryAfresh();
    },
    hide: () => {
      cancelHiding();
      cancelHiding = world.later(HIDDEN_GRACE, () => {
        isHidden = true;
        letGo();
      });
    },
    wake: () => {
      cancelHiding();
      isHidden = false;
      if (openedAt !== null && isSilent()) letGo();
      if (!socket && (reason === "wanted" || reason === "replaced")) tryAfresh();
    },
    end: () => {
      reason = "ended";
      cancelHiding();
      letGo();
    },
  };
}

/** 1, 2, 4, … 30 seconds, each shortened by chance by up to half. */
const backOff = (failures: number, chance: number): Duration =>
  Math.min(LONGEST_WAIT, seconds(1) * 2 ** failures) * (1 - chance / 2);
