import { ToneIcon } from "~/ui/badge";
import { Time } from "~/ui/time-ago";
import type { StatusChange } from "../model";
import { STATUS_LOOK } from "./submission-status";

type StatusHistoryProps = { changes: readonly StatusChange[]; zone: string };

/** Who moved the request where, newest first. */
export function StatusHistory({ changes, zone }: StatusHistoryProps) {
  return (
    <section className="sheet" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {changes.length === 0 ? <p className="muted">Nobody has changed the status yet.</p> : null}
      <ol>
        {changes.map((change) => (
          <li key={change.id} className={`event ${STATUS_LOOK[change.to].tone}`}>
            <ToneIcon tone={STATUS_LOOK[change.to].tone} />
            <span>
              {change.actor} set the status to {STATUS_LOOK[change.to].label}, <Time at={change.at} zone={zone} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
