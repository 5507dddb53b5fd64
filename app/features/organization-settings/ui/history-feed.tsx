import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Time } from "~/ui/time";
import { HISTORY_PATH, type HistoryLine } from "../model";

type HistoryFeedProps = { lines: readonly HistoryLine[]; next: number | null; zone: string };

/** Shows what happened in the organization, newest first. */
export function HistoryFeed({ lines, next, zone }: HistoryFeedProps) {
  if (lines.length === 0) return <EmptyState title="No history yet" body="What people change here is recorded." />;
  return (
    <>
      <ol className="rounded-3 border border-line bg-sheet *:grid *:grid-cols-[11rem_minmax(0,1fr)] @max-wide:*:grid-cols-1 *:gap-x-4 *:gap-y-1 *:border-line *:border-b *:px-4 *:py-[0.6rem] *:last:border-b-0">
        {lines.map(({ id, at, sentence, details }) => (
          <li key={id}>
            <Time at={at} zone={zone} />
            <p className="wrap-anywhere">
              {sentence}
              {details ? <span className="block text-ink-2">{details}</span> : null}
            </p>
          </li>
        ))}
      </ol>
      {next === null ? null : (
        <p>
          <Link to={`${HISTORY_PATH}?before=${next}`} rel="next">
            Older
          </Link>
        </p>
      )}
    </>
  );
}
