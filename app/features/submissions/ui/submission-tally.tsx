import { Tally } from "~/ui/tally";
import type { SubmissionCounts, SubmissionStatus } from "../model";
import { STATUS_LOOK } from "./submission-status";

type SubmissionTallyProps = { counts: SubmissionCounts; current: SubmissionStatus | "all" | null };

/** How many requests there are and where they stand; each figure leads to its rows. */
export function SubmissionTally({ counts, current }: SubmissionTallyProps) {
  const list = "/admin/submissions";
  return (
    <Tally
      label="Submissions by status"
      items={[
        { label: "Total Submissions", value: counts.all, to: list, current: current === "all" },
        {
          label: "New",
          note: "Awaiting response",
          value: counts.new,
          tone: STATUS_LOOK.new.tone,
          to: `${list}?status=new`,
          current: current === "new",
        },
        {
          label: "Contacted",
          note: "In progress",
          value: counts.contacted,
          tone: STATUS_LOOK.contacted.tone,
          to: `${list}?status=contacted`,
          current: current === "contacted",
        },
        {
          label: "Resolved",
          note: "Completed",
          value: counts.resolved,
          tone: STATUS_LOOK.resolved.tone,
          to: `${list}?status=resolved`,
          current: current === "resolved",
        },
      ]}
    />
  );
}
