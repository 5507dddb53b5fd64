import { StatCards } from "~/ui/stat-cards";
import type { SubmissionCounts, SubmissionStatus } from "../model";
import { STATUS_LOOK } from "./submission-status";

type SubmissionTallyProps = {
  counts: SubmissionCounts;
  current: SubmissionStatus | "all" | null;
  /** How many came in the last seven days; the total then links to them. */
  week?: number;
};

/** Shows how many submissions have which status; each figure links to its rows. */
export function SubmissionStatCards({ counts, current, week }: SubmissionTallyProps) {
  const list = "/admin/submissions";
  return (
    <StatCards
      label="Submissions by status"
      items={[
        {
          label: "Total Submissions",
          note: week === undefined ? undefined : `${week.toLocaleString("en-US")} in the last 7 days`,
          value: counts.all,
          to: week === undefined ? list : `${list}?filter=recent`,
          current: current === "all",
        },
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
