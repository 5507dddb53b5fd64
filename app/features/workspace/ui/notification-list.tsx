import { EmptyState } from "~/ui/empty-state";
import { DismissAll, type LiveEntry, LiveEntryList } from "./live-entry-list";

type NotificationListProps = { entries: readonly LiveEntry[]; zone: string; token: string; path: string };

/** Shows the live panel as a page: more of it, and nothing that updates by itself. */
export function NotificationList({ entries, zone, token, path }: NotificationListProps) {
  if (entries.length === 0)
    return <EmptyState title="Nothing new" body="What you have dismissed is not shown again." />;
  return (
    <section aria-label="Notifications">
      <DismissAll entries={entries} token={token} path={path} />
      <LiveEntryList entries={entries} zone={zone} token={token} path={path} />
    </section>
  );
}
