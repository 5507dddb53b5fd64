/**
 * Tracks which events a page has received since its last hello. Missed and new events may come in any order, so the
 * newest number alone does not show which events are duplicates.
 */
export function trackReceivedEvents(after: number) {
  let continuedAfter = after;
  let newest = after;
  let received = new Set<number>();
  return {
    /** Returns the number of the newest event. */
    newest: () => newest,
    /** Starts again after an event, by default the newest: all later ones count as missing. Returns its number. */
    restart: (seq = newest) => {
      received = new Set();
      continuedAfter = newest = seq;
      return seq;
    },
    /** Adds an event. False: it was received before. */
    add: (seq: number) => {
      if (seq <= continuedAfter || received.has(seq)) return false;
      received.add(seq);
      newest = Math.max(newest, seq);
      return true;
    },
  };
}
