import { StatusPill, type Tone } from "~/ui/status-pill";
import { STATUS_LABELS } from "./labels";
import type { SubmissionStatus } from "./model";

export const STATUS_LOOK: Record<SubmissionStatus, { label: string; tone: Tone }> = {
  new: { label: STATUS_LABELS.new, tone: "open" },
  contacted: { label: STATUS_LABELS.contacted, tone: "progress" },
  resolved: { label: STATUS_LABELS.resolved, tone: "resolved" },
};

export function SubmissionStatusPill({ status }: { status: SubmissionStatus }) {
  return <StatusPill {...STATUS_LOOK[status]} />;
}
