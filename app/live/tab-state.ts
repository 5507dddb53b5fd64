import { type Instant, minutes } from "~/lib/time";

/** Holds the state of a live channel that a tab carries from one document to the next. */
type TabState = { seq: number; paused: boolean; at: Instant };

/** Limits the age of a saved number: a page loaded later shows the missed events itself. */
const SEQ_LIFETIME = minutes(2);

const keyOf = (path: string) => `live:${path}`;

/**
 * Saves the state. Does nothing when storage is disabled or full: the next document starts with the page's own number.
 */
export function saveTabState(path: string, state: TabState): void {
  try {
    sessionStorage.setItem(keyOf(path), JSON.stringify(state));
  } catch {
    return;
  }
}

/** Loads the state. `seq` is null when it is too old to continue from; `paused` never gets too old. */
export function loadTabState(path: string, now: Instant): { seq: number | null; paused: boolean } {
  try {
    const state = JSON.parse(sessionStorage.getItem(keyOf(path)) ?? "null") as TabState | null;
    const isRecent = state !== null && now - state.at < SEQ_LIFETIME && Number.isSafeInteger(state.seq);
    return { seq: isRecent ? state.seq : null, paused: state?.paused === true };
  } catch {
    return { seq: null, paused: false };
  }
}
