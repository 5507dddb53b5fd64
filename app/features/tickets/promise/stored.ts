import type { TicketEventKind, TicketPriority } from "~/lib/ticket-words";
import type { Instant } from "~/lib/time";
import type { RunningPromise } from "./running";
import type { PromiseState, Verdict } from "./state";

/** Holds the columns of a ticket that follow from its clock. */
export type PromiseColumns = {
  promise_json: string;
  due_at: Instant | null;
  warn_at: Instant | null;
  miss_at: Instant | null;
};

/** Returns what is stored of a clock. What is due, and sorted by, is the reply; whichever comes first is told first. */
export function promiseColumns(state: PromiseState): PromiseColumns {
  const promises = [state.running, state.resolution];
  return {
    promise_json: JSON.stringify(state),
    due_at: state.running?.dueAt ?? null,
    warn_at: first(promises.map((promise) => promise?.warnAt)),
    miss_at: first(promises.map((promise) => (promise?.missTold ? null : promise?.dueAt))),
  };
}

function first(times: readonly (Instant | null | undefined)[]): Instant | null {
  const known = times.filter((time) => typeof time === "number");
  return known.length > 0 ? Math.min(...known) : null;
}

/** Describes what is stored of a promise: without a priority it was counted with that of the ticket. */
type StoredPromise = Omit<RunningPromise, "priority"> & Partial<Pick<RunningPromise, "priority">>;
type StoredState = Omit<PromiseState, "running" | "resolution"> &
  Record<"running" | "resolution", StoredPromise | null>;

/** Reads a stored clock. Of a ticket that came without one, nothing was promised so far: its first reply is over. */
export function promiseStateOf(json: string, priority: TicketPriority): PromiseState {
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

type VerdictEvent = { kind: TicketEventKind; from_value: string; to_value: string };

/** Returns how a verdict is written to the history: which promise it was, and its times. */
export const verdictEvent = ({ kind, outcome, startedAt, dueAt, answeredAt }: Verdict): VerdictEvent => ({
  kind: outcome === "kept" ? "promise_kept" : "promise_missed",
  from_value: kind,
  to_value: [startedAt, dueAt, answeredAt ?? ""].join(" "),
});

const KINDS = ["first_response", "next_response", "resolution"] as const;

/** Reads the verdict of such an event. */
export function verdictOf({ kind, from_value, to_value }: VerdictEvent): Verdict {
  const [startedAt = 0, dueAt = 0, answeredAt = 0] = to_value.split(" ").map(Number);
  return {
    kind: KINDS.find((known) => known === from_value) ?? "next_response",
    outcome: kind === "promise_kept" ? "kept" : "missed",
    startedAt,
    dueAt,
    answeredAt: answeredAt || null,
  };
}
