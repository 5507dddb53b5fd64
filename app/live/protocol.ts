import { LIVE_EVENT_TYPES, type LiveEventType } from "~/lib/subject";

/*
 * The frames of a live socket. A frame says only that something has happened: it has a type, ids and a short label, and
 * never the text of a message. The page gets the data from its own guarded loaders.
 *
 * Written without a schema library, because this file is part of the browser's bundle.
 */

/** `seq` grows with every commit; `id` is the subject's; `at` is ISO 8601. */
export type LiveEventFrame = { v: 1; seq: number; type: LiveEventType; id: string; label: string; at: string };

export type PresenceFrame = { type: "here"; id: string; people: { name: string; writing: boolean }[] };

/** `reset`: too many events were missed, so the page must read all its data again. */
export type ServerFrame = LiveEventFrame | PresenceFrame | { type: "reset" } | { type: "pong" };

/** `hello` asks for all events after a number; without it a socket gets only new ones. */
type ClientFrame =
  /** `lastSeq` null: what was sent is not a number of an event. */
  { type: "hello"; lastSeq: number | null } | HereFrame | { type: "ping" } | { type: "unknown" };

export type HereFrame = { type: "here"; ticketId: string | null; writing: boolean };

/** The runtime answers with the same text without waking the hub. A `ping` wakes it and counts as a frame. */
export const HEARTBEAT = '{"type":"heartbeat"}';

export const REPLAY_LIMIT = 50;

/** Lists the close codes: those of RFC 6455, and our own from 4000 on. */
export const CLOSE_CODES = {
  binary: 1003,
  malformed: 1008,
  flood: 1008,
  tooBig: 1009,
  signedOut: 4401,
  notAllowed: 4403,
  replaced: 4409,
} as const;

/** Null: no JSON object, or a ticket's id that is none. Other types may come from a page of another version. */
export function parseClientFrame(text: string): ClientFrame | null {
  const frame = parseObject(text);
  if (!frame) return null;
  if (frame.type === "ping") return { type: "ping" };
  if (frame.type === "hello") return { type: "hello", lastSeq: isSeq(frame.lastSeq) ? frame.lastSeq : null };
  if (frame.type === "here") {
    const { ticketId, writing } = frame;
    if (ticketId !== null && !(typeof ticketId === "string" && TICKET_ID.test(ticketId))) return null;
    return { type: "here", ticketId, writing: writing === true };
  }
  return { type: "unknown" };
}

const TICKET_ID = /^[a-z]{1,8}_\w{1,40}$/;

/** Null: this version of the page does not support it, as after a deploy. */
export function parseServerFrame(text: unknown): ServerFrame | null {
  const frame = parseObject(text);
  if (frame?.type === "reset" || frame?.type === "pong") return { type: frame.type };
  if (frame?.type === "here" && Array.isArray(frame.people)) return frame as PresenceFrame;
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
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
