import type { PlanNames } from "~/features/settings/model";
import { type Holiday, holidayOn, isOpen, nextOpening, weekInWords } from "~/lib/calendar";
import { addDays, clockIn, dayIn, hours, type Instant, weekdayOf, zoneName } from "~/lib/time";
import { type Due, dueOf, momentInWords, shortDay, shortWeekday } from "~/lib/time-labels";
import { PRIORITY_LABELS } from "../labels";
import type { RunningTarget, Target } from "./due-times";

type TargetContext = {
  zone: string;
  now: Instant;
  phone: string | null;
  planNames: PlanNames;
};

function noteInWords({ note }: RunningTarget): string | null {
  if (!note) return null;
  if (note.type === "outside_hours") return "Outside your plan's hours";
  const { perYear } = note;
  return perYear === 1
    ? "Your plan's after-hours incident is used"
    : `Your plan's ${perYear} after-hours incidents are used`;
}

/** "today 15:43", "Mon 10:00". */
export const momentForClient = (at: Instant, { now, zone }: Pick<TargetContext, "now" | "zone">): string =>
  `${dayIn(zone, at) === dayIn(zone, now) ? "today " : ""}${momentInWords(at, now, zone)}`;

/** "Next reply promised by Mon 10:00 (Core plan)". */
export function targetForClient(sla: RunningTarget, { zone, now, phone, planNames }: TargetContext): string {
  if (sla.dueAt === null)
    return sla.kind === "resolution"
      ? "Time to resolve it: paused while we wait for you"
      : "Paused while we wait for you";
  const time = momentForClient(sla.dueAt, { now, zone });
  if (sla.kind === "resolution")
    return sla.missed || now > sla.dueAt
      ? `We promised to resolve this by ${time}. We are late.`
      : `Resolution promised by ${time}`;
  if (sla.missed || now > sla.dueAt)
    return `We promised a reply by ${time}. We are late.${phone ? ` If it cannot wait, call ${phone}.` : ""}`;
  const note = noteInWords(sla);
  if (note) return `${note} – next reply promised by ${time}${phone ? `, or call ${phone}` : ""}`;
  const plan = sla.plan === "none" ? "" : ` (${planNames[sla.plan]} plan)`;
  return `Next reply promised by ${time}${plan}`;
}

/** "Send now and you'll hear by Mon 10:00". */
export function targetBeforeSending(sla: RunningTarget, context: TargetContext): string {
  if (sla.note) return targetForClient(sla, context);
  return `Send now and you'll hear by ${momentForClient(sla.dueAt ?? context.now, context)}`;
}

export const PAUSED_FOR_STAFF = "Paused while we wait for the client";

/** "due in 1 h 12 min" or "late by 35 min"; null while it is paused. */
export const targetDue = ({ dueAt }: RunningTarget, { zone, now }: Pick<TargetContext, "zone" | "now">): Due | null =>
  dueAt === null ? null : dueOf({ zone, now, dueAt, answeredAt: null });

export type Reason = { term: string; text: string };

type Reader = {
  side: "client" | "staff";
  zone: string;
  planNames: PlanNames;
  /** Who wrote what the clock started with; null: not known. */
  writer?: string | null;
};

export function explainTarget(running: RunningTarget, { side, zone, planNames, writer = null }: Reader): Reason[] {
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
    { term: `${PRIORITY_LABELS[priority]} priority`, text: countingInWords(running, planNames) },
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
    ...(dueAt === null ? [] : [{ term: moment(dueAt), text: targetText(running, off) }]),
  ];
}

/** Counted anew before we opened: what happened stands in its order. */
const isBeforeOpening = ({ recounted, calendar, counting, startedAt }: RunningTarget): boolean =>
  recounted !== null && counting !== "around_the_clock" && recounted.at < nextOpening(calendar, startedAt);

const isReply = ({ kind }: RunningTarget): boolean => kind !== "resolution";

const RECOUNTED: Record<NonNullable<RunningTarget["recounted"]>["because"], string> = {
  priority: "The priority changed. The time was counted again from its start, by the new priority.",
  organization: "The ticket moved to another organization. The time was counted again from its start, by that plan.",
  calendar: "Our hours changed. The time was counted again from its start, by the new hours.",
};

/** "Fri, Nov 20, 10:00". */
function longMoment(at: Instant, zone: string): string {
  const day = dayIn(zone, at);
  return `${dayInWords(day)}, ${clockIn(zone, at)}`;
}

const dayInWords = (day: string): string => `${shortWeekday(day)}, ${shortDay(day)}`;

const counted = (count: number, noun: string): string =>
  `${count === 1 ? "one" : count} ${noun}${count === 1 ? "" : "s"}`;

/** "4 open hours", "one business day (24 hours)". */
const targetInWords = ({ unit, count }: Target): string =>
  unit === "hours" ? counted(count, "open hour") : `${counted(count, "business day")} (${count * 24} hours)`;

/** "Core plan: a reply within one business day (24 hours)." */
function countingInWords(sla: RunningTarget, planNames: PlanNames): string {
  const { plan, counting, time, target, note } = sla;
  const [what, inPlan] = isReply(sla) ? ["A reply", "a reply"] : ["Resolved", "resolved"];
  const within = (words: string) =>
    plan === "none" ? `${what} ${words}` : `${planNames[plan]} plan: ${inPlan} ${words}`;
  const inHours = counted(time / hours(1), "hour");
  if (counting !== "around_the_clock") {
    const why = note?.type === "used_up" ? ", because its after-hours incidents are used" : "";
    return `${within(`within ${targetInWords(target)}${why}`)}.`;
  }
  if (plan === "premium") return `${within(`within ${inHours}, day and night`)}.`;
  return `${within(`within ${inHours}, day and night, because that is sooner than ${targetInWords(target)}`)}. It counts as an after-hours incident.`;
}

function openTimeReasons(
  { calendar, startedAt }: RunningTarget,
  { zone, off }: { zone: string; off: DaysOff },
): Reason[] {
  const opening = nextOpening(calendar, startedAt);
  const { weekdays, holidays } = off;
  const hoursInWords = `We count ${weekInWords(calendar.week)}, ${zoneName(calendar.zone)} time.`;
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

type DaysOff = { weekdays: readonly string[]; holidays: readonly Holiday[] };

const MAX_DAYS = 100;

function daysOff({ calendar, counting, startedAt, dueAt, pausedSince }: RunningTarget): DaysOff {
  if (counting === "around_the_clock") return { weekdays: [], holidays: [] };
  const lastDay = dayIn(calendar.zone, dueAt ?? pausedSince ?? startedAt);
  const weekdays = new Set<string>();
  const holidays: Holiday[] = [];
  let day = dayIn(calendar.zone, startedAt);
  for (let count = 0; day <= lastDay && count < MAX_DAYS; count += 1) {
    const holiday = holidayOn(calendar, day);
    if ((calendar.week[weekdayOf(day)] ?? []).length === 0) weekdays.add(shortWeekday(day));
    else if (holiday) holidays.push({ day, name: holiday.name });
    day = addDays(day, 1);
  }
  return { weekdays: [...weekdays], holidays };
}

function targetText({ missed, pauses, counting }: RunningTarget, { holidays }: DaysOff): string {
  if (missed) return "The promise, which we did not keep.";
  if (pauses.length > 0 || holidays.length > 0) return "The promise.";
  const between = counting === "around_the_clock" ? "No pauses fall" : "No holidays and no pauses fall";
  return `The promise. ${between} in between.`;
}
