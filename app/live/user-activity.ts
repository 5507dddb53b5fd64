import { minutes } from "~/lib/time";

/** A screen nobody has touched for this long counts as unattended. */
const UNATTENDED = minutes(10);

const SIGNS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/**
 * Knows whether somebody is at this screen: it is in sight and was used within the last ten minutes.
 *
 * Every request of a page counts as activity of its session. If events alone made a page reload its data, a screen left
 * behind would keep its own session alive all day; so such a page waits until somebody is back (`onReturn`).
 */
export function watchAttention(onReturn: () => void): { isAttended: () => boolean; stop: () => void } {
  let usedAt = Date.now();
  const isAttended = () => document.visibilityState === "visible" && Date.now() - usedAt < UNATTENDED;
  const used = () => {
    const wasAway = !isAttended();
    usedAt = Date.now();
    if (wasAway) onReturn();
  };
  for (const sign of SIGNS) window.addEventListener(sign, used, { passive: true, capture: true });
  return {
    isAttended,
    stop: () => {
      for (const sign of SIGNS) window.removeEventListener(sign, used, { capture: true });
    },
  };
}
