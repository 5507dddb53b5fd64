import { Icon } from "~/ui/icon";
import { CircleCheck, TriangleAlert } from "~/ui/icons";
import { Link } from "~/ui/link";
import { StateText } from "~/ui/state-text";
import { ATTENTION_NEEDED, OPERATIONAL } from "../copy";

type SystemSummaryProps = {
  operational: boolean;
  /** Lists what is wrong, a sentence each. */
  problems: readonly string[];
  /** Holds the address of the page with every check; `null` for those who may not open it. */
  reportTo: string | null;
};

/** Shows the checks in one line, as glyph and words, and what is wrong. */
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

/** Shows whether all is well, without saying why. */
export function SystemState({ operational }: { operational: boolean }) {
  return (
    <StateText tone={operational ? "resolved" : "waiting"}>
      <Icon of={operational ? CircleCheck : TriangleAlert} /> {operational ? OPERATIONAL : ATTENTION_NEEDED}
    </StateText>
  );
}
