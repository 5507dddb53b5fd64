import { ActivityFeed } from "~/features/audit/activity/activity";
import type { ActivityEntry } from "~/features/audit/activity/activity-entry";
import { NO_ACTIVITY } from "~/features/audit/labels";
import { userPath } from "~/features/users/subject";
import { withParams } from "~/lib/addresses";
import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";

type PersonHistoryProps = {
  userId: string;
  history: { entries: readonly ActivityEntry[]; older: number | null };
  zone: string;
};

/** Shows what the person did and what was done about them, newest first. */
export function PersonHistory({ userId, history: { entries, older }, zone }: PersonHistoryProps) {
  return (
    <section aria-labelledby="history-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="history-title" className="text-lg">
        History
      </h2>
      {entries.length > 0 ? <ActivityFeed entries={entries} zone={zone} /> : <EmptyState {...NO_ACTIVITY} />}
      {older === null ? null : (
        <p>
          <Link to={`${withParams(userPath(userId), { before: String(older) })}#history-title`}>Older</Link>
        </p>
      )}
    </section>
  );
}
