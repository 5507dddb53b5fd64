import * as z from "zod";
import type { Holiday } from "~/lib/calendar";
import { type ClocksToMove, FRAMES_MAX, HOLIDAYS_MAX, type OpenTimes, type ReplyTarget } from "./calendar";

const END_OF_DAY = 1_440;
const minute = z.int().min(0).max(END_OF_DAY);

/** Describes the frames of a day: in ascending order, none within another. */
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
export const StoredOpenTimes: z.ZodType<OpenTimes> = z.object({
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

/** Reads how soon a reply is promised for each priority. */
export const StoredReplyTargets = z.object({
  urgent: Target,
  high: Target,
  medium: Target,
  low: Target,
});

/** Reads which promises are to follow the hours as they are now. */
export const StoredClocksToMove: z.ZodType<ClocksToMove> = z.object({ since: z.int(), doneUpTo: z.int() });
