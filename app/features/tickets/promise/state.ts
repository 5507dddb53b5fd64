import type { Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import { countDueTime } from "./due-time";
import type { PromiseEvent } from "./events";
import { advanceResolution, startResolution } from "./resolution";
import type { PromiseRules } from "./rules";
import { newPromise, type PromiseKind, paused, type RunningPromise, resumed, told, type Uncounted } from "./running";
import { judged, type Verdict, verdictAt } from "./verdict";

export type { PromiseEvent } from "./events";
export type { Verdict } from "./verdict";

/** Holds what the clock of a ticket knows; stored with the ticket as JSON. */
export type PromiseState = {
  priority: TicketPriority;
  /** Tells whether the first reply was given, or the ticket ended without one. It is owed only once. */
  firstResponseOver: boolean;
  /** Tells whether the newest public message is the client's. */
  clientWaits: boolean;
  /** Tells whether the ticket is resolved or closed. */
  ended: boolean;
  /** Tells whether the ticket counts as an after-hours incident of its organization. */
  allowanceUsed: boolean;
  /** Holds the promise of a reply. */
  running: RunningPromise | null;
  /**
   * Holds the promise that the ticket is resolved, where the settings give one; it starts with what the client first
   * wrote.
   */
  resolution: RunningPromise | null;
};

/** Holds what an event leads to. What is in `verdicts` is written down once and never judged again. */
export type Step = {
  state: PromiseState;
  verdicts: Verdict[];
  /** Tells whether the ticket has just become an after-hours incident, which uses one of the allowance. */
  usesAllowance: boolean;
  /** Says why the incident that it was is given back; null: it is not. */
  returnsAllowance: "organization" | "calendar" | null;
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
    resolution: null,
  };
  return by === "client" ? clientWrote(nothingMore(state), at, rules) : nothingMore(state);
}

/** Tells the clock of a ticket what has happened. What is overdue by then is missed, whatever the event changes. */
export function advance(state: PromiseState, event: PromiseEvent, rules: PromiseRules): Step {
  const step = advanceReply(state, event, rules);
  const { resolution, verdicts } = advanceResolution(step.state, event, { before: state.priority, rules });
  return { ...step, state: { ...step.state, resolution }, verdicts: [...step.verdicts, ...verdicts] };
}

/** Tells what was promised of a reply what has happened. */
function advanceReply(state: PromiseState, event: PromiseEvent, rules: PromiseRules): Step {
  const { at } = event;
  // A late reply is its own verdict, which knows when it came.
  if (event.type === "staff-message" || (event.type === "resolved" && event.by === "staff"))
    return answered(state, { at, resolves: event.type === "resolved" });
  const judgedFirst = judge(state, at);
  switch (event.type) {
    case "client-message":
      return clientWrote(judgedFirst, at, rules);
    case "status-changed":
      return event.to === "waiting_for_customer" ? pause(judgedFirst, at) : resume(judgedFirst, at, rules);
    case "priority-changed":
      return changePriority(judgedFirst, event, rules);
    case "resolved":
    case "closed":
      return { ...judgedFirst, state: { ...judgedFirst.state, ...over } };
    case "reopened":
      return reopen(judgedFirst, event, rules);
    case "organization-moved":
      return move(judgedFirst, at, rules);
    case "calendar-changed":
      return followCalendar(judgedFirst, at, rules);
    case "warned":
    case "miss-told":
      return event.of ? judgedFirst : withRunning(judgedFirst, (running) => told(running, event.type));
  }
}

const nothingMore = (state: PromiseState): Step => ({
  state,
  verdicts: [],
  usesAllowance: false,
  returnsAllowance: null,
});

const over = { running: null, firstResponseOver: true, ended: true } as const;

const withRunning = (step: Step, change: (running: RunningPromise) => RunningPromise): Step =>
  step.state.running ? { ...step, state: { ...step.state, running: change(step.state.running) } } : step;

