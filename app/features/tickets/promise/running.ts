import type { OrganizationPlan } from "~/features/organizations/model";
import type { Calendar } from "~/lib/calendar";
import type { Duration, Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import type { PromiseRules, Target } from "./rules";

/**
 * Names what is promised: the first reply to a ticket, the next one to what the client has written since, or that it is
 * resolved.
 */
export type PromiseKind = "first_response" | "next_response" | "resolution";

/** Says which time counts: open hours, open hours until the same time of a later working day, or every hour. */
export type Counting = "open_hours" | "working_days" | "around_the_clock";

/** Says what a client is told beside the time: urgent, but outside the plan's hours, or with no incident left. */
export type PromiseNote = { type: "outside_hours" } | { type: "used_up"; perYear: number };

/** Says how a promise is counted: which time, from when on, and how much of it. */
export type Count = {
  counting: Counting;
  /** Holds the start of the promise; of an after-hours incident, when the ticket became urgent. */
  countedFrom: Instant;
  time: Duration;
};

/** Holds a promise that waits for its reply, with all that it was counted with; see `due-time.ts`. */
export type RunningPromise = Count & {
  kind: PromiseKind;
  plan: OrganizationPlan;
  /** Holds the priority it was counted with: of a promise that was missed, whatever the ticket's is since. */
  priority: TicketPriority;
  calendar: Calendar;
  target: Target;
  /** Says when the client wrote. */
  startedAt: Instant;
  /** Says when the ticket became urgent while this promise ran. */
  urgentSince: Instant | null;
  /** Lists the times that did not count, because we waited for the client. */
  pauses: readonly { from: Instant; to: Instant }[];
  pausedSince: Instant | null;
  /** Says when the time is over; null while it is paused. */
  dueAt: Instant | null;
  /** Says when three quarters of the time have passed; null while it is paused, and once somebody was warned. */
  warnAt: Instant | null;
  warned: boolean;
  /** Tells whether the time has passed without a reply. From then on nothing moves it any more. */
  missed: boolean;
  /** Tells whether people were told that it was missed. */
  missTold: boolean;
  note: PromiseNote | null;
  /** Tells whether the ticket became an after-hours incident for this promise. */
  isIncident?: boolean;
  /** Tells the last time it was counted anew from its start, and why. */
  recounted: { at: Instant; because: "priority" | "organization" | "calendar" } | null;
};

/** Holds what a promise is counted from; the rest of it follows. */
export type Uncounted = Omit<RunningPromise, keyof Count | "priority" | "dueAt" | "warnAt" | "note">;

type Beginning = { at: Instant; priority: TicketPriority; rules: PromiseRules };

/** Returns a promise that starts with what the client has just written. */
export const newPromise = (kind: PromiseKind, target: Target, { at, priority, rules }: Beginning): Uncounted => ({
  kind,
  plan: rules.plan,
  calendar: rules.calendar,
  target,
  startedAt: at,
  urgentSince: priority === "urgent" ? at : null,
  pauses: [],
  pausedSince: null,
  warned: false,
  missed: false,
  missTold: false,
  recounted: null,
});

/** Returns a promise of which people were told that its time is near, or that it was missed. */
export const told = (promise: RunningPromise, what: "warned" | "miss-told"): RunningPromise =>
  what === "warned" ? { ...promise, warned: true, warnAt: null } : { ...promise, missTold: promise.missed };

/** Returns a promise that is not counted while the client is asked. */
export const paused = (promise: RunningPromise, at: Instant): RunningPromise =>
  promise.missed || promise.pausedSince !== null ? promise : { ...promise, pausedSince: at, dueAt: null, warnAt: null };

/** Returns a promise whose pause, if it has one, ends at a moment. */
export const resumed = <Promised extends Uncounted>(promise: Promised, at: Instant): Promised =>
  promise.pausedSince === null
    ? promise
    : { ...promise, pauses: [...promise.pauses, { from: promise.pausedSince, to: at }], pausedSince: null };
