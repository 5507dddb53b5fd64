import type { OrganizationPlan } from "~/features/organizations/model";
import { DEFAULT_REPLY_TARGETS, type ReplyTarget, type ReplyTargets } from "~/features/settings/model";
import { afterOpenTime, afterWorkingDays, type Calendar, isOpen, nextOpening, openTimeBetween } from "~/lib/calendar";
import { type Duration, days, hours, type Instant } from "~/lib/time";
import { ALLOWANCES, type TicketPriority } from "../model";

export type Target = ReplyTarget;

export type Coverage = "open_hours" | "urgent_after_hours" | "around_the_clock";

type AfterHours = {
  /** In a contract year; null: as many as needed. */
  perYear: number | null;
  left: number;
  /** Around the clock. */
  response: Duration;
};

export type SlaRules = {
  calendar: Calendar;
  plan: OrganizationPlan;
  targets: ReplyTargets;
  /** Null: not promised. */
  resolutionTargets: ReplyTargets | null;
  afterHours: AfterHours;
};

/** Around the clock. */
const AFTER_HOURS_RESPONSE = hours(4);

const COVERAGE: Record<OrganizationPlan, Coverage> = {
  none: "open_hours",
  basic: "open_hours",
  core: "urgent_after_hours",
  premium: "around_the_clock",
};

export const coverageOf = (plan: OrganizationPlan): Coverage => COVERAGE[plan];

type Covered = {
  calendar: Calendar;
  plan: OrganizationPlan;
  /** Only plans that count incidents ask for it. */
  afterHoursLeft: number;
  targets?: ReplyTargets;
  resolutionTargets?: ReplyTargets | null;
};

export const slaRules = ({
  calendar,
  plan,
  afterHoursLeft,
  targets = DEFAULT_REPLY_TARGETS,
  resolutionTargets = null,
}: Covered): SlaRules => ({
  calendar,
  plan,
  targets,
  resolutionTargets,
  afterHours: { perYear: ALLOWANCES[plan].after_hours, left: afterHoursLeft, response: AFTER_HOURS_RESPONSE },
});

/** Internal notes, automatic mails and bounces are no events. */
export type SlaEvent =
  | { type: "client-message"; at: Instant }
  | { type: "staff-message"; at: Instant }
  | { type: "status-changed"; at: Instant; to: "open" | "in_progress" | "waiting_for_customer" }
  | { type: "priority-changed"; at: Instant; to: TicketPriority }
  /** Resolving by staff says what was done, which answers the client. */
  | { type: "resolved" | "closed" | "reopened"; at: Instant; by: "client" | "staff" | "system" }
  | { type: "organization-moved"; at: Instant }
  /** Hours or holidays were changed, and promises that run are to follow. */
  | { type: "calendar-changed"; at: Instant }
  /** `of`: absent is the reply. */
  | { type: "warned"; at: Instant; of?: "resolution" }
  /** People were told of a missed promise, the reply's unless `of` says otherwise. */
  | { type: "miss-told"; at: Instant; of?: "resolution" };

export type SlaKind = "first_response" | "next_response" | "resolution";

/** Working days: open hours until the same time of a later working day. */
type Counting = "open_hours" | "working_days" | "around_the_clock";

/** Says what a client is told beside the time: urgent, but outside the plan's hours, or with no incident left. */
type SlaNote = { type: "outside_hours" } | { type: "used_up"; perYear: number };

type Count = {
  counting: Counting;
  /** Of an after-hours incident: when the ticket became urgent. */
  countedFrom: Instant;
  time: Duration;
};

export type RunningTarget = Count & {
  kind: SlaKind;
  plan: OrganizationPlan;
  /** The one it was counted with: of a missed promise, whatever the ticket's is since. */
  priority: TicketPriority;
  calendar: Calendar;
  target: Target;
  startedAt: Instant;
  urgentSince: Instant | null;
  /** Times that did not count, because we waited for the client. */
  pauses: readonly { from: Instant; to: Instant }[];
  pausedSince: Instant | null;
  dueAt: Instant | null;
  /** When three quarters of the time have passed; null while paused, and once somebody was warned. */
  warnAt: Instant | null;
  warned: boolean;
  /** From then on nothing moves it any more. */
  missed: boolean;
  missTold: boolean;
  note: SlaNote | null;
  isIncident?: boolean;
  recounted: { at: Instant; because: "priority" | "organization" | "calendar" } | null;
};

export type Uncounted = Omit<RunningTarget, keyof Count | "priority" | "dueAt" | "warnAt" | "note">;

export type Beginning = { at: Instant; priority: TicketPriority; rules: SlaRules };

