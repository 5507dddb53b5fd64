import type { ActivityEntry } from "~/features/audit/activity/activity-entry";
import { Link } from "~/ui/link";
import { QuietLine } from "~/ui/quiet-line";
import { Time } from "~/ui/time";

type OrganizationHistoryProps = {
  /** Lists the events, newest first. */
  history: readonly ActivityEntry[];
  zone: string;
  /** Holds the address of this page: what happened to the organization itself needs no link. */
  path: string;
};

/** Lists what has happened in the organization. */
export function OrganizationHistory({ history, zone, path }: OrganizationHistoryProps) {
  return (
    <section className="grid gap-[0.6rem]" aria-labelledby="history-title">
      <h2 className="text-md" id="history-title">
        History
      </h2>
      {history.length === 0 ? <p className="text-ink-2">No history yet.</p> : null}
      <ol className="grid gap-1">
        {history.map(({ id, at, sentence, details, href }) => (
          <li key={id}>
            <QuietLine when={<Time at={at} zone={zone} mode="short" />}>
              {href && href !== path ? <Link to={href}>{sentence}</Link> : sentence}
              {details ? `, ${details}` : null}
            </QuietLine>
          </li>
        ))}
      </ol>
    </section>
  );
}
