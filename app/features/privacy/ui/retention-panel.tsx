import { plural } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Time } from "~/ui/time";
import type { RetentionRun } from "../model";

type Rule = { days: number; never: boolean };

type RetentionPanelProps = {
  retention: Rule & {
    next: (Rule & { from: Instant }) | null;
    preview: { count: number; onHold: number; isMore: boolean } | null;
  };
  runs: readonly RetentionRun[];
  zone: string;
  settingsPath: string;
};

const ruleText = ({ days, never }: Rule) =>
  never
    ? "Submissions are never deleted by themselves."
    : `Resolved submissions, and those held for review, are deleted after ${plural(days, "day")} without activity.`;

/** Says what is deleted by itself, what the next run would delete, and what the last ones did. */
export function RetentionPanel({ retention, runs, zone, settingsPath }: RetentionPanelProps) {
  const { next, preview } = retention;
  return (
    <Sheet id="retention" title="Retention" aside={<Link to={settingsPath}>Change in Settings</Link>}>
      <div className="grid gap-1 px-4 pb-2 text-sm">
        <p>{ruleText(retention)}</p>
        {next ? (
          <p>
            From <Time at={next.from} zone={zone} />: {ruleText(next)}
          </p>
        ) : null}
        {preview ? (
          <p>
            The next run would delete {preview.isMore ? "more than " : ""}
            {plural(preview.count, "submission")}
            {preview.onHold > 0 ? ` and leave ${preview.onHold} on legal hold` : ""}.
          </p>
        ) : null}
      </div>
      <SheetRows>
        {runs.map(({ startedAt, retentionDays, submissions, files, notes, onHold }) => (
          <li key={startedAt}>
            <Time at={startedAt} zone={zone} />: {plural(submissions, "submission")}, {plural(files, "file")},{" "}
            {plural(notes, "note")} deleted
            <span className="text-ink-2 text-sm">
              {" "}
              (after {plural(retentionDays, "day")}
              {onHold > 0 ? `, ${onHold} on legal hold` : ""})
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
