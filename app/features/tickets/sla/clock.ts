import type { TicketEventKind } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import {
  type Beginning,
  countDueTime,
  judged,
  markNotified,
  newTarget,
  outcomesAt,
  paused,
  type RunningTarget,
  resumed,
  type SlaEvent,
  type SlaKind,
  type SlaOutcome,
  type SlaRules,
  type Uncounted,
} from "./due-times";

/** Null: the settings promise none. */
function startResolution(moment: Beginning): RunningTarget | null {
  const target = moment.rules.resolutionTargets?.[moment.priority];
  return target ? counted(newTarget("resolution", target, moment), moment) : null;
}

const counted = (sla: Uncounted, { at, priority, rules: { afterHours } }: Beginning): RunningTarget =>
  countDueTime(sla, { at, priority, afterHours, allowanceUsed: false }).sla;
type Advanced = { resolution: RunningTarget | null; outcomes: SlaOutcome[] };

/**
 * Ends for good when the ticket is resolved or closed: reopening promises a reply only. `before`: the priority before
 * the event.
 */
function advanceResolution(
  { resolution, priority }: { resolution: RunningTarget | null; priority: TicketPriority },
  event: SlaEvent,
  { before, rules }: { before: TicketPriority; rules: SlaRules },
): Advanced {
  const { at } = event;
  if (!resolution) return { resolution, outcomes: [] };
  // What ends because the client never answered was solved by nobody.
  if (event.type === "resolved" && event.by !== "system")
    return { resolution: null, outcomes: outcomesAt(resolution, at) };
  const { sla, outcomes } = judged(resolution, at);
  const after = (next: RunningTarget | null): Advanced => ({ resolution: next, outcomes });
  const moment = { at, priority, rules };
  const target = rules.resolutionTargets?.[priority] ?? sla.target;
  const recount = (because: NonNullable<RunningTarget["recounted"]>["because"], change: Partial<Uncounted>) =>
    after(sla.missed ? sla : counted({ ...sla, ...change, recounted: { at, because } }, moment));
  const openFollowUp = () => {
    const next = resumed(sla, at);
    return after(sla.pausedSince === null || sla.missed ? next : counted(next, moment));
  };
  switch (event.type) {
    case "resolved":
    case "closed":
      return after(null);
    case "client-message":
      return openFollowUp();
    case "status-changed":
      return event.to === "waiting_for_customer" ? after(paused(sla, at)) : openFollowUp();
    case "priority-changed":
      return event.to === before ? after(sla) : recount("priority", { target, plan: rules.plan });
    case "organization-moved":
      return recount("organization", { calendar: rules.calendar, plan: rules.plan, target });
    case "calendar-changed":
      return recount("calendar", { calendar: rules.calendar });
    case "warned":
    case "miss-told":
      return after(event.of ? markNotified(sla, event.type) : sla);
    case "staff-message":
    case "reopened":
      return after(sla);
  }
}

/** Stored with the ticket as JSON. */
export type SlaState = {
  priority: TicketPriority;
  /** The first reply is owed only once. */
  firstResponseOver: boolean;
  /** The newest public message is the client's. */
  clientWaits: boolean;
  ended: boolean;
  allowanceUsed: boolean;
  running: RunningTarget | null;
  /** Starts with what the client first wrote; null: the settings promise none. */
  resolution: RunningTarget | null;
};

/** `outcomes` are written down once and never judged again. */
export type Step = {
  state: SlaState;
  outcomes: SlaOutcome[];
  usesAllowance: boolean;
  /** Why the incident that it was is given back; null: it is not. */
  returnsAllowance: "organization" | "calendar" | null;
};

type Opening = { by: "client" | "staff"; at: Instant; priority: TicketPriority; rules: SlaRules };

