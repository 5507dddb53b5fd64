import { LIVE_EVENT_TYPES, type LiveEventType } from "~/lib/live-event-types";

/*
 * What travels over a live socket. A frame says that something happened and where; whoever wants to know more asks a
 * guarded loader. So a frame holds a type, ids and a short label, and never the text of a message.
 *
 * Written without a schema library, because this file is part of the browser's bundle.
 */

/** `seq` grows with every commit; `id` names the object; `at` is ISO 8601. */
export type LiveEventFrame = { v: 1; seq: number; type: LiveEventType; id: string; label: string; at: string };

/** `reset`: more was missed than is sent again; read the page anew. */
export type ServerFrame = LiveEventFrame | { type: "reset" } | { type: "pong" };

/** `hello` asks for everything after an event; without it a socket hears what happens from now on. */
export type ClientFrame = { type: "hello"; lastSeq: number } | { type: "ping" };

/**
 * Sent by our own page to find out whether the line is still up. The runtime answers with the same text without
 * waking the hub, which a `ping` cannot have: that one is counted like every other frame.
 */
export const HEARTBEAT = '{"type":"heartbeat"}';

/** More missed events than this are not sent again: a `reset` is. */
export const REPLAY_LIMIT = 50;

export const CLOSE = {
  binary: 1003,
  flood: 1008,
  tooBig: 1009,
  /** The session is over. */
  signedOut: 4401,
  /** The session lives, but may no longer listen here. */
  notAllowed: 4403,
  /** The person has opened too many others since. */
  replaced: 4409,
} as const;

/** A frame from a browser, or null for anything that is none. */
export function parseClientFrame(text: string): ClientFrame | null {
  const frame = parseObject(text);
  if (frame?.type === "ping") return { type: "ping" };
  if (frame?.type === "hello" && isSeq(frame.lastSeq)) return { type: "hello", lastSeq: frame.lastSeq };
  return null;
}

/** A frame from the hub, or null for anything this page does not know, as after a deploy of a newer version. */
export function parseServerFrame(text: unknown): ServerFrame | null {
  const frame = parseObject(text);
  if (frame?.type === "reset" || frame?.type === "pong") return { type: frame.type };
  if (frame?.v !== 1 || !isSeq(frame.seq) || !isLiveEventType(frame.type)) return null;
  const { seq, type, id, label, at } = frame;
  if (typeof id !== "string" || typeof label !== "string" || typeof at !== "string") return null;
  return { v: 1, seq, type, id, label, at };
}

const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isLiveEventType = (value: unknown): value is LiveEventType =>
  LIVE_EVENT_TYPES.some((candidate) => candidate === value);

function parseObject(text: unknown): Record<string, unknown> | null {
  if (typeof text !== "string") return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