export const newTarget = (kind: SlaKind, target: Target, { at, priority, rules }: Beginning): Uncounted => ({
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

export const markNotified = (sla: RunningTarget, what: "warned" | "miss-told"): RunningTarget =>
  what === "warned" ? { ...sla, warned: true, warnAt: null } : { ...sla, missTold: sla.missed };

export const paused = (sla: RunningTarget, at: Instant): RunningTarget =>
  sla.missed || sla.pausedSince !== null ? sla : { ...sla, pausedSince: at, dueAt: null, warnAt: null };

export const resumed = <Sla extends Uncounted>(sla: Sla, at: Instant): Sla =>
  sla.pausedSince === null
    ? sla
    : { ...sla, pauses: [...sla.pauses, { from: sla.pausedSince, to: at }], pausedSince: null };

const WARN_SHARE = 0.75;

/** The spans from its start to now without its pauses; the last has no end yet. */
function spansOf({ pauses, pausedSince }: Uncounted, from: Instant) {
  const all = pausedSince === null ? pauses : [...pauses, { from: pausedSince, to: null }];
  return [from, ...all.map(({ to }) => to)].flatMap((start, index) => {
    const end = all[index]?.from ?? null;
    if (start === null || (end !== null && end <= from)) return [];
    return [{ start: Math.max(start, from), end }];
  });
}

/** A count of working days never ends while closed: its minute of closing is the next opening. */
function endOf(
  time: Duration,
  { counting, start, calendar }: { counting: Counting; start: Instant; calendar: Calendar },
) {
  if (counting === "around_the_clock") return start + time;
  const end = afterOpenTime(calendar, start, time);
  return counting === "working_days" ? nextOpening(calendar, end) : end;
}

/** Null while it is paused before that. */
function passedAt(sla: Uncounted, { counting, countedFrom, time }: Count, share = 1): Instant | null {
  const { calendar } = sla;
  let left = Math.floor(time * share);
  for (const { start, end } of spansOf(sla, countedFrom)) {
    const reached = endOf(left, { counting, start, calendar });
    if (end === null || reached < end) return reached;
    left -= counting === "around_the_clock" ? end - start : openTimeBetween(calendar, start, end);
  }
  return null;
}

export const dueIfResumed = (sla: RunningTarget, at: Instant): Instant =>
  sla.dueAt ?? passedAt(resumed(sla, at), sla) ?? at;

function inOpenHours({ target, calendar, startedAt }: Uncounted): Count {
  if (target.unit === "hours") return { counting: "open_hours", countedFrom: startedAt, time: hours(target.count) };
  const start = nextOpening(calendar, startedAt);
  const time = openTimeBetween(calendar, start, afterWorkingDays(calendar, start, target.count));
  return { counting: "working_days", countedFrom: startedAt, time };
}

/** A working day is 24 hours here. */
const aroundTheClock = ({ target: { unit, count }, startedAt }: Uncounted): Count => ({
  counting: "around_the_clock",
  countedFrom: startedAt,
  time: unit === "hours" ? hours(count) : days(count),
});

type Moment = {
  at: Instant;
  priority: TicketPriority;
  afterHours: AfterHours;
  allowanceUsed: boolean;
};

type Choice = Moment & {
  isPaused: boolean;
};

/** Only where that promises an earlier reply than open hours do. None is used up for a time that has passed already. */
function atNight(sla: Uncounted, open: Count, { at, afterHours }: Moment): Count | null {
  const countedFrom = sla.urgentSince ?? sla.startedAt;
  const night: Count = { counting: "around_the_clock", countedFrom, time: afterHours.response };
  const [nightDue, openDue] = [passedAt(sla, night), passedAt(sla, open)];
  return nightDue !== null && openDue !== null && nightDue < openDue && nightDue > at ? night : null;
}

function chooseCount(sla: Uncounted, moment: Choice): { counted: Count; note: SlaNote | null; usesAllowance: boolean } {
  const plain = { note: null, usesAllowance: false };
  const coverage = coverageOf(sla.plan);
  if (coverage === "around_the_clock") return { ...plain, counted: aroundTheClock(sla) };
  const open = inOpenHours(sla);
  // After-hours incidents buy a reply at night, not the whole work.
  if (moment.priority !== "urgent" || sla.kind === "resolution") return { ...plain, counted: open };
  if (coverage === "open_hours")
    return {
      ...plain,
      counted: open,
      note: isOpen(sla.calendar, sla.startedAt) ? null : { type: "outside_hours" },
    };
  const night = atNight(sla, open, moment);
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

export function countDueTime(sla: Uncounted, moment: Moment): { sla: RunningTarget; usesAllowance: boolean } {
  const isPaused = sla.pausedSince !== null;
  const { counted, note, usesAllowance } = chooseCount(resumed(sla, moment.at), { ...moment, isPaused });
  const dueAt = passedAt(sla, counted);
  const warnAt = sla.warned || dueAt === null ? null : warningAt(sla, counted, moment.at);
  const { priority } = moment;
  return { sla: { ...sla, ...counted, priority, dueAt, warnAt, note }, usesAllowance };
}

/** Not before now. A warning of work that nobody does at night waits for opening. */
function warningAt(sla: Uncounted, counted: Count, now: Instant): Instant {
  const at = Math.max(passedAt(sla, counted, WARN_SHARE) ?? now, now);
  return counted.counting === "around_the_clock" ? at : nextOpening(sla.calendar, at);
}

/** `answeredAt` null: the reply had not come by then. */
export type SlaOutcome = {
  kind: SlaKind;
  outcome: "kept" | "missed";
  startedAt: Instant;
  dueAt: Instant;
  answeredAt: Instant | null;
};

/** Due through the very millisecond it was promised for. */
export function judged(sla: RunningTarget, at: Instant): { sla: RunningTarget; outcomes: SlaOutcome[] } {
  const { kind, startedAt, dueAt, missed } = sla;
  if (missed || dueAt === null || at <= dueAt) return { sla, outcomes: [] };
  return {
    sla: { ...sla, missed: true, warnAt: null },
    outcomes: [{ kind, outcome: "missed", startedAt, dueAt, answeredAt: null }],
  };
}

export function outcomesAt(sla: RunningTarget | null, at: Instant): SlaOutcome[] {
  if (!sla || sla.missed) return [];
  const { kind, startedAt } = sla;
  const dueAt = dueIfResumed(sla, at);
  return [{ kind, outcome: at <= dueAt ? "kept" : "missed", startedAt, dueAt, answeredAt: at }];
}
