import { Button } from "~/ui/button";
import { Link } from "~/ui/link";
import { popover, popoverTarget } from "~/ui/menu";
import { DismissAll, type LiveEntry, LiveEntryList } from "./live-entry-list";

type LivePanelProps = {
  /** Newest first, five at most. */
  entries: readonly LiveEntry[];
  zone: string;
  token: string;
  /** Why nothing arrives by itself at the moment; `null` while the connection stands. */
  paused: string | null;
  /** Stops or restarts the arrivals; `null` until scripts have taken over. */
  control: { label: string; act: () => void } | null;
  /** The page's own address, for the Refresh link. */
  path: string;
};

/** What happened lately, with what was seen dismissed. In the column on a desk, behind a button on a phone. */
export function LivePanel({ entries, zone, token, paused, control, path }: LivePanelProps) {
  return (
    <>
      <Button variant="quiet" size="sm" className="only-phone" {...popoverTarget("live-updates")}>
        Updates <span className="num">{entries.length}</span>
      </Button>
      <section className="live menu" aria-labelledby="live-title" {...popover("live-updates")}>
        <div className="live-head">
          <h2 id="live-title">Live updates</h2>
          {control ? (
            <button className="as-link" type="button" onClick={control.act}>
              {control.label}
              <span className="vh"> live updates</span>
            </button>
          ) : null}
        </div>
        {paused ? (
          <p>
            {paused} <Link to={path}>Refresh</Link>
          </p>
        ) : null}
        <noscript>
          <p>
            <a href={path}>Refresh</a>
          </p>
        </noscript>
        {entries.length === 0 && !paused ? <p>Nothing new since you opened this page.</p> : null}
        <div aria-live="polite">
          <LiveEntryList entries={entries} zone={zone} token={token} path={path} />
        </div>
        {entries.length > 0 ? (
          <div className="live-head">
            <Link to="/admin/notifications" className="as-link">
              See all
            </Link>
            <DismissAll entries={entries} token={token} path={path} />
          </div>
        ) : null}
      </section>
    </>
  );
}
