import { type CappedCount, cappedText } from "~/lib/capped-count";
import { dueInWords } from "~/lib/due";
import { plural } from "~/lib/text";
import type { QueueOwner, WaitingQueue } from "~/lib/waiting";

/** Says that a queue is empty. */
export const QUEUE_EMPTY: Record<QueueOwner, string> = {
  all: "Nobody is waiting.",
  me: "Nobody is waiting for you.",
  none: "Everything has an owner.",
};

const isOne = ({ count, isMore }: CappedCount) => count === 1 && !isMore;

/** Returns the parts of the sentence over the queue: "8 people are waiting. 1 answer is late, 2 have no owner." */
export function verdictOf({ counts, late }: Pick<WaitingQueue, "counts" | "late">) {
  const { all, none } = counts;
  if (all.count === 0) return { waiting: QUEUE_EMPTY.all, late: null, unowned: null };
  return {
    waiting: all.isMore
      ? `${cappedText(all)} people are waiting.`
      : `${plural(all.count, "person is", "people are")} waiting.`,
    late: late.count > 0 ? `${cappedText(late)} ${isOne(late) ? "answer is" : "answers are"} late` : null,
    unowned: none.count > 0 ? `${cappedText(none)} ${isOne(none) ? "has" : "have"} no owner` : null,
  };
}

/** Returns which promise comes next: the oldest one that is open, or what would be promised now. */
export const nextPromise = ({ counts, next }: Pick<WaitingQueue, "counts" | "next">): string =>
  counts.all.count > 0 ? `The next answer is ${dueInWords(next)}.` : `A submission sent now is ${dueInWords(next)}.`;
