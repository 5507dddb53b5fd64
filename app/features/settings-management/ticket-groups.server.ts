import * as z from "zod";
import {
  FRAMES_MAX,
  HOLIDAYS_MAX,
  type ReplyTarget,
  type ReplyTargets,
  siteCalendar,
  TICKET_TIME_MAX,
  type TicketTimes,
} from "~/features/settings/model";
import { StoredReplyTargets } from "~/features/settings/queries.server";
import { countReplyTimesThatMove } from "~/features/submissions/changes.server";
import { countClocksThatMove, keepRunningClocks, moveRunningClocks } from "~/features/tickets/promise/promises.server";
import type { Frame, Holiday } from "~/lib/calendar";
import { WEEKDAYS } from "~/lib/opening-hours";
import { plural } from "~/lib/text";
import { isDay } from "~/lib/time";
import { orNothing, settingsGroup, wholeNumber } from "./group.server";

type Read<Value> = { ok: true; value: Value } | { ok: false; message: string };

const END_OF_DAY = 1_440;
const FRAME = /^(\d{1,2})(?::(\d{2}))?\s*[-–]\s*(\d{1,2})(?::(\d{2}))?$/;

const minuteOf = (hour = "", minute = "00") => (Number(minute) < 60 ? Number(hour) * 60 + Number(minute) : Number.NaN);

/** Reads the hours of a day as people write them: "08:00-12:00, 13:00-18:00"; empty on a day off. */
function readFrames(text: string): Read<Frame[]> {
  const parts = text.split(/[,;\n]/).flatMap((part) => part.trim() || []);
  const frames: Frame[] = [];
  for (const part of parts) {
    const [, fromHour, fromMinute, toHour, toMinute] = FRAME.exec(part) ?? [];
    const frame = { opens: minuteOf(fromHour, fromMinute), closes: minuteOf(toHour, toMinute) };
    if (!fromHour || !(frame.opens < END_OF_DAY) || !(frame.closes <= END_OF_DAY))
      return { ok: false, message: `“${part}” are no hours. Write them like 08:00-12:00, 13:00-18:00` };
    if (frame.opens >= frame.closes)
      return {
        ok: false,
        message: `“${part}” ends before it begins. A night is until 24:00, and from 00:00 the next day`,
      };
    frames.push(frame);
  }
  if (frames.length > FRAMES_MAX) return { ok: false, message: `At most ${FRAMES_MAX} times a day` };
  frames.sort((one, other) => one.opens - other.opens);
  const overlap = frames.findIndex(({ opens }, index) => opens < (frames[index - 1]?.closes ?? 0));
  if (overlap > 0) return { ok: false, message: `${framesText(frames.slice(overlap - 1, overlap + 1))} overlap` };
  return { ok: true, value: frames };
}

/** Formats the hours of a day, so that `readFrames` reads them back. */
const framesText = (frames: readonly Frame[]): string =>
  frames.map(({ opens, closes }) => `${clockText(opens)}-${clockText(closes)}`).join(", ");

const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

const NAME_MAX = 100;

/** Reads days off, one a line: "2026-11-26 Thanksgiving", or each year "12-25 Christmas Day". */
function readHolidays(text: string): Read<Holiday[]> {
  const holidays: Holiday[] = [];
  for (const line of text.split("\n").flatMap((one) => one.trim() || [])) {
    const [, day = "", name = ""] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    // A leap year has every day of any year.
    if (!name || name.length > NAME_MAX || !isDay(day.length === 5 ? `2024-${day}` : day))
      return { ok: false, message: `“${line}” is no day off. Write a day and its name, like 12-25 Christmas Day` };
    if (holidays.some((other) => other.day === day)) return { ok: false, message: `${day} is there twice` };
    holidays.push({ day, name });
  }
  if (holidays.length > HOLIDAYS_MAX) return { ok: false, message: `At most ${HOLIDAYS_MAX} days off` };
  return { ok: true, value: holidays };
}

const holidaysText = (holidays: readonly Holiday[]): string =>
  holidays.map(({ day, name }) => `${day} ${name}`).join("\n");

