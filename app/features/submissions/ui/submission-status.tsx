import { StatusPill, type Tone } from "~/ui/status-pill";
import { STATUS_LABELS } from "../copy";
import type { SubmissionStatus } from "../model";

export { STATUS_OPTIONS } from "../copy";

/** Tells how each status is shown: its word, and the hue and glyph of its state. */
export const STATUS_LOOK: Record<SubmissionStatus, { label: string; tone: Tone }> = {
  new: { label: STATUS_LABELS.new, tone: "open" },
  contacted: { label: STATUS_LABELS.contacted, tone: "progress" },
  resolved: { label: STATUS_LABELS.resolved, tone: "resolved" },
};

/** Shows a status as glyph and word. */
export function SubmissionStatusPill({ status }: { status: SubmissionStatus }) {
  return <StatusPill {...STATUS_LOOK[status]} />;
}
