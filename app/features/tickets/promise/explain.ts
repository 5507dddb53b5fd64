import { PLAN_LABELS } from "~/features/organizations/model";
import { type Calendar, type Holiday, holidayOn, isOpen, nextOpening } from "~/lib/calendar";
import { placeOf, weekInWords } from "~/lib/calendar-words";
import { shortDay, shortWeekday } from "~/lib/due";
import { addDays, clockIn, dayIn, hours, type Instant, weekdayOf } from "~/lib/time";
import type { TicketPriority } from "../model";
import type { Target } from "./rules";
import type { RunningPromise } from "./running";

/** Holds one line of "Why this time?": a moment or a fact, and what it means. */
export type Reason = { term: string; text: string };

type Reader = {
  side: "client" | "staff";
  /** Names the time zone that times are shown in, an IANA name. */
  zone: string;
  /** Names who wrote what the clock started with, as the reader reads it; null: it is not known. */
  writer?: string | null;
};

/** Returns the lines that tell how a promised time comes about. */
export function explainPromise(running: RunningPromise, { side, zone, writer = null }: Reader): Reason[] {
  const { priority, startedAt, dueAt, pauses, pausedSince, recounted } = running;
  const moment = (at: Instant) => longMoment(at, zone);
  const [who, whom] = side === "client" ? [writer ?? "You or a colleague", "you"] : ["The client", "the client"];
  const off = daysOff(running);
  const changed = recounted ? [{ term: moment(recounted.at), text: RECOUNTED[recounted.because] }] : [];
  return [
    {
      term: moment(startedAt),
      text: `${who} wrote${isReply(running) ? ", and we have not answered yet" : ""}. The clock starts.`,
    },
    { term: `${PRIORITIES[priority]} priority`, text: countingInWords(running) },
    ...(isBeforeOpening(running) ? changed : []),
    ...(running.counting === "around_the_clock" ? [] : openTimeReasons(running, { zone, off })),
    ...pauses.map(({ from, to }) => ({
      term: `${moment(from)} – ${moment(to)}`,
      text: `Not counted, because we waited for ${whom}.`,
    })),
    ...(isBeforeOpening(running) ? [] : changed),
    ...(pausedSince === null
      ? []
      : [{ term: moment(pausedSince), text: `Paused while we wait for ${whom}. The rest counts from the answer on.` }]),
    ...(dueAt === null ? [] : [{ term: moment(dueAt), text: promiseText(running, off) }]),
  ];
}

/** Tells whether a promise was counted anew before we opened: what happened stands in its order. */
const isBeforeOpening = ({ recounted, calendar, counting, startedAt }: RunningPromise): boolean =>
  recounted !== null && counting !== "around_the_clock" && recounted.at < nextOpening(calendar, startedAt);

const isReply = ({ kind }: RunningPromise): boolean => kind !== "resolution";

const PRIORITIES: Record<TicketPriority, string> = { low: "Low", medium: "Medium", high: "High", urgent: "Urgent" };

const RECOUNTED: Record<NonNullable<RunningPromise["recounted"]>["because"], string> = {
  priority: "The priority changed. The time was counted again from its start, by the new priority.",
  organization: "The ticket moved to another organization. The time was counted again from its start, by that plan.",
  calendar: "Our hours changed. The time was counted again from its start, by the new hours.",
};

/** Returns a moment in full: "Fri, Nov 20, 10:00". */
function longMoment(at: Instant, zone: string): string {
  const day = dayIn(zone, at);
  return `${dayInWords(day)}, ${clockIn(zone, at)}`;
}

const dayInWords = (day: string): string => `${shortWeekday(day)}, ${shortDay(day)}`;

const counted = (count: number, noun: string): string =>
  `${count === 1 ? "one" : count} ${noun}${count === 1 ? "" : "s"}`;

/** Says how much time a target gives: "4 open hours", "one business day (24 hours)". */
const targetInWords = ({ unit, count }: Target): string =>
  unit === "hours" ? counted(count, "open hour") : `${counted(count, "business day")} (${count * 24} hours)`;

/** Says what the plan promises: "Core plan: a reply within one business day (24 hours)." */
function countingInWords(promise: RunningPromise): string {
  const { plan, counting, time, target, note } = promise;
  const [what, inPlan] = isReply(promise) ? ["A reply", "a reply"] : ["Resolved", "resolved"];
  const within = (words: string) =>
    plan === "none" ? `${what} ${words}` : `${PLAN_LABELS[plan]} plan: ${inPlan} ${words}`;
  const inHours = counted(time / hours(1), "hour");
  if (counting !== "around_the_clock") {
    const why = note?.type === "used_up" ? ", because its after-hours incidents are used" : "";
    return `${within(`within ${targetInWords(target)}${why}`)}.`;
  }
  if (plan === "premium") return `${within(`within ${inHours}, day and night`)}.`;
  return `${within(`within ${inHours}, day and night, because that is sooner than ${targetInWords(target)}`)}. It counts as an after-hours incident.`;
}

/** Says from which opening on the time counts, and which days do not count. */
function openTimeReasons(
  { calendar, startedAt }: RunningPromise,
  { zone, off }: { zone: string; off: DaysOff },
): Reason[] {
  const opening = nextOpening(calendar, startedAt);
  const { weekdays, holidays } = off;
  const hoursInWords = `We count ${weekInWords(calendar)}, ${placeOf(calendar.zone)} time.`;
  return [
    ...(isOpen(calendar, startedAt)
      ? []
      : [{ term: longMoment(opening, zone), text: "We were closed. The time counts from this opening on." }]),
    weekdays.length > 0
      ? { term: weekdays.join(" and "), text: `Not counted. ${hoursInWords}` }
      : { term: "Our hours", text: hoursInWords },
    ...holidays.map(({ day, name }) => ({ term: dayInWords(day), text: `Not counted: ${name}.` })),
  ];
}

/** Holds days that did not count: days of the week by name, holidays by date. */
type DaysOff = { weekdays: readonly string[]; holidays: readonly Holiday[] };

/** Limits how many days are looked at, for a promise that was paused for months. */
const MAX_DAYS = 100;

/** Returns the days off between the start of a promise and its end; none, where every hour counts. */
function daysOff({ calendar, counting, startedAt, dueAt, pausedSince }: RunningPromise): DaysOff {
  if (counting === "around_the_clock") return { weekdays: [], holidays: [] };
  const lastDay = dayIn(calendar.zone, dueAt ?? pausedSince ?? startedAt);
  const weekdays = new Set<string>();
  const holidays: Holiday[] = [];
  let day = dayIn(calendar.zone, startedAt);
  for (let count = 0; day <= lastDay && count < MAX_DAYS; count += 1) {
    const holiday = holidayOn(calendar, day);
    if (isWeeklyOff(calendar, day)) weekdays.add(shortWeekday(day));
    else if (holiday) holidays.push({ day, name: holiday.name });
    day = addDays(day, 1);
  }
  return { weekdays: [...weekdays], holidays };
}

const isWeeklyOff = ({ week }: Calendar, day: string): boolean => (week[weekdayOf(day)] ?? []).length === 0;

function promiseText({ missed, pauses, counting }: RunningPromise, { holidays }: DaysOff): string {
  if (missed) return "The promise, which we did not keep.";
  if (pauses.length > 0 || holidays.length > 0) return "The promise.";
  const between = counting === "around_the_clock" ? "No pauses fall" : "No holidays and no pauses fall";
  return `The promise. ${between} in between.`;
}
