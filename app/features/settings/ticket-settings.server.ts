import * as z from "zod";
import { brand } from "~/content/brand";
import { calendarOf, type Frame, type Holiday, WEEKDAYS } from "~/lib/calendar";
import { plural } from "~/lib/text";
import { isDay } from "~/lib/time";
import {
  type ClocksToMove,
  DEFAULT_REPLY_TARGETS,
  type OpenTimes,
  type ReplyTarget,
  type ReplyTargets,
  timePairs,
} from "./model";
import { oneField, orNothing, setting, tick, ticked, wholeNumber, within } from "./setting.server";

const FRAMES_MAX = 4;
const HOLIDAYS_MAX = 60;

type Read<Value> = { ok: true; value: Value } | { ok: false; message: string };

const END_OF_DAY = 1_440;
const FRAME = /^(\d{1,2})(?::(\d{2}))?\s*[-–]\s*(\d{1,2})(?::(\d{2}))?$/;

const minuteOf = (hour = "", minute = "00") => (Number(minute) < 60 ? Number(hour) * 60 + Number(minute) : Number.NaN);

/** Reads the hours of a day as people write them: "08:00-12:00, 13:00-18:00"; empty on a day off. */
function readFrames(text: string): Read<Frame[]> {
  // A field for times has no midnight at the end of a day.
  const parts = timePairs(text).map(([from, until]) => `${from}-${until === "00:00" ? "24:00" : until}`);
  const frames: Frame[] = [];
  for (const part of parts) {
    const [, fromHour, fromMinute, toHour, toMinute] = FRAME.exec(part) ?? [];
    const frame = { opens: minuteOf(fromHour, fromMinute), closes: minuteOf(toHour, toMinute) };
    if (part.startsWith("-") || part.endsWith("-")) return { ok: false, message: "Give both times, from and until" };
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

function zoneNamed(text: string): string | null {
  if (!/^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const ZONES = [...new Set([...Intl.supportedValuesOf("timeZone"), brand.timeZone, "UTC"])].sort();

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
  issues.addIssue({ code: "custom", message: "There is no such time zone. Choose one of the list" });
  return z.NEVER;
});

const minute = z.int().min(0).max(END_OF_DAY);

const Frames = z
  .array(z.object({ opens: minute, closes: minute }))
  .max(FRAMES_MAX)
  .refine((frames) =>
    frames.every(({ opens, closes }, index) => opens < closes && opens >= (frames[index - 1]?.closes ?? 0)),
  );

/** Describes a day off: "2026-11-27", or each year "12-25". */
const DayOff: z.ZodType<Holiday> = z.object({
  day: z.string().regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  name: z.string().min(1).max(100),
});

/** Reads when people work. A week without any open time is not accepted: nothing could be promised in it. */
const StoredOpenTimes: z.ZodType<OpenTimes> = z.object({
  week: z
    .array(Frames)
    .length(7)
    .refine((days) => days.some((frames) => frames.length > 0)),
  holidays: z.array(DayOff).max(HOLIDAYS_MAX),
});

/** Limits how far away a promised reply may be: 30 days. */
const Target: z.ZodType<ReplyTarget> = z.discriminatedUnion("unit", [
  z.object({ unit: z.literal("hours"), count: z.int().min(1).max(720) }),
  z.object({ unit: z.literal("working_days"), count: z.int().min(1).max(30) }),
]);

const StoredReplyTargets = z.object({
  urgent: Target,
  high: Target,
  medium: Target,
  low: Target,
});

const StoredClocksToMove: z.ZodType<ClocksToMove> = z.object({ since: z.int(), doneUpTo: z.int() });

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

const { week, holidays: daysOff } = calendarOf({ zone: brand.timeZone, openingHours: brand.openingHours });

const QUIET_DAYS = { min: 0, max: 90 };

/** In days; 0: never. */
const quietTime = (days: number, field: { name: string; label: string }) =>
  setting({
    schema: within(QUIET_DAYS),
    default: days,
    form: oneField({
      group: "tickets",
      field: { ...field, kind: "number" },
      input: wholeNumber(field.label, QUIET_DAYS),
      shown: String,
    }),
  });

/** When people work, what is promised, and when quiet tickets move on. In the order of the forms. */
export const ticketSettings = {
  /** The IANA name; decides where days begin, for everyone. */
  timeZone: setting({
    schema: z.string().min(1),
    default: brand.timeZone,
    form: oneField({
      group: "hours",
      field: {
        name: "time_zone",
        kind: "select",
        label: "Time zone",
        choices: ZONES.map((value) => ({ value, label: value.replaceAll("_", " ") })),
      },
      input: zone,
      shown: (name) => name,
    }),
  }),
  /** Promises that run keep the hours they were counted by, unless `clocksToMove` says otherwise. */
  openTimes: setting({
    schema: StoredOpenTimes,
    default: { week, holidays: daysOff },
    isPublic: true,
    form: {
      group: "hours",
      fields: [
        ...DAYS.map((day) => ({
          name: fieldOf(day),
          kind: "times" as const,
          label: `${WEEKDAYS[day]}`,
        })),
        {
          name: "holidays",
          kind: "days",
          label: "Days off",
          hint: "Closed all day, and clocks stand still. Clear the box of a day to remove it.",
          optional: true,
        },
      ],
      input: z
        .object({ holidays })
        .and(Week)
        .transform(({ holidays, ...week }) => ({
          week: WEEKDAYS.map((_, day) => (week as Record<string, Frame[]>)[fieldOf(day)] ?? []),
          holidays,
        }))
        .refine(({ week }) => week.some((day) => day.length > 0), {
          path: [fieldOf(1)],
          message: "Open at least once a week: nothing could be promised otherwise",
        }),
      shown: ({ week, holidays }) => ({
        ...Object.fromEntries(DAYS.map((day) => [fieldOf(day), framesText(week[day] ?? [])])),
        holidays: holidaysText(holidays),
      }),
    },
  }),
  /** Stored with new hours; the job `move-clocks` clears it. Null: promises that run stay as they are. */
  clocksToMove: setting({ schema: StoredClocksToMove.nullable(), default: null }),
  /** Counts for what is promised from then on. */
  replyTargets: setting({
    schema: StoredReplyTargets,
    default: DEFAULT_REPLY_TARGETS,
    form: {
      group: "promises",
      fields: PRIORITIES.map((priority) => ({
        name: `reply_${priority}`,
        kind: "text" as const,
        label: PRIORITY_LABELS[priority],
      })),
      input: z
        .object({
          reply_urgent: z.string().transform(targetReader("urgent")),
          reply_high: z.string().transform(targetReader("high")),
          reply_medium: z.string().transform(targetReader("medium")),
          reply_low: z.string().transform(targetReader("low")),
        })
        .transform((input) => ({
          urgent: input.reply_urgent,
          high: input.reply_high,
          medium: input.reply_medium,
          low: input.reply_low,
        })),
      shown: (targets) =>
        Object.fromEntries(PRIORITIES.map((priority) => [`reply_${priority}`, targetText(targets[priority])])),
    },
  }),
  /** How soon tickets are resolved; null: that is not promised. */
  resolutionTargets: setting({
    schema: StoredReplyTargets.nullable(),
    default: null,
    form: {
      group: "promises",
      fields: PRIORITIES.map((priority) => ({
        name: `resolve_${priority}`,
        kind: "text" as const,
        label: `${PRIORITY_LABELS[priority]}: resolved within`,
        optional: true,
      })),
      input: z
        .object({
          resolve_urgent: orNothing(targetReader("urgent")),
          resolve_high: orNothing(targetReader("high")),
          resolve_medium: orNothing(targetReader("medium")),
          resolve_low: orNothing(targetReader("low")),
        })
        .transform(resolutionsOf),
      shown: (targets) =>
        Object.fromEntries(
          PRIORITIES.map((priority) => [`resolve_${priority}`, targets ? targetText(targets[priority]) : ""]),
        ),
    },
  }),
  /** Tells whether a public page says what was promised in the last 90 days, kept and missed. */
  showsPromises: setting({
    schema: z.boolean(),
    default: false,
    isPublic: true,
    form: oneField({
      group: "promises",
      field: {
        name: "show_promises",
        kind: "tick",
        label: "Show what we kept and missed on the public site",
        hint: "A page with the last 90 days from the tickets’ clock, the misses too, from 30 tickets on. Home leads to it from then on.",
      },
      input: tick,
      shown: ticked,
    }),
  }),
  /** Counted by a job: whether there are enough tickets for that page, so that other pages lead to it. */
  hasEnoughPromises: setting({ schema: z.boolean(), default: false, isPublic: true }),
  /** Working days of waiting for the client. */
  remindWaitingAfter: quietTime(5, { name: "remind_after", label: "Remind the client after, in business days" }),
  resolveWaitingAfter: quietTime(5, { name: "resolve_after", label: "Then resolve after, in business days" }),
  /** Both count from when a ticket was resolved. */
  announceClosingAfter: quietTime(4, {
    name: "announce_after",
    label: "Announce the end of a resolved ticket after, in days",
  }),
  closeResolvedAfter: quietTime(7, { name: "close_after", label: "Close a resolved ticket after, in days" }),
};
