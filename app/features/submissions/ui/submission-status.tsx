import type { Option } from "~/ui/select";
import { StatusPill, type Tone } from "~/ui/status-pill";
import { STATUS_LABELS } from "../copy";
import { SUBMISSION_STATUSES, type SubmissionStatus } from "../model";

/** Tells how each status is shown: its word, and the hue and glyph of its state. */
export const STATUS_LOOK: Record<SubmissionStatus, { label: string; tone: Tone }> = {
  new: { label: STATUS_LABELS.new, tone: "open" },
  contacted: { label: STATUS_LABELS.contacted, tone: "progress" },
  resolved: { label: STATUS_LABELS.resolved, tone: "resolved" },
};

/** Lists the statuses as choices, in the order in which work moves. */
export const STATUS_OPTIONS: readonly Option[] = SUBMISSION_STATUSES.map((value) => ({
  value,
  label: STATUS_LABELS[value],
}));

/** Shows a status as glyph and word. */
export function SubmissionStatusPill({ status }: { status: SubmissionStatus }) {
  return <StatusPill {...STATUS_LOOK[status]} />;
}
