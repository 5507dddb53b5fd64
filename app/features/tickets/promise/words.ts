import { PLAN_LABELS } from "~/features/organizations/model";
import { type Due, dueOf, momentInWords } from "~/lib/due";
import { dayIn, type Instant } from "~/lib/time";
import type { CurrentPromise } from "./current";

/** Holds what the words depend on beside the promise. */
type PromiseContext = {
  /** Names the time zone that times are shown in, an IANA name. */
  zone: string;
  now: Instant;
  /** Holds the phone number as people read it; null if there is none. */
  phone: string | null;
};

const orCall = (phone: string | null): string => (phone ? `, or call ${phone}` : "");

/** Says why an urgent ticket waits for opening; null for a promise that needs no such words. */
function noteInWords({ note }: CurrentPromise): string | null {
  if (!note) return null;
  if (note.type === "outside_hours") return "Outside your plan's hours";
  const { perYear } = note;
  return perYear === 1
    ? "Your plan's after-hours incident is used"
    : `Your plan's ${perYear} after-hours incidents are used`;
}

/** Returns a moment as clients read it: "today 15:43", "Mon 10:00". */
const momentForClient = (at: Instant, { now, zone }: Pick<PromiseContext, "now" | "zone">): string =>
  `${dayIn(zone, at) === dayIn(zone, now) ? "today " : ""}${momentInWords(at, now, zone)}`;

/** Tells a client what is promised: "Next reply promised by Mon 10:00 (Core plan)". */
export function promiseForClient(promise: CurrentPromise, { zone, now, phone }: PromiseContext): string {
  if (promise.dueAt === null)
    return promise.kind === "resolution"
      ? "Time to resolve it: paused while we wait for you"
      : "Paused while we wait for you";
  const time = momentForClient(promise.dueAt, { now, zone });
  if (promise.kind === "resolution")
    return promise.missed || now > promise.dueAt
      ? `We promised to resolve this by ${time}. We are late.`
      : `Resolution promised by ${time}`;
  if (promise.missed || now > promise.dueAt)
    return `We promised a reply by ${time}. We are late.${phone ? ` If it cannot wait, call ${phone}.` : ""}`;
  const note = noteInWords(promise);
  if (note) return `${note} – next reply promised by ${time}${orCall(phone)}`;
  const plan = promise.plan === "none" ? "" : ` (${PLAN_LABELS[promise.plan]} plan)`;
  return `Next reply promised by ${time}${plan}`;
}

/** Tells a client what a ticket would be promised that is sent now: "Send now and you'll hear by Mon 10:00". */
export function promiseBeforeSending(promise: CurrentPromise, context: PromiseContext): string {
  if (promise.note) return promiseForClient(promise, context);
  return `Send now and you'll hear by ${momentForClient(promise.dueAt ?? context.now, context)}`;
}

/** Says to staff why nothing is due while a promise is paused. */
export const PAUSED_FOR_STAFF = "Paused while we wait for the client";

/** Returns how a promise stands for staff, "due in 1 h 12 min" or "late by 35 min"; null while it is paused. */
export const promiseDue = (
  { dueAt }: CurrentPromise,
  { zone, now }: Pick<PromiseContext, "zone" | "now">,
): Due | null => (dueAt === null ? null : dueOf({ zone, now, dueAt, answeredAt: null }));
