import { minutes } from "~/lib/time";

/** Sets after how much time without use a page is idle. */
const IDLE_TIMEOUT = minutes(10);

const ACTIVITY_EVENTS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/**
 * Tells whether somebody uses this page: it is visible and was used in the last ten minutes. `onReturn` is called at
 * the first use after an idle time.
 *
 * Every request of a page counts as activity of its session. If live events alone made a page reload its data, a page
 * that nobody uses would keep its session alive all day. So an idle page waits until somebody uses it again.
 */
export function watchUserActivity(onReturn: () => void): { isActive: () => boolean; stop: () => void } {
  let lastUsedAt = Date.now();
  const isActive = () => document.visibilityState === "visible" && Date.now() - lastUsedAt < IDLE_TIMEOUT;
  const onUse = () => {
    const wasIdle = !isActive();
    lastUsedAt = Date.now();
    if (wasIdle) onReturn();
  };
  const listening = new AbortController();
  const options = { passive: true, capture: true, signal: listening.signal };
  for (const name of ACTIVITY_EVENTS) window.addEventListener(name, onUse, options);
  return { isActive, stop: () => listening.abort() };
}
