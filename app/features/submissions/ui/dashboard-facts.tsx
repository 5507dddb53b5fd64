import type { ReactNode } from "react";
import { plural } from "~/lib/text";
import { FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { responseRate, type SubmissionCounts } from "../model";

type DashboardFactsProps = {
  counts: SubmissionCounts;
  today: number;
  /** Whether the machinery works. */
  status: ReactNode;
};

/** How the day is going: what came, how much was answered, whether the machinery works. */
export function DashboardFacts({ counts, today, status }: DashboardFactsProps) {
  return (
    <section className="sheet" aria-labelledby="facts-title">
      <h2 id="facts-title" className="vh">
        Today
      </h2>
      <FactList
        facts={[
          { term: "Recent Activity", detail: `${plural(today, "submission")} today` },
          { term: "Response Rate", detail: <ResponseRate counts={counts} /> },
          { term: "System Status", detail: status },
          ...(counts.held > 0
            ? [
                {
                  term: "Held",
                  detail: <Link to="/admin/submissions?view=held">{plural(counts.held, "submission")} to review</Link>,
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

function ResponseRate({ counts }: { counts: SubmissionCounts }) {
  const rate = responseRate(counts);
  if (rate === null) {
    return (
      <>
        — <span className="meta">No submissions yet</span>
      </>
    );
  }
  return (
    <span className="rate">
      {rate}% <meter min={0} max={100} value={rate} aria-label="Response rate" />
    </span>
  );
}
