import type { OrganizationPlan } from "~/features/organizations/model";
import type { Instant } from "~/lib/time";
import type { PromiseKind, PromiseNote } from "./running";
import type { PromiseState } from "./state";

/** Holds what pages show of a promise that waits for its reply. */
export type CurrentPromise = {
  kind: PromiseKind;
  plan: OrganizationPlan;
  startedAt: Instant;
  /** Null while it is paused. */
  dueAt: Instant | null;
  /** Null while it is paused, and once somebody was warned or the time has passed. */
  warnAt: Instant | null;
  pausedSince: Instant | null;
  missed: boolean;
  note: PromiseNote | null;
};

/** Returns the promise that runs on a ticket, null if nothing is promised at present. */
export function currentPromise({ running }: Pick<PromiseState, "running">): CurrentPromise | null {
  if (!running) return null;
  const { kind, plan, startedAt, dueAt, warnAt, pausedSince, missed, note } = running;
  return { kind, plan, startedAt, dueAt, warnAt, pausedSince, missed, note };
}
