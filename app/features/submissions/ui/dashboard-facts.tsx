import { CircleCheck, TriangleAlert } from "lucide-react";
import { plural } from "~/lib/text";
import { FactList } from "~/ui/fact-list";
import { Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { responseRate, type SubmissionCounts } from "../model";

type DashboardFactsProps = {
  counts: SubmissionCounts;
  today: number;
  status: { operational: boolean; troubles: readonly string[] };
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
          { term: "System Status", detail: <Status {...status} /> },
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

function Status({ operational, troubles }: { operational: boolean; troubles: readonly string[] }) {
  if (operational) {
    return (
      <span className="status resolved">
        <Icon of={CircleCheck} /> All systems operational
      </span>
    );
  }
  return (
    <>
      <span className="status waiting">
        <Icon of={TriangleAlert} /> Attention needed
      </span>
      <ul>
        {troubles.map((trouble) => (
          <li key={trouble}>{trouble}</li>
        ))}
      </ul>
    </>
  );
}
