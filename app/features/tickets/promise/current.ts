import type { OrganizationPlan } from "~/features/organizations/model";
import type { Instant } from "~/lib/time";
import type { PromiseKind, PromiseNote, RunningPromise } from "./running";
import type { PromiseState } from "./state";

/** Holds what pages show of a promise that waits for its reply. */
export type CurrentPromise = {
  kind: PromiseKind;
  plan: OrganizationPlan;
  startedAt: Instant;
  /** Says when the time is over; null while it is paused. */
  dueAt: Instant | null;
  /** Says when somebody is warned; null while it is paused, and once somebody was warned or the time has passed. */
  warnAt: Instant | null;
  pausedSince: Instant | null;
  missed: boolean;
  note: PromiseNote | null;
};

/** Returns the promise of a reply that runs on a ticket, null if none is promised at present. */
export const currentPromise = ({ running }: Pick<PromiseState, "running">): CurrentPromise | null =>
  running && current(running);

/** Returns the time by which a reply was promised that has not come; null: none is late. */
export const missedReply = ({ running }: Pick<PromiseState, "running">, at: Instant): Instant | null =>
  running && running.dueAt !== null && (running.missed || running.dueAt < at) ? running.dueAt : null;

/**
 * Returns the promises that run on a ticket, with all that they were counted with: of a reply, and of its resolution.
 */
export const promisesOf = ({
  running,
  resolution,
}: PromiseState): { current: CurrentPromise; running: RunningPromise }[] =>
  [running, resolution].flatMap((promise) => (promise ? { current: current(promise), running: promise } : []));

const current = ({
  kind,
  plan,
  startedAt,
  dueAt,
  warnAt,
  pausedSince,
  missed,
  note,
}: RunningPromise): CurrentPromise => ({
  kind,
  plan,
  startedAt,
  dueAt,
  warnAt,
  pausedSince,
  missed,
  note,
});
