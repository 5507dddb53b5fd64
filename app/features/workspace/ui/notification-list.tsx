import { EmptyState } from "~/ui/empty-state";
import type { LiveUpdate } from "../live-update";
import { DismissAll, LiveUpdateList } from "./live-update-list";

type NotificationListProps = { updates: readonly LiveUpdate[]; zone: string; token: string; path: string };

/** Shows the live panel as a page: more of it, and nothing that updates by itself. */
export function NotificationList({ updates, zone, token, path }: NotificationListProps) {
  if (updates.length === 0)
    return <EmptyState title="Nothing new" body="What you have dismissed is not shown again." />;
  return (
    <section aria-label="Notifications">
      <DismissAll updates={updates} token={token} path={path} />
      <LiveUpdateList updates={updates} zone={zone} token={token} path={path} />
    </section>
  );
}
