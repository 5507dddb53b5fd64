import type { LiveUpdate } from "../live-update";
import { DismissAll, LiveUpdateList } from "./live-update-list";

type NotificationListProps = { updates: readonly LiveUpdate[]; zone: string; token: string; path: string };

/** Shows the live panel as a page: more of it, and nothing that updates by itself. */
export function NotificationList({ updates, zone, token, path }: NotificationListProps) {
  return (
    <section aria-labelledby="team-updates" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg" id="team-updates">
          Latest updates
        </h2>
        <DismissAll updates={updates} token={token} path={path} />
      </div>
      {updates.length === 0 ? (
        <p className="text-ink-2">Nothing new. What you have dismissed is not shown again.</p>
      ) : (
        <LiveUpdateList updates={updates} zone={zone} token={token} path={path} />
      )}
    </section>
  );
}
