import type { Instant } from "~/lib/time";
import type { TicketPriority } from "../model";
import {
  countDueTime,
  judged,
  newPromise,
  type PromiseEvent,
  paused,
  type RunningPromise,
  resumed,
  told,
  type Uncounted,
  type Verdict,
  verdictAt,
} from "./clock";
import type { PromiseRules } from "./rules";

type Moment = { at: Instant; priority: TicketPriority; rules: PromiseRules };

/** Null: the settings promise none. */
export function startResolution(moment: Moment): RunningPromise | null {
  const target = moment.rules.resolutionTargets?.[moment.priority];
  return target ? counted(newPromise("resolution", target, moment), moment) : null;
}

const counted = (promise: Uncounted, { at, priority, rules: { afterHours } }: Moment): RunningPromise =>
  countDueTime(promise, { at, priority, afterHours, allowanceUsed: false }).promise;

type Clock = { resolution: RunningPromise | null; priority: TicketPriority };
type Advanced = { resolution: RunningPromise | null; verdicts: Verdict[] };

/**
 * Ends for good when the ticket is resolved or closed: reopening promises a reply only. `before`: the priority before
 * the event.
 */
export function advanceResolution(
  { resolution, priority }: Clock,
  event: PromiseEvent,
  { before, rules }: { before: TicketPriority; rules: PromiseRules },
): Advanced {
  const { at } = event;
  if (!resolution) return { resolution, verdicts: [] };
  // What ends because the client never answered was solved by nobody.
  if (event.type === "resolved" && event.by !== "system")
    return { resolution: null, verdicts: verdictAt(resolution, at) };
  const { promise, verdicts } = judged(resolution, at);
  const after = (next: RunningPromise | null): Advanced => ({ resolution: next, verdicts });
  const moment = { at, priority, rules };
  const target = rules.resolutionTargets?.[priority] ?? promise.target;
  const recount = (because: NonNullable<RunningPromise["recounted"]>["because"], change: Partial<Uncounted>) =>
    after(promise.missed ? promise : counted({ ...promise, ...change, recounted: { at, because } }, moment));
  const openFollowUp = () => {
    const next = resumed(promise, at);
    return after(promise.pausedSince === null || promise.missed ? next : counted(next, moment));
  };
  switch (event.type) {
    case "resolved":
    case "closed":
      return after(null);
    case "client-message":
      return openFollowUp();
    case "status-changed":
      return event.to === "waiting_for_customer" ? after(paused(promise, at)) : openFollowUp();
    case "priority-changed":
      return event.to === before ? after(promise) : recount("priority", { target, plan: rules.plan });
    case "organization-moved":
      return recount("organization", { calendar: rules.calendar, plan: rules.plan, target });
    case "calendar-changed":
      return recount("calendar", { calendar: rules.calendar });
    case "warned":
    case "miss-told":
      return after(event.of ? told(promise, event.type) : promise);
    case "staff-message":
    case "reopened":
      return after(promise);
  }
}
