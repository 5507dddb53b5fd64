import { type Instant, minutes } from "~/lib/time";

/** What a tab remembers of a live channel while one document gives way to the next. */
export type TabMemory = { seq: number; paused: boolean; at: Instant };

/** After longer than this the page has told everything itself, and old events would only be noise. */
const FORGET_AFTER = minutes(2);

const keyOf = (path: string) => `live:${path}`;

/** Storage may be switched off or full; then the tab remembers nothing, and the page's own number is used. */
export function remember(path: string, memory: TabMemory): void {
  try {
    sessionStorage.setItem(keyOf(path), JSON.stringify(memory));
  } catch {
    return;
  }
}

/** `seq` is null when the memory is too old to go on from; whether the person had paused is kept. */
export function recall(path: string, now: Instant): { seq: number | null; paused: boolean } {
  try {
    const memory = JSON.parse(sessionStorage.getItem(keyOf(path)) ?? "null") as TabMemory | null;
    const recent = memory !== null && now - memory.at < FORGET_AFTER && Number.isSafeInteger(memory.seq);
    return { seq: recent ? memory.seq : null, paused: memory?.paused === true };
  } catch {
    return { seq: null, paused: false };
  }
}
