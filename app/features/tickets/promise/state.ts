import type { Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import type { PromiseRules } from "./rules";
import { count, dueIfResumed, type PromiseKind, type RunningPromise, resumed, type Uncounted } from "./running";

/** Holds what the clock of a ticket knows; stored with the ticket as JSON. */
export type PromiseState = {
  priority: TicketPriority;
  /** True once the first reply was given, or the ticket ended without one. It is owed only once. */
  firstResponseOver: boolean;
  /** Tells that the newest public message is the client's. */
  clientWaits: boolean;
  /** Tells that the ticket is resolved or closed. */
  ended: boolean;
  /** Tells that the ticket counts as an after-hours incident of its organization. */
  allowanceUsed: boolean;
  running: RunningPromise | null;
};

/** Holds how a promise ended: whether in time, and when the reply came, null if it had not come by then. */
export type Verdict = {
  kind: PromiseKind;
  outcome: "kept" | "missed";
  startedAt: Instant;
  dueAt: Instant;
  answeredAt: Instant | null;
};

/** Tells the clock what has happened. Internal notes, automatic mails and bounces are no events. */
export type PromiseEvent =
  | { type: "client-message"; at: Instant }
  /** A public message of staff that a person wrote. */
  | { type: "staff-message"; at: Instant }
  | { type: "status-changed"; at: Instant; to: "open" | "in_progress" | "waiting_for_customer" }
  | { type: "priority-changed"; at: Instant; to: TicketPriority }
  /** Resolving by staff says what was done, which answers the client. */
  | { type: "resolved" | "closed" | "reopened"; at: Instant; by: "client" | "staff" | "system" }
  /** The ticket belongs to another organization now, whose rules come with it. */
  | { type: "organization-moved"; at: Instant }
  /** Hours or holidays were changed, and promises that run are to follow. */
  | { type: "calendar-changed"; at: Instant }
  /** Somebody was warned that the promised time is nearly over. */
  | { type: "warned"; at: Instant }
  /** People are told that a promise was missed. */
  | { type: "miss-told"; at: Instant };

/** Holds what an event leads to. What is in `verdicts` is written down once and never judged again. */
export type Step = {
  state: PromiseState;
  verdicts: Verdict[];
  /** True when the ticket has just become an after-hours incident, which uses one of the allowance. */
  usesAllowance: boolean;
  /** True when it is no incident of its former organization any more. */
  returnsAllowance: boolean;
};

type Opening = { by: "client" | "staff"; at: Instant; priority: TicketPriority; rules: PromiseRules };

/** Starts the clock of a ticket. One that staff have opened promises nothing until the client writes. */
export function openTicket({ by, at, priority, rules }: Opening): Step {
  const state: PromiseState = {
    priority,
    firstResponseOver: false,
    clientWaits: false,
    ended: false,
    allowanceUsed: false,
    running: null,
  };
  return by === "client" ? clientWrote(nothingMore(state), at, rules) : nothingMore(state);
}

/** Tells the clock of a ticket what has happened. What is overdue by then is missed, whatever the event changes. */
export function advance(state: PromiseState, event: PromiseEvent, rules: PromiseRules): Step {
  const { at } = event;
  // A late reply is its own verdict, which knows when it came.
  if (event.type === "staff-message" || (event.type === "resolved" && event.by === "staff"))
    return answered(state, { at, resolves: event.type === "resolved" });
  const judged = judge(state, at);
  switch (event.type) {
    case "client-message":
      return clientWrote(judged, at, rules);
    case "status-changed":
      return event.to === "waiting_for_customer" ? pause(judged, at) : resume(judged, at, rules);
    case "priority-changed":
      return changePriority(judged, event, rules);
    case "resolved":
    case "closed":
      return { ...judged, state: { ...judged.state, ...over } };
    case "reopened":
      return reopen(judged, event, rules);
    case "organization-moved":
      return move(judged, at, rules);
    case "calendar-changed":
      return recount(judged, { at, rules, because: "calendar", change: { calendar: rules.calendar } });
    case "warned":
      return withRunning(judged, (running) => ({ ...running, warned: true, warnAt: null }));
    case "miss-told":
      return withRunning(judged, (running) => ({ ...running, missTold: running.missed }));
  }
}

const nothingMore = (state: PromiseState): Step => ({
  state,
  verdicts: [],
  usesAllowance: false,
  returnsAllowance: false,
});

const over = { running: null, firstResponseOver: true, ended: true } as const;

const withRunning = (step: Step, change: (running: RunningPromise) => RunningPromise): Step =>
  step.state.running ? { ...step, state: { ...step.state, running: change(step.state.running) } } : step;

/** Declares a promise missed whose time has passed. It is due through the very millisecond it was promised for. */
function judge(state: PromiseState, at: Instant): Step {
  const { running } = state;
  if (!running || running.missed || running.dueAt === null || at <= running.dueAt) return nothingMore(state);
  const { kind, startedAt, dueAt } = running;
  return {
    ...nothingMore({ ...state, running: { ...running, missed: true, warnAt: null } }),
    verdicts: [{ kind, outcome: "missed", startedAt, dueAt, answeredAt: null }],
  };
}

/** Ends the promise that runs with the reply it waited for. */
function answered(state: PromiseState, { at, resolves }: { at: Instant; resolves: boolean }): Step {
  const firstResponseOver = state.firstResponseOver || state.clientWaits || resolves;
  const ended = state.ended || resolves;
  const step = nothingMore({ ...state, running: null, clientWaits: false, firstResponseOver, ended });
  const { running } = state;
  if (!running || running.missed) return step;
  const { kind, startedAt } = running;
  const dueAt = dueIfResumed(running, at);
  return { ...step, verdicts: [{ kind, outcome: at <= dueAt ? "kept" : "missed", startedAt, dueAt, answeredAt: at }] };
}

/** Counts the promise of a ticket as it is now, which may make the ticket an after-hours incident. */
function countNow(step: Step, promise: Uncounted, { at, rules }: { at: Instant; rules: PromiseRules }): Step {
  const { priority, allowanceUsed } = step.state;
  const counted = count(promise, { at, priority, allowanceUsed, afterHours: rules.afterHours });
  const { usesAllowance } = counted;
  const state = { ...step.state, running: counted.promise, allowanceUsed: allowanceUsed || usesAllowance };
  return { ...step, state, usesAllowance: step.usesAllowance || usesAllowance };
}

/** Starts a promise with what the client has just asked. */
function start(step: Step, kind: PromiseKind, moment: { at: Instant; rules: PromiseRules }): Step {
  const { at, rules } = moment;
  const { priority } = step.state;
  const promise: Uncounted = {
    kind,
    plan: rules.plan,
    calendar: rules.calendar,
    target: rules.targets[priority],
    startedAt: at,
    urgentSince: priority === "urgent" ? at : null,
    pauses: [],
    pausedSince: null,
    warned: false,
    missed: false,
    missTold: false,
    recounted: null,
  };
  return countNow(step, promise, moment);
}

/** Starts the promise of a reply, unless one runs: a second message of the client does not put the first one off. */
function clientWrote(step: Step, at: Instant, rules: PromiseRules): Step {
  const wrote = { ...step, state: { ...step.state, clientWaits: true, ended: false } };
  if (wrote.state.running) return resume(wrote, at, rules);
  return start(wrote, wrote.state.firstResponseOver ? "next_response" : "first_response", { at, rules });
}

/** Stops the count of a next reply while the client is asked. The first reply is owed whatever we wait for. */
const pause = (step: Step, at: Instant): Step =>
  withRunning(step, (running) =>
    running.kind === "first_response" || running.missed || running.pausedSince !== null
      ? running
      : { ...running, pausedSince: at, dueAt: null, warnAt: null },
  );

function resume(step: Step, at: Instant, rules: PromiseRules): Step {
  const { running } = step.state;
  if (!running || running.pausedSince === null) return step;
  return countNow(step, resumed(running, at), { at, rules });
}

type Recount = {
  at: Instant;
  rules: PromiseRules;
  because: NonNullable<RunningPromise["recounted"]>["because"];
  change: Partial<Uncounted>;
};

/** Counts a promise anew from its start, without its pauses. One that was missed stays as it was judged. */
function recount(step: Step, { at, rules, because, change }: Recount): Step {
  const { running } = step.state;
  if (!running || running.missed) return step;
  return countNow(step, { ...running, ...change, recounted: { at, because } }, { at, rules });
}

function changePriority(step: Step, { at, to }: { at: Instant; to: TicketPriority }, rules: PromiseRules): Step {
  if (to === step.state.priority) return step;
  const changed = { ...step, state: { ...step.state, priority: to } };
  const urgentSince = step.state.running?.urgentSince ?? (to === "urgent" ? at : null);
  const change = { target: rules.targets[to], plan: rules.plan, urgentSince };
  return recount(changed, { at, rules, because: "priority", change });
}

/** Counts by the rules of another organization, whose allowance counts instead of the former one. */
function move(step: Step, at: Instant, rules: PromiseRules): Step {
  const { running, priority, allowanceUsed } = step.state;
  // An incident that was handled already stays with the organization it was handled for.
  const returnsAllowance = allowanceUsed && running !== null && !running.missed;
  const moved: Step = {
    ...step,
    state: { ...step.state, allowanceUsed: allowanceUsed && !returnsAllowance },
    returnsAllowance,
  };
  const change = { calendar: rules.calendar, plan: rules.plan, target: rules.targets[priority] };
  return recount(moved, { at, rules, because: "organization", change });
}

/** Starts the promise of the next reply, if the client has reopened the ticket or has waited since before it ended. */
function reopen(step: Step, { at, by }: { at: Instant; by: "client" | "staff" | "system" }, rules: PromiseRules): Step {
  const clientWaits = step.state.clientWaits || by === "client";
  const reopened = { ...step, state: { ...step.state, clientWaits, ended: false } };
  return clientWaits && !step.state.running ? start(reopened, "next_response", { at, rules }) : reopened;
}
