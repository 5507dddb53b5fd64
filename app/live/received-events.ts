type ReceivedEvents = {
  /** Number of the newest event. */
  newest: () => number;
  /** Starts again: events up to this number count as received, and all later ones as missing. */
  continueAfter: (seq: number) => void;
  /** Adds an event. False: it was received before. */
  add: (seq: number) => boolean;
};

/**
 * Tracks which events a page has received since its last hello. Missed and new events may come in any order, so the
 * newest number alone does not show which events are duplicates.
 */
export function trackReceivedEvents(after: number): ReceivedEvents {
  let continuedAfter = after;
  let newest = after;
  let received = new Set<number>();
  return {
    newest: () => newest,
    continueAfter: (seq) => {
      continuedAfter = newest = seq;
      received = new Set();
    },
    add: (seq) => {
      if (seq <= continuedAfter || received.has(seq)) return false;
      received.add(seq);
      newest = Math.max(newest, seq);
      return true;
    },
  };
}
