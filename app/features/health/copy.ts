import type { Tone } from "~/ui/status-pill";
import type { CheckState } from "./model";

export const OPERATIONAL = "All systems operational";
export const ATTENTION_NEEDED = "Attention needed";

export const CHECK_STATES: Record<CheckState, { label: string; tone: Tone }> = {
  ok: { label: "OK", tone: "resolved" },
  attention: { label: ATTENTION_NEEDED, tone: "waiting" },
  off: { label: "Off", tone: "closed" },
};
