import { afterOpenTime, afterWorkingDays, type Calendar, isOpen, nextOpening, openTimeBetween } from "~/lib/calendar";
import { type Duration, days, hours, type Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import { type AfterHours, coverageOf } from "./rules";
import { type Count, type Counting, type PromiseNote, type RunningPromise, resumed, type Uncounted } from "./running";

/** Says when people are warned: after this share of the promised time. */
const WARN_SHARE = 0.75;

/** Returns the time in which the count ran: from its start to now, without its pauses. The last has no end yet. */
function spansOf({ pauses, pausedSince }: Uncounted, from: Instant) {
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
function passedAt(promise: Uncounted, { counting, countedFrom, time }: Count, share = 1): Instant | null {
  const { calendar } = promise;
  let left = Math.floor(time * share);
  for (const { start, end } of spansOf(promise, countedFrom)) {
    const reached = endOf(left, { counting, start, calendar });
    if (end === null || reached < end) return reached;
    left -= counting === "around_the_clock" ? end - start : openTimeBetween(calendar, start, end);
  }
  return null;
}

/** Returns when a promise is due that is paused until a moment, and goes on then. */
export const dueIfResumed = (promise: RunningPromise, at: Instant): Instant =>
  promise.dueAt ?? passedAt(resumed(promise, at), promise) ?? at;

/** Returns how a promise is counted within open hours. */
function inOpenHours({ target, calendar, startedAt }: Uncounted): Count {
  if (target.unit === "hours") return { counting: "open_hours", countedFrom: startedAt, time: hours(target.count) };
  const start = nextOpening(calendar, startedAt);
  const time = openTimeBetween(calendar, start, afterWorkingDays(calendar, start, target.count));
  return { counting: "working_days", countedFrom: startedAt, time };
}

/** Returns how a promise is counted around the clock, where a working day is 24 hours. */
const aroundTheClock = ({ target: { unit, count }, startedAt }: Uncounted): Count => ({
  counting: "around_the_clock",
  countedFrom: startedAt,
  time: unit === "hours" ? hours(count) : days(count),
});

type Moment = {
  at: Instant;
  priority: TicketPriority;
  afterHours: AfterHours;
  /** Tells whether the ticket is an after-hours incident already. It is one only once. */
  allowanceUsed: boolean;
};

type Choice = Moment & {
  /** Tells whether we wait for the client. */
  isPaused: boolean;
};

/**
 * Returns how an after-hours incident is counted, where that promises an earlier reply than open hours do. None is used
 * up for a time that has passed already.
 */
function atNight(promise: Uncounted, open: Count, { at, afterHours }: Moment): Count | null {
  const countedFrom = promise.urgentSince ?? promise.startedAt;
  const night: Count = { counting: "around_the_clock", countedFrom, time: afterHours.response };
  const [nightDue, openDue] = [passedAt(promise, night), passedAt(promise, open)];
  return nightDue !== null && openDue !== null && nightDue < openDue && nightDue > at ? night : null;
}

/** Chooses how a promise is counted, by what its plan covers. */
function chooseCount(
  promise: Uncounted,
  moment: Choice,
): { counted: Count; note: PromiseNote | null; usesAllowance: boolean } {
  const plain = { note: null, usesAllowance: false };
  const coverage = coverageOf(promise.plan);
  if (coverage === "around_the_clock") return { ...plain, counted: aroundTheClock(promise) };
  const open = inOpenHours(promise);
  // After-hours incidents buy a reply at night, not the whole work.
  if (moment.priority !== "urgent" || promise.kind === "resolution") return { ...plain, counted: open };
  if (coverage === "open_hours")
    return {
      ...plain,
      counted: open,
      note: isOpen(promise.calendar, promise.startedAt) ? null : { type: "outside_hours" },
    };
  const night = atNight(promise, open, moment);
  if (!night) return { ...plain, counted: open };
  const { left, perYear } = moment.afterHours;
  // A promise keeps its plan. If the organization has another one since, that may count no incidents, or have none.
  if (moment.allowanceUsed || perYear === null) return { ...plain, counted: night };
  // Whether the night is needed shows when the client answers: it is counted again then.
  if (moment.isPaused || perYear === 0) return { ...plain, counted: open };
  return left > 0
    ? { ...plain, counted: night, usesAllowance: true }
    : { ...plain, counted: open, note: { type: "used_up", perYear } };
}

/** Counts a promise as it stands at a moment: which time counts, when it is due, and when people are warned. */
export function countDueTime(promise: Uncounted, moment: Moment): { promise: RunningPromise; usesAllowance: boolean } {
  const isPaused = promise.pausedSince !== null;
  const { counted, note, usesAllowance } = chooseCount(resumed(promise, moment.at), { ...moment, isPaused });
  const dueAt = passedAt(promise, counted);
  const warnAt = promise.warned || dueAt === null ? null : warningAt(promise, counted, moment.at);
  const { priority } = moment;
  return { promise: { ...promise, ...counted, priority, dueAt, warnAt, note }, usesAllowance };
}

/**
 * Returns when people are to be warned, not before now. A warning of work that nobody does at night waits for opening.
 */
function warningAt(promise: Uncounted, counted: Count, now: Instant): Instant {
  const at = Math.max(passedAt(promise, counted, WARN_SHARE) ?? now, now);
  return counted.counting === "around_the_clock" ? at : nextOpening(promise.calendar, at);
}
