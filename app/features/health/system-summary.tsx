import { CircleCheck, Icon, TriangleAlert } from "~/ui/icon";
import { Link } from "~/ui/link";
import { StateText } from "~/ui/status-pill";
import { ATTENTION_NEEDED, OPERATIONAL } from "./labels";

type SystemSummaryProps = {
  operational: boolean;
  problems: readonly string[];
  reportTo: string | null;
};

export function SystemSummary({ operational, problems, reportTo }: SystemSummaryProps) {
  if (operational) return <SystemState operational />;
  return (
    <>
      {reportTo ? (
        <Link to={reportTo}>
          <SystemState operational={false} />
        </Link>
      ) : (
        <SystemState operational={false} />
      )}
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </>
  );
}

export function SystemState({ operational }: { operational: boolean }) {
  return (
    <StateText tone={operational ? "resolved" : "waiting"}>
      <Icon of={operational ? CircleCheck : TriangleAlert} /> {operational ? OPERATIONAL : ATTENTION_NEEDED}
    </StateText>
  );
}