function judge(state: PromiseState, at: Instant): Step {
  if (!state.running) return nothingMore(state);
  const { promise, verdicts } = judged(state.running, at);
  return { ...nothingMore({ ...state, running: promise }), verdicts };
}

/** Ends the promise that runs with the reply it waited for. */
function answered(state: PromiseState, { at, resolves }: { at: Instant; resolves: boolean }): Step {
  const firstResponseOver = state.firstResponseOver || state.clientWaits || resolves;
  const ended = state.ended || resolves;
  const step = nothingMore({ ...state, running: null, clientWaits: false, firstResponseOver, ended });
  return { ...step, verdicts: verdictAt(state.running, at) };
}

/** Counts the promise of a ticket as it is now, which may make the ticket an after-hours incident. */
function countNow(step: Step, promise: Uncounted, { at, rules }: { at: Instant; rules: PromiseRules }): Step {
  const { priority, allowanceUsed } = step.state;
  const counted = countDueTime(promise, { at, priority, allowanceUsed, afterHours: rules.afterHours });
  const { usesAllowance } = counted;
  const running = usesAllowance ? { ...counted.promise, isIncident: true } : counted.promise;
  const state = { ...step.state, running, allowanceUsed: allowanceUsed || usesAllowance };
  return { ...step, state, usesAllowance: step.usesAllowance || usesAllowance };
}

/** Starts a promise with what the client has just asked. */
function start(step: Step, kind: PromiseKind, moment: { at: Instant; rules: PromiseRules }): Step {
  const { at, rules } = moment;
  const { priority } = step.state;
  const promise = newPromise(kind, rules.targets[priority], { at, priority, rules });
  return countNow(step, promise, moment);
}

/** Starts the promise of a reply, unless one runs: a second message of the client does not put the first one off. */
function clientWrote(step: Step, at: Instant, rules: PromiseRules): Step {
  const wrote = { ...step, state: { ...step.state, clientWaits: true, ended: false } };
  if (wrote.state.running) return resume(wrote, at, rules);
  if (wrote.state.firstResponseOver) return start(wrote, "next_response", { at, rules });
  const resolution = startResolution({ at, priority: wrote.state.priority, rules });
  return start({ ...wrote, state: { ...wrote.state, resolution } }, "first_response", { at, rules });
}

/** Stops the count of a next reply while the client is asked. The first reply is owed whatever we wait for. */
const pause = (step: Step, at: Instant): Step =>
  withRunning(step, (running) => (running.kind === "first_response" ? running : paused(running, at)));

/** Goes on counting after a pause. A promise that another priority made overdue meanwhile stays as it was judged. */
function resume(step: Step, at: Instant, rules: PromiseRules): Step {
  const { running } = step.state;
  if (!running || running.pausedSince === null) return step;
  const next = resumed(running, at);
  return running.missed ? withRunning(step, () => next) : countNow(step, next, { at, rules });
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

/**
 * Counts by changed hours. Where they promise the reply as soon as the night did, the ticket is no incident any more,
 * unless it was one for a reply that was given already.
 */
function followCalendar(step: Step, at: Instant, rules: PromiseRules): Step {
  const counted = recount(step, { at, rules, because: "calendar", change: { calendar: rules.calendar } });
  const { running } = counted.state;
  if (!running?.isIncident || running.missed || running.counting === "around_the_clock") return counted;
  const state = { ...counted.state, running: { ...running, isIncident: false }, allowanceUsed: false };
  return { ...counted, state, returnsAllowance: "calendar" };
}

/** Counts by the rules of another organization, whose allowance counts instead of the former one. */
function move(step: Step, at: Instant, rules: PromiseRules): Step {
  const { running, priority, allowanceUsed } = step.state;
  // An incident that was handled already stays with the organization it was handled for.
  const returnsAllowance = allowanceUsed && running !== null && !running.missed;
  const moved: Step = {
    ...step,
    state: { ...step.state, allowanceUsed: allowanceUsed && !returnsAllowance },
    returnsAllowance: returnsAllowance ? "organization" : null,
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