/** One that staff have opened promises nothing until the client writes. */
export function startClock({ by, at, priority, rules }: Opening): Step {
  const state: SlaState = {
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

/** What is overdue by then is missed, whatever the event changes. */
export function advance(state: SlaState, event: SlaEvent, rules: SlaRules): Step {
  const step = advanceReply(state, event, rules);
  const { resolution, outcomes } = advanceResolution(step.state, event, { before: state.priority, rules });
  return { ...step, state: { ...step.state, resolution }, outcomes: [...step.outcomes, ...outcomes] };
}

function advanceReply(state: SlaState, event: SlaEvent, rules: SlaRules): Step {
  const { at } = event;
  // A late reply is its own outcome, which knows when it came.
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
      return event.of ? judgedFirst : withRunning(judgedFirst, (running) => markNotified(running, event.type));
  }
}

const nothingMore = (state: SlaState): Step => ({
  state,
  outcomes: [],
  usesAllowance: false,
  returnsAllowance: null,
});

const over = { running: null, firstResponseOver: true, ended: true } as const;

const withRunning = (step: Step, change: (running: RunningTarget) => RunningTarget): Step =>
  step.state.running ? { ...step, state: { ...step.state, running: change(step.state.running) } } : step;

function judge(state: SlaState, at: Instant): Step {
  if (!state.running) return nothingMore(state);
  const { sla, outcomes } = judged(state.running, at);
  return { ...nothingMore({ ...state, running: sla }), outcomes };
}

function answered(state: SlaState, { at, resolves }: { at: Instant; resolves: boolean }): Step {
  const firstResponseOver = state.firstResponseOver || state.clientWaits || resolves;
  const ended = state.ended || resolves;
  const step = nothingMore({ ...state, running: null, clientWaits: false, firstResponseOver, ended });
  return { ...step, outcomes: outcomesAt(state.running, at) };
}

function countNow(step: Step, sla: Uncounted, { at, rules }: { at: Instant; rules: SlaRules }): Step {
  const { priority, allowanceUsed } = step.state;
  const counted = countDueTime(sla, { at, priority, allowanceUsed, afterHours: rules.afterHours });
  const { usesAllowance } = counted;
  const running = usesAllowance ? { ...counted.sla, isIncident: true } : counted.sla;
  const state = { ...step.state, running, allowanceUsed: allowanceUsed || usesAllowance };
  return { ...step, state, usesAllowance: step.usesAllowance || usesAllowance };
}

function start(step: Step, kind: SlaKind, moment: { at: Instant; rules: SlaRules }): Step {
  const { at, rules } = moment;
  const { priority } = step.state;
  const sla = newTarget(kind, rules.targets[priority], { at, priority, rules });
  return countNow(step, sla, moment);
}

/** A second message of the client does not put the first one off. */
function clientWrote(step: Step, at: Instant, rules: SlaRules): Step {
  const wrote = { ...step, state: { ...step.state, clientWaits: true, ended: false } };
  if (wrote.state.running) return resume(wrote, at, rules);
  if (wrote.state.firstResponseOver) return start(wrote, "next_response", { at, rules });
  const resolution = startResolution({ at, priority: wrote.state.priority, rules });
  return start({ ...wrote, state: { ...wrote.state, resolution } }, "first_response", { at, rules });
}

/** The first reply is owed whatever we wait for. */
const pause = (step: Step, at: Instant): Step =>
  withRunning(step, (running) => (running.kind === "first_response" ? running : paused(running, at)));

/** A promise that another priority made overdue meanwhile stays as it was judged. */
function resume(step: Step, at: Instant, rules: SlaRules): Step {
  const { running } = step.state;
  if (!running || running.pausedSince === null) return step;
  const next = resumed(running, at);
  return running.missed ? withRunning(step, () => next) : countNow(step, next, { at, rules });
}

type Recount = {
  at: Instant;
  rules: SlaRules;
  because: NonNullable<RunningTarget["recounted"]>["because"];
  change: Partial<Uncounted>;
};

/** From its start, without its pauses. One that was missed stays as it was judged. */
function recount(step: Step, { at, rules, because, change }: Recount): Step {
  const { running } = step.state;
  if (!running || running.missed) return step;
  return countNow(step, { ...running, ...change, recounted: { at, because } }, { at, rules });
}

function changePriority(step: Step, { at, to }: { at: Instant; to: TicketPriority }, rules: SlaRules): Step {
  if (to === step.state.priority) return step;
  const changed = { ...step, state: { ...step.state, priority: to } };
  const urgentSince = step.state.running?.urgentSince ?? (to === "urgent" ? at : null);
  const change = { target: rules.targets[to], plan: rules.plan, urgentSince };
  return recount(changed, { at, rules, because: "priority", change });
}

/**
 * Where they promise the reply as soon as the night did, the ticket is no incident any more, unless it was one for a
 * reply that was given already.
 */
function followCalendar(step: Step, at: Instant, rules: SlaRules): Step {
  const counted = recount(step, { at, rules, because: "calendar", change: { calendar: rules.calendar } });
  const { running } = counted.state;
  if (!running?.isIncident || running.missed || running.counting === "around_the_clock") return counted;
  const state = { ...counted.state, running: { ...running, isIncident: false }, allowanceUsed: false };
  return { ...counted, state, returnsAllowance: "calendar" };
}

/** The allowance of the new organization counts instead of the former one's. */
function move(step: Step, at: Instant, rules: SlaRules): Step {
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

/** Only if the client has reopened the ticket, or has waited since before it ended. */
function reopen(step: Step, { at, by }: { at: Instant; by: "client" | "staff" | "system" }, rules: SlaRules): Step {
  const clientWaits = step.state.clientWaits || by === "client";
  const reopened = { ...step, state: { ...step.state, clientWaits, ended: false } };
  return clientWaits && !step.state.running ? start(reopened, "next_response", { at, rules }) : reopened;
}

export type SlaColumns = ReturnType<typeof slaColumns>;

/** What is due, and sorted by, is the reply; whichever comes first is told first. */
export function slaColumns(state: SlaState) {
  const slas = [state.running, state.resolution];
  return {
    promise_json: JSON.stringify(state),
    due_at: state.running?.dueAt ?? null,
    warn_at: first(slas.map((sla) => sla?.warnAt)),
    miss_at: first(slas.map((sla) => (sla?.missTold ? null : sla?.dueAt))),
  };
}

function first(times: readonly (Instant | null | undefined)[]): Instant | null {
  const known = times.filter((time) => typeof time === "number");
  return known.length > 0 ? Math.min(...known) : null;
}

/** Stored without a priority: it was counted with that of the ticket. */
type StoredTargets = Omit<RunningTarget, "priority"> & Partial<Pick<RunningTarget, "priority">>;
type StoredState = Omit<SlaState, "running" | "resolution"> & Record<"running" | "resolution", StoredTargets | null>;

/** Of a ticket that came without a clock nothing was promised so far: its first reply is over. */
export function slaStateOf(json: string, priority: TicketPriority): SlaState {
  const { running = null, resolution = null, ...stored } = JSON.parse(json) as Partial<StoredState>;
  return {
    priority,
    firstResponseOver: true,
    clientWaits: false,
    ended: false,
    allowanceUsed: false,
    ...stored,
    running: running && { priority, ...running },
    resolution: resolution && { priority, ...resolution },
  };
}

type OutcomeEvent = { kind: TicketEventKind; from_value: string; to_value: string };

export const outcomeEvent = ({ kind, outcome, startedAt, dueAt, answeredAt }: SlaOutcome): OutcomeEvent => ({
  kind: outcome === "kept" ? "promise_kept" : "promise_missed",
  from_value: kind,
  to_value: [startedAt, dueAt, answeredAt ?? ""].join(" "),
});

const KINDS = ["first_response", "next_response", "resolution"] as const;

export function storedOutcome({ kind, from_value, to_value }: OutcomeEvent): SlaOutcome {
  const [startedAt = 0, dueAt = 0, answeredAt = 0] = to_value.split(" ").map(Number);
  return {
    kind: KINDS.find((known) => known === from_value) ?? "next_response",
    outcome: kind === "promise_kept" ? "kept" : "missed",
    startedAt,
    dueAt,
    answeredAt: answeredAt || null,
  };
}

/** Null: none is late. */
export const breachedReply = ({ running }: Pick<SlaState, "running">, at: Instant): Instant | null =>
  running && running.dueAt !== null && (running.missed || running.dueAt < at) ? running.dueAt : null;

export const targetsOf = ({ running, resolution }: SlaState): RunningTarget[] =>
  [running, resolution].filter((target) => target !== null);
