import { StatusPill, type Tone } from "~/ui/badge";
import type { Option } from "~/ui/select";
import { STATUS_LABELS } from "../copy";
import { SUBMISSION_STATUSES, type SubmissionStatus } from "../model";

/** How each status is shown: its word, and where it stands among the hues and glyphs of a state. */
export const STATUS_LOOK: Record<SubmissionStatus, { label: string; tone: Tone }> = {
  new: { label: STATUS_LABELS.new, tone: "open" },
  contacted: { label: STATUS_LABELS.contacted, tone: "progress" },
  resolved: { label: STATUS_LABELS.resolved, tone: "resolved" },
};

/** The statuses as choices, in the order in which work moves. */
export const STATUS_OPTIONS: readonly Option[] = SUBMISSION_STATUSES.map((value) => ({
  value,
  label: STATUS_LABELS[value],
}));

/** A status as glyph and word. */
export function SubmissionStatusPill({ status }: { status: SubmissionStatus }) {
  return <StatusPill {...STATUS_LOOK[status]} />;
}
