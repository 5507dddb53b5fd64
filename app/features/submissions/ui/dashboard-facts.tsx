import type { ReactNode } from "react";
import { plural } from "~/lib/text";
import { FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Sheet } from "~/ui/sheet";
import { responseRate, type SubmissionCounts } from "../model";
import { SUBMISSIONS_PATH } from "../subject";

type DashboardFactsProps = {
  counts: SubmissionCounts;
  today: number;
  /** Shows whether all systems are operational. */
  status: ReactNode;
};

/** Shows how the day is going: submissions received and answered, whether all systems are operational. */
export function DashboardFacts({ counts, today, status }: DashboardFactsProps) {
  return (
    <Sheet id="facts" title="Today" titleHidden isMain>
      <FactList
        terms="long"
        place="sheet"
        facts={[
          {
            term: "Recent Activity",
            detail: <Link to={`${SUBMISSIONS_PATH}?filter=recent`}>{plural(today, "submission")} today</Link>,
          },
          { term: "Response Rate", detail: <ResponseRate counts={counts} /> },
          { term: "System Status", detail: status },
        ]}
      />
    </Sheet>
  );
}

function ResponseRate({ counts }: { counts: SubmissionCounts }) {
  const rate = responseRate(counts);
  if (rate === null) {
    return (
      <>
        — <span className="text-ink-3 text-sm">No submissions yet</span>
      </>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {rate}% <meter className="max-w-full" min={0} max={100} value={rate} aria-label="Response rate" />
      <span className="text-ink-3 text-sm">
        {(counts.all - counts.new).toLocaleString("en-US")} of {counts.all.toLocaleString("en-US")}
      </span>
    </span>
  );
}
