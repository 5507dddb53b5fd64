import type { TicketEventKind, TicketPriority } from "~/lib/ticket-words";
import type { Instant } from "~/lib/time";
import type { PromiseState, Verdict } from "./state";

/** Holds the columns of a ticket that follow from its clock. */
export type PromiseColumns = {
  promise_json: string;
  due_at: Instant | null;
  warn_at: Instant | null;
  miss_at: Instant | null;
};

/** Returns what is stored of a clock. */
export function promiseColumns(state: PromiseState): PromiseColumns {
  const { running } = state;
  return {
    promise_json: JSON.stringify(state),
    due_at: running?.dueAt ?? null,
    warn_at: running?.warnAt ?? null,
    miss_at: running?.missTold ? null : (running?.dueAt ?? null),
  };
}

/** Reads a stored clock. Of a ticket that came without one, nothing was promised so far: its first reply is over. */
export const promiseStateOf = (json: string, priority: TicketPriority): PromiseState => ({
  priority,
  firstResponseOver: true,
  clientWaits: false,
  ended: false,
  allowanceUsed: false,
  running: null,
  ...(JSON.parse(json) as Partial<PromiseState>),
});

type VerdictEvent = { kind: TicketEventKind; from_value: string; to_value: string };

/** Returns how a verdict is written to the history: which promise it was, and its times. */
export const verdictEvent = ({ kind, outcome, startedAt, dueAt, answeredAt }: Verdict): VerdictEvent => ({
  kind: outcome === "kept" ? "promise_kept" : "promise_missed",
  from_value: kind,
  to_value: [startedAt, dueAt, answeredAt ?? ""].join(" "),
});

/** Reads the verdict of such an event. */
export function verdictOf({ kind, from_value, to_value }: VerdictEvent): Verdict {
  const [startedAt = 0, dueAt = 0, answeredAt = 0] = to_value.split(" ").map(Number);
  return {
    kind: from_value === "first_response" ? "first_response" : "next_response",
    outcome: kind === "promise_kept" ? "kept" : "missed",
    startedAt,
    dueAt,
    answeredAt: answeredAt || null,
  };
}
