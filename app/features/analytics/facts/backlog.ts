import { addDays } from "~/lib/time";
import { BACKLOG_AGES } from "../definitions";

/** Says whether a ticket was active at the end of a day. */
export type DayState = { day: string; isActive: boolean };

/** Holds how the backlog of each age changes on a day. */
export type BacklogChange = [number, number, number, number];

/**
 * Returns on which days a ticket enters and leaves each age of the backlog, also in the future, where it grows older if
 * nothing happens. The backlog at the end of a day is the sum of all changes until then.
 *
 * @param createdOn The day it was created.
 * @param states What it was at the end of each day on which that changed, in order.
 */
export function backlogChanges(createdOn: string, states: readonly DayState[]): Map<string, BacklogChange> {
  const changes = new Map<string, BacklogChange>();
  const add = (day: string, age: number, count: number) => {
    const change = changes.get(day) ?? [0, 0, 0, 0];
    change[age] = (change[age] ?? 0) + count;
    changes.set(day, change);
  };
  for (const { from, until } of activeSpans(states))
    BACKLOG_AGES.forEach((first, age) => {
      const next = BACKLOG_AGES[age + 1];
      const begins = latest(addDays(createdOn, first), from);
      const ends = earliest(next === undefined ? null : addDays(createdOn, next), until);
      if (ends !== null && ends <= begins) return;
      add(begins, age, 1);
      if (ends !== null) add(ends, age, -1);
    });
  for (const [day, change] of changes) if (change.every((count) => count === 0)) changes.delete(day);
  return changes;
}

/** Returns from which day on it was active at the end of the day, and from which it was not any more. */
function activeSpans(states: readonly DayState[]): { from: string; until: string | null }[] {
  const spans: { from: string; until: string | null }[] = [];
  for (const { day, isActive } of states) {
    const open = spans.at(-1);
    const isOpen = open !== undefined && open.until === null;
    if (isActive && !isOpen) spans.push({ from: day, until: null });
    if (!isActive && isOpen) open.until = day;
  }
  return spans;
}

const latest = (one: string, other: string): string => (one > other ? one : other);

const earliest = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
};
