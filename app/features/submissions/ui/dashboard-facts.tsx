import type { ReactNode } from "react";
import { plural } from "~/lib/text";
import { FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { responseRate, type SubmissionCounts } from "../model";
import { SUBMISSIONS_PATH } from "../subject";

type DashboardFactsProps = {
  counts: SubmissionCounts;
  today: number;
  /** Tells whether all systems are operational. */
  status: ReactNode;
};

/** Shows how the day is going: submissions received and answered, whether all systems are operational. */
export function DashboardFacts({ counts, today, status }: DashboardFactsProps) {
  return (
    <Panel id="facts" title="Today" titleHidden>
      <FactList
        terms="long"
        facts={[
          { term: "Recent Activity", detail: `${plural(today, "submission")} today` },
          { term: "Response Rate", detail: <ResponseRate counts={counts} /> },
          { term: "System Status", detail: status },
          ...(counts.held > 0
            ? [
                {
                  term: "Held",
                  detail: (
                    <Link to={`${SUBMISSIONS_PATH}?view=held`}>{plural(counts.held, "submission")} to review</Link>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
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
    <span className="inline-flex items-center gap-3">
      {rate}% <meter min={0} max={100} value={rate} aria-label="Response rate" />
    </span>
  );
}