/** Returns the IANA name of a time zone as it is spelled; null for text that is none. */
function zoneNamed(text: string): string | null {
  if (!/^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Lists the days of the week by the number they have in a calendar, from Monday on. */
const DAYS = [1, 2, 3, 4, 5, 6, 0];
const fieldOf = (day: number) => `hours_${WEEKDAYS[day]?.toLowerCase()}`;

const frames = (day: number) =>
  z.string().transform((text, issues): Frame[] => {
    const read = readFrames(text);
    if (read.ok) return read.value;
    issues.addIssue({ code: "custom", message: `${WEEKDAYS[day]}: ${read.message}` });
    return z.NEVER;
  });

const Week = z.object(Object.fromEntries(DAYS.map((day) => [fieldOf(day), frames(day)])));

const holidays = z.string().transform((text, issues) => {
  const read = readHolidays(text);
  if (read.ok) return read.value;
  issues.addIssue({ code: "custom", message: read.message });
  return z.NEVER;
});

const zone = z.string().transform((text, issues) => {
  const found = zoneNamed(text.trim());
  if (found) return found;
  issues.addIssue({ code: "custom", message: "There is no such time zone. Write one like America/Chicago" });
  return z.NEVER;
});

/**
 * Groups the settings of when people work, by which everything is counted that is promised in open hours or working
 * days.
 */
export const hoursGroup = settingsGroup({
  text: "Replies are promised by these hours. What pages and mails say of them follows, unless the brand words it otherwise.",
  fields: [
    { name: "time_zone", kind: "text", label: "Time zone", hint: "An IANA name, such as America/Chicago." },
    ...DAYS.map((day) => ({
      name: fieldOf(day),
      kind: "text" as const,
      label: `${WEEKDAYS[day]}`,
      ...(day === 1 ? { hint: "From and to, up to four times a day: 08:00-12:00, 13:00-18:00. Empty: closed." } : {}),
    })),
    {
      name: "holidays",
      kind: "area",
      label: "Days off",
      hint: "One a line: 2026-11-26 Thanksgiving, or each year 12-25 Christmas Day.",
      optional: true,
    },
  ],
  keys: ["timeZone", "openTimes"],
  schema: z
    .object({ time_zone: zone, holidays })
    .and(Week)
    .transform(({ time_zone, holidays, ...week }) => ({
      timeZone: time_zone,
      openTimes: { week: WEEKDAYS.map((_, day) => (week as Record<string, Frame[]>)[fieldOf(day)] ?? []), holidays },
    }))
    .refine(({ openTimes }) => openTimes.week.some((day) => day.length > 0), {
      path: [fieldOf(1)],
      message: "Open at least once a week: nothing could be promised otherwise",
    }),
  values: ({ timeZone, openTimes }) => ({
    time_zone: timeZone,
    ...Object.fromEntries(DAYS.map((day) => [fieldOf(day), framesText(openTimes.week[day] ?? [])])),
    holidays: holidaysText(openTimes.holidays),
  }),
  apply: (input) => input,
  question: async ({ db, now }, stored, after) => {
    const calendar = siteCalendar(after);
    if (JSON.stringify(siteCalendar(stored)) === JSON.stringify(calendar)) return null;
    const [{ count: ofTickets, isMore }, ofSubmissions] = await Promise.all([
      countClocksThatMove(db, calendar, now()),
      countReplyTimesThatMove(db, calendar, now()),
    ]);
    const count = ofTickets + ofSubmissions;
    if (count === 0) return null;
    const clocks = isMore ? `${count.toLocaleString("en-US")} or more running clocks` : plural(count, "running clock");
    return {
      text: `The new hours apply to new clocks; ${clocks} will move if you choose so.`,
      choices: [
        { value: "keep", label: "Keep what is promised: only new clocks follow" },
        { value: "move", label: "Move the running clocks too" },
      ],
    };
  },
  more: ({ db, at, by, decision }) => [decision === "move" ? moveRunningClocks(db, { at, by }) : keepRunningClocks(db)],
});

const PRIORITIES = ["urgent", "high", "medium", "low"] as const;
type Priority = (typeof PRIORITIES)[number];

const PRIORITY_LABELS: Record<Priority, string> = {
  urgent: "Urgent",
  high: "High",
  medium: "Medium",
  low: "Low",
};

const TARGET = /^(\d{1,3})\s*(h|hours?|(?:business|working)\s+days?)$/i;

const targetText = ({ unit, count }: ReplyTarget) => plural(count, unit === "hours" ? "hour" : "business day");

function targetReader(priority: Priority) {
  return (text: string, issues: z.RefinementCtx): ReplyTarget => {
    const [, count, unit] = TARGET.exec(text.trim()) ?? [];
    const read = { unit: /^h/i.test(unit ?? "") ? "hours" : "working_days", count: Number(count) };
    const checked = StoredReplyTargets.shape[priority].safeParse(read);
    if (unit && checked.success) return checked.data;
    const message = "write 1 to 720 hours or 1 to 30 business days, like “2 hours” or “1 business day”";
    issues.addIssue({ code: "custom", message: `${PRIORITY_LABELS[priority]}: ${message}` });
    return z.NEVER;
  };
}

type Resolutions = Record<`resolve_${Priority}`, ReplyTarget | null>;

function resolutionsOf(input: Resolutions, issues: z.RefinementCtx): ReplyTargets | null {
  const { resolve_urgent: urgent, resolve_high: high, resolve_medium: medium, resolve_low: low } = input;
  if (urgent && high && medium && low) return { urgent, high, medium, low };
  const given = PRIORITIES.filter((priority) => input[`resolve_${priority}`]);
  if (given.length === 0) return null;
  for (const priority of PRIORITIES.filter((one) => !given.includes(one)))
    issues.addIssue({
      code: "custom",
      path: [`resolve_${priority}`],
      message: `${PRIORITY_LABELS[priority]}: write a time, or leave all four empty`,
    });
  return z.NEVER;
}

/** Groups the settings of how soon a ticket is promised a reply, and to be resolved. */
export const promisesGroup = settingsGroup({
  text: "Until when clients are promised a reply to a ticket, by its priority. Hours are open hours; a business day ends at the same time of the next one. Premium counts around the clock. A time to resolve tickets is promised only where you give one. What is promised already stays.",
  fields: [
    ...PRIORITIES.map((priority) => ({
      name: `reply_${priority}`,
      kind: "text" as const,
      label: PRIORITY_LABELS[priority],
    })),
    ...PRIORITIES.map((priority) => ({
      name: `resolve_${priority}`,
      kind: "text" as const,
      label: `${PRIORITY_LABELS[priority]}: resolved within`,
      optional: true,
    })),
  ],
  keys: ["replyTargets", "resolutionTargets"],
  schema: z
    .object({
      reply_urgent: z.string().transform(targetReader("urgent")),
      reply_high: z.string().transform(targetReader("high")),
      reply_medium: z.string().transform(targetReader("medium")),
      reply_low: z.string().transform(targetReader("low")),
      resolve_urgent: orNothing(targetReader("urgent")),
      resolve_high: orNothing(targetReader("high")),
      resolve_medium: orNothing(targetReader("medium")),
      resolve_low: orNothing(targetReader("low")),
    })
    .transform((input, issues) => ({
      replyTargets: {
        urgent: input.reply_urgent,
        high: input.reply_high,
        medium: input.reply_medium,
        low: input.reply_low,
      } satisfies ReplyTargets,
      resolutionTargets: resolutionsOf(input, issues),
    })),
  values: ({ replyTargets, resolutionTargets }) =>
    Object.fromEntries(
      PRIORITIES.flatMap((priority) => [
        [`reply_${priority}`, targetText(replyTargets[priority])],
        [`resolve_${priority}`, resolutionTargets ? targetText(resolutionTargets[priority]) : ""],
      ]),
    ),
  apply: (targets) => targets,
});

const TIME_LABELS: Record<keyof TicketTimes, string> = {
  remindWaitingAfter: "Remind the client after, in business days",
  resolveWaitingAfter: "Then resolve after, in business days",
  announceClosingAfter: "Announce the end of a resolved ticket after, in days",
  closeResolvedAfter: "Close a resolved ticket after, in days",
};

const days = (key: keyof TicketTimes) => wholeNumber(TIME_LABELS[key], { min: 0, max: TICKET_TIME_MAX });

/** Groups the settings of when tickets on which nothing happens move on by themselves. */
export const quietTicketsGroup = settingsGroup({
  text: "What happens to tickets on which nothing happens. 0 switches a step off.",
  fields: [
    { name: "remind_after", kind: "number", label: TIME_LABELS.remindWaitingAfter },
    { name: "resolve_after", kind: "number", label: TIME_LABELS.resolveWaitingAfter },
    { name: "announce_after", kind: "number", label: TIME_LABELS.announceClosingAfter },
    { name: "close_after", kind: "number", label: TIME_LABELS.closeResolvedAfter },
  ],
  keys: ["remindWaitingAfter", "resolveWaitingAfter", "announceClosingAfter", "closeResolvedAfter"],
  schema: z
    .object({
      remind_after: days("remindWaitingAfter"),
      resolve_after: days("resolveWaitingAfter"),
      announce_after: days("announceClosingAfter"),
      close_after: days("closeResolvedAfter"),
    })
    // What is no number has its own message, and is neither less nor more.
    .refine(({ announce_after, close_after }) => close_after === 0 || !(announce_after >= close_after), {
      path: ["announce_after"],
      message: "Announce the end before the ticket is closed, or switch it off with 0",
    }),
  values: (settings) => ({
    remind_after: String(settings.remindWaitingAfter),
    resolve_after: String(settings.resolveWaitingAfter),
    announce_after: String(settings.announceClosingAfter),
    close_after: String(settings.closeResolvedAfter),
  }),
  apply: (input) => ({
    remindWaitingAfter: input.remind_after,
    resolveWaitingAfter: input.resolve_after,
    announceClosingAfter: input.announce_after,
    closeResolvedAfter: input.close_after,
  }),
});
