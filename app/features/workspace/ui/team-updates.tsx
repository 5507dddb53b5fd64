import { DismissAll, type LiveListProps, LiveUpdateList } from "./admin-layout";

/** The updates that a page of their own lists. */
export function TeamUpdates({ updates, zone, token, path }: LiveListProps) {
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
