import * as z from "zod";
import { siteCalendar } from "~/features/settings/calendar";
import { countReplyTimesThatMove } from "~/features/submissions/changes.server";
import {
  countClocksThatMove,
  keepRunningClocks,
  moveRunningClocks,
} from "~/features/tickets/promise/running-clocks.server";
import type { Frame } from "~/lib/calendar";
import { WEEKDAYS } from "~/lib/opening-hours";
import { plural } from "~/lib/text";
import { settingsGroup } from "../group.server";
import { framesText, holidaysText, readFrames, readHolidays, zoneNamed } from "./week-text";

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
