import { StatCards } from "~/ui/stat-cards";
import { SUBMISSION_STATUSES, type SubmissionCounts, type SubmissionStatus } from "../model";
import { SUBMISSIONS_PATH } from "../subject";
import { STATUS_LOOK } from "./submission-status";

type SubmissionStatCardsProps = {
  counts: SubmissionCounts;
  current: SubmissionStatus | "all" | null;
  /** Counts the submissions of the last seven days; the total then links to them. */
  week?: number;
};

const NOTES: Record<SubmissionStatus, string> = {
  new: "Awaiting response",
  contacted: "In progress",
  resolved: "Completed",
};

/** Shows how many submissions have which status; each figure links to its rows. */
export function SubmissionStatCards({ counts, current, week }: SubmissionStatCardsProps) {
  const total = {
    label: "Total Submissions",
    note: week === undefined ? undefined : `${week.toLocaleString("en-US")} in the last 7 days`,
    value: counts.all,
    to: week === undefined ? SUBMISSIONS_PATH : `${SUBMISSIONS_PATH}?filter=recent`,
    current: current === "all",
  };
  const byStatus = SUBMISSION_STATUSES.map((status) => ({
    ...STATUS_LOOK[status],
    note: NOTES[status],
    value: counts[status],
    to: `${SUBMISSIONS_PATH}?status=${status}`,
    current: current === status,
  }));
  return <StatCards label="Submissions by status" items={[total, ...byStatus]} />;
}
