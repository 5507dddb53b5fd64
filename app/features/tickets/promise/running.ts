import type { OrganizationPlan } from "~/features/organizations/model";
import { afterOpenTime, afterWorkingDays, type Calendar, isOpen, nextOpening, openTimeBetween } from "~/lib/calendar";
import { type Duration, days, hours, type Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import { type AfterHours, coverageOf, type PromiseRules, type Target } from "./rules";

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
type Way = {
  counting: Counting;
  /** The start of the promise; of an after-hours incident, when the ticket became urgent. */
  countedFrom: Instant;
  time: Duration;
};

/** Holds a promise that waits for its reply, with all that it was counted with. */
export type RunningPromise = Way & {
  kind: PromiseKind;
  plan: OrganizationPlan;
  calendar: Calendar;
  target: Target;
  /** Says when the client wrote. */
  startedAt: Instant;
  /** Says when the ticket became urgent while this promise ran. */
  urgentSince: Instant | null;
  /** Times that did not count, because we waited for the client. */
  pauses: readonly { from: Instant; to: Instant }[];
  pausedSince: Instant | null;
  /** Null while it is paused. */
  dueAt: Instant | null;
  /** Says when three quarters of the time have passed; null while it is paused, and once somebody was warned. */
  warnAt: Instant | null;
  warned: boolean;
  /** True once the time has passed without a reply. From then on nothing moves it any more. */
  missed: boolean;
  /** True once people were told that it was missed. */
  missTold: boolean;
  note: PromiseNote | null;
  /** The last time it was counted anew from its start, and why. */
  recounted: { at: Instant; because: "priority" | "organization" | "calendar" } | null;
};

/** Says when people are warned: after this share of the promised time. */
const WARN_SHARE = 0.75;

/** Holds what a promise is counted from; the rest of it follows. */
export type Uncounted = Omit<RunningPromise, keyof Way | "dueAt" | "warnAt" | "note">;

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

/** Returns the time in which the count ran: from its start to now, without its pauses. The last has no end yet. */
function stretchesOf({ pauses, pausedSince }: Uncounted, from: Instant) {
  const all = pausedSince === null ? pauses : [...pauses, { from: pausedSince, to: null }];
  return [from, ...all.map(({ to }) => to)].flatMap((start, index) => {
    const end = all[index]?.from ?? null;
    if (start === null || (end !== null && end <= from)) return [];
    return [{ start: Math.max(start, from), end }];
  });
}

/**
 * Returns when counted time ends that begins at an instant. A count of working days never ends while closed: its minute
 * of closing is the next opening.
 */
function endOf(
  time: Duration,
  { counting, start, calendar }: { counting: Counting; start: Instant; calendar: Calendar },
) {
  if (counting === "around_the_clock") return start + time;
  const end = afterOpenTime(calendar, start, time);
  return counting === "working_days" ? nextOpening(calendar, end) : end;
}

/** Returns when a share of the promised time has passed; null while it is paused before that. */
function reachedAt(promise: Uncounted, { counting, countedFrom, time }: Way, share = 1): Instant | null {
  const { calendar } = promise;
  let left = Math.floor(time * share);
  for (const { start, end } of stretchesOf(promise, countedFrom)) {
    const reached = endOf(left, { counting, start, calendar });
    if (end === null || reached < end) return reached;
    left -= counting === "around_the_clock" ? end - start : openTimeBetween(calendar, start, end);
  }
  return null;
}

/** Returns when a promise is due that is paused until a moment, and goes on then. */
export const dueIfResumed = (promise: RunningPromise, at: Instant): Instant =>
  promise.dueAt ?? reachedAt(resumed(promise, at), promise) ?? at;

/** Returns how a promise is counted within open hours. */
function openWay({ target, calendar, startedAt }: Uncounted): Way {
  if (target.unit === "hours") return { counting: "open_hours", countedFrom: startedAt, time: hours(target.count) };
  const start = nextOpening(calendar, startedAt);
  const time = openTimeBetween(calendar, start, afterWorkingDays(calendar, start, target.count));
  return { counting: "working_days", countedFrom: startedAt, time };
}

/** Returns how a promise is counted around the clock, where a working day is 24 hours. */
const alwaysWay = ({ target: { unit, count }, startedAt }: Uncounted): Way => ({
  counting: "around_the_clock",
  countedFrom: startedAt,
  time: unit === "hours" ? hours(count) : days(count),
});

type Moment = {
  at: Instant;
  priority: TicketPriority;
  afterHours: AfterHours;
  /** Tells that the ticket is an after-hours incident already. It is one only once. */
  allowanceUsed: boolean;
};

/**
 * Returns how an after-hours incident is counted, where that promises an earlier reply than open hours do. None is used
 * up for a time that has passed already.
 */
function nightWay(promise: Uncounted, open: Way, { at, afterHours }: Moment): Way | null {
  const countedFrom = promise.urgentSince ?? promise.startedAt;
  const night: Way = { counting: "around_the_clock", countedFrom, time: afterHours.response };
  const [nightDue, openDue] = [reachedAt(promise, night), reachedAt(promise, open)];
  return nightDue !== null && openDue !== null && nightDue < openDue && nightDue > at ? night : null;
}

/** Chooses how a promise is counted, by what its plan covers. */
function chooseWay(promise: Uncounted, moment: Moment): { way: Way; note: PromiseNote | null; usesAllowance: boolean } {
  const plain = { note: null, usesAllowance: false };
  const coverage = coverageOf(promise.plan);
  if (coverage === "around_the_clock") return { ...plain, way: alwaysWay(promise) };
  const open = openWay(promise);
  // After-hours incidents buy a reply at night, not the whole work.
  if (moment.priority !== "urgent" || promise.kind === "resolution") return { ...plain, way: open };
  if (coverage === "open_hours")
    return {
      ...plain,
      way: open,
      note: isOpen(promise.calendar, promise.startedAt) ? null : { type: "outside_hours" },
    };
  const night = nightWay(promise, open, moment);
  if (!night) return { ...plain, way: open };
  const { left, perYear } = moment.afterHours;
  if (moment.allowanceUsed) return { ...plain, way: night };
  return left > 0
    ? { ...plain, way: night, usesAllowance: true }
    : { ...plain, way: open, note: { type: "used_up", perYear } };
}

/** Counts a promise as it stands at a moment: which time counts, when it is due, and when people are warned. */
export function count(promise: Uncounted, moment: Moment): { promise: RunningPromise; usesAllowance: boolean } {
  const { way, note, usesAllowance } = chooseWay(resumed(promise, moment.at), moment);
  const dueAt = reachedAt(promise, way);
  const warnAt = promise.warned || dueAt === null ? null : warningAt(promise, way, moment.at);
  return { promise: { ...promise, ...way, dueAt, warnAt, note }, usesAllowance };
}

/** Returns when people are to be warned, not before now. A warning of work that nobody does at night waits for opening. */
function warningAt(promise: Uncounted, way: Way, now: Instant): Instant {
  const at = Math.max(reachedAt(promise, way, WARN_SHARE) ?? now, now);
  return way.counting === "around_the_clock" ? at : nextOpening(promise.calendar, at);
}
