import { openTimeBetween } from "~/lib/opening-hours";
import { type Duration, hours, type Instant, minutes } from "~/lib/time";
import { type BusinessCalendar, replyDueAt } from "../reply-target";

/** Tells how the target for the answer to a submission stands. `left` is open time: a night does not use it up. */
export type ResponseTarget =
  | { state: "running"; dueAt: Instant; left: Duration }
  | { state: "overdue"; dueAt: Instant }
  | { state: "kept" | "late"; dueAt: Instant; answeredAt: Instant };

type Facts = BusinessCalendar & {
  now: Instant;
  submittedAt: Instant;
  /** Tells whether it still waits for its answer. */
  isNew: boolean;
  /** The first time it was moved out of new; `null` while nobody has. */
  answeredAt: Instant | null;
};

/**
 * Returns how the target of a submission stands. Null where nothing was promised, because it counted as answered when
 * it came.
 */
export function responseTarget({ now, submittedAt, isNew, answeredAt, ...calendar }: Facts): ResponseTarget | null {
  const dueAt = replyDueAt(calendar, submittedAt);
  if (answeredAt !== null) return { state: answeredAt <= dueAt ? "kept" : "late", dueAt, answeredAt };
  if (!isNew) return null;
  if (now > dueAt) return { state: "overdue", dueAt };
  return { state: "running", dueAt, left: openTimeBetween(calendar, now, dueAt) };
}

const NO_BREAK = "\u00a0";

/** Returns "3 h 20 m left", rounded down, with spaces that do not break: a promise is better kept early. */
export function leftInWords(left: Duration): string {
  const whole = Math.floor(left / hours(1));
  const rest = Math.floor((left % hours(1)) / minutes(1));
  const parts = [whole > 0 ? `${whole} h` : null, whole === 0 || rest > 0 ? `${rest} m` : null, "left"];
  return parts
    .filter((part) => part !== null)
    .join(" ")
    .replaceAll(" ", NO_BREAK);
}
