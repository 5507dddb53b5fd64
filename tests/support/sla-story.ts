import { advance, type Step, startClock } from "~/features/tickets/sla/clock";
import { type SlaEvent, type SlaOutcome, type SlaRules, slaRules } from "~/features/tickets/sla/due-times";
import type { Calendar, Frame, Holiday } from "~/lib/calendar";

/** Writes minutes since midnight: `clock("13:30")` is 810. */
const clock = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Reads frames: `"08:00-12:00 13:00-17:00"`. */
const frames = (text: string): Frame[] =>
  text.split(" ").map((frame) => ({ opens: clock(frame.slice(0, 5)), closes: clock(frame.slice(6)) }));

/** Builds a calendar with the same frames from Monday to Friday, and others where they are given, by weekday. */
export function calendar(
  zone: string,
  workday: string,
  { others = {}, holidays = [] }: { others?: Record<number, string>; holidays?: Holiday[] } = {},
): Calendar {
  const week = [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
    const text = others[weekday] ?? (weekday >= 1 && weekday <= 5 ? workday : "");
    return text === "" ? [] : frames(text);
  });
  return { zone, week, holidays };
}

export const chicago = calendar("America/Chicago", "08:00-18:00");

export const rulesOf = (plan: SlaRules["plan"], hours: Calendar = chicago, afterHoursLeft = 5): SlaRules =>
  slaRules({ calendar: hours, plan, afterHoursLeft });

/** Describes something that happens to a ticket: when, what, and what else has to be known about it. */
export type Happening = SlaEvent extends infer Event
  ? Event extends SlaEvent
    ? Omit<Event, "at"> & { at: string; rules?: SlaRules }
    : never
  : never;

export type Story = {
  rules: SlaRules;
  priority?: SlaEvent extends { to: infer To } ? To : "low" | "medium" | "high" | "urgent";
  by?: "client" | "staff";
  opened: string;
  then?: readonly Happening[];
};

type Told = { step: Step; outcomes: SlaOutcome[]; used: number; returned: number };

/** Runs what happens to a ticket through the clock, storing its state as JSON in between as the database does. */
export function tell({ rules, priority = "medium", by = "client", opened, then = [] }: Story): Told {
  const first = startClock({ by, at: Date.parse(opened), priority, rules });
  let told: Told = { step: first, outcomes: first.outcomes, used: first.usesAllowance ? 1 : 0, returned: 0 };
  let current = rules;
  for (const { at, rules: changed, ...happening } of then) {
    current = changed ?? current;
    const event = { ...happening, at: Date.parse(at) } as SlaEvent;
    const step = advance(JSON.parse(JSON.stringify(told.step.state)), event, current);
    told = {
      step,
      outcomes: [...told.outcomes, ...step.outcomes],
      used: told.used + (step.usesAllowance ? 1 : 0),
      returned: told.returned + (step.returnsAllowance ? 1 : 0),
    };
  }
  return told;
}

/** Returns when a promise that runs is due, as the calendar of the promise writes it; a word if none is. */
export function dueIn({ step }: Told, of: "running" | "resolution" = "running"): string {
  const running = step.state[of];
  if (!running) return "nothing";
  return running.dueAt === null ? "paused" : localTime(running.calendar.zone, running.dueAt);
}

/** Writes an instant in a zone: "Mon 2026-11-23 10:00". Written by the system, not by our own code. */
export function localTime(zone: string, at: number): string {
  const options = { timeZone: zone, hourCycle: "h23", weekday: "short", year: "numeric", month: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en-US", { ...options, day: "2-digit", hour: "2-digit", minute: "2-digit" });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.weekday} ${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

/** Writes times of November 2026 in Chicago: `nov("20 19:30")`. */
export const nov = (text: string) => `2026-11-${text.replace(" ", "T")}-06:00`;

export const client = (at: string): Happening => ({ type: "client-message", at: nov(at) });
export const staff = (at: string): Happening => ({ type: "staff-message", at: nov(at) });
export const status = (at: string, to: "open" | "in_progress" | "waiting_for_customer"): Happening => ({
  type: "status-changed",
  at: nov(at),
  to,
});
export const waiting = (at: string) => status(at, "waiting_for_customer");
export const priority = (at: string, to: "low" | "medium" | "high" | "urgent"): Happening => ({
  type: "priority-changed",
  at: nov(at),
  to,
});
export const ended = (
  type: "resolved" | "closed" | "reopened",
  at: string,
  by: "client" | "staff" | "system",
): Happening => ({
  type,
  at: nov(at),
  by,
});
export const missTold = (at: string, of?: "resolution"): Happening => ({ type: "miss-told", at: nov(at), of });

export const story = (opened: string, then: readonly Happening[], rest: Partial<Story> = {}): Told =>
  tell({ rules: rulesOf("basic"), ...rest, opened: nov(opened), then });

/** Writes outcomes: "first_response kept, due Mon 2026-11-23 10:00". */
export const verdictsOf = ({ outcomes }: Told): string[] =>
  outcomes.map(({ kind, outcome, dueAt }) => `${kind} ${outcome}, due ${localTime("America/Chicago", dueAt)}`);
