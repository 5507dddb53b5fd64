import type { ReactNode } from "react";
import { MODERATION_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/page";
import { StatCards } from "~/ui/stat-cards";
import { STATUS_STYLE } from "./labels";
import {
  type FollowUp,
  responseRate,
  SUBMISSION_STATUSES,
  type SubmissionCounts,
  type SubmissionStatus,
} from "./model";
import { SUBMISSIONS_PATH } from "./subject";

type SubmissionStatCardsProps = {
  counts: SubmissionCounts;
  current: SubmissionStatus | "all" | null;
  /** Of the last seven days; the total then links to them. */
  week?: number;
};

const NOTES: Record<SubmissionStatus, string> = {
  new: "Awaiting response",
  contacted: "In progress",
  resolved: "Completed",
};

export function SubmissionStatCards({ counts, current, week }: SubmissionStatCardsProps) {
  const total = {
    label: "Total Submissions",
    note: week === undefined ? undefined : `${week.toLocaleString("en-US")} in the last 7 days`,
    value: counts.all,
    to: week === undefined ? SUBMISSIONS_PATH : `${SUBMISSIONS_PATH}?filter=recent`,
    current: current === "all",
  };
  const byStatus = SUBMISSION_STATUSES.map((status) => ({
    ...STATUS_STYLE[status],
    note: NOTES[status],
    value: counts[status],
    to: `${SUBMISSIONS_PATH}?status=${status}`,
    current: current === status,
  }));
  return <StatCards label="Submissions by status" items={[total, ...byStatus]} />;
}

type DashboardMetricsProps = {
  counts: SubmissionCounts;
  today: number;
  status: ReactNode;
};

export function DashboardMetrics({ counts, today, status }: DashboardMetricsProps) {
  return (
    <Sheet id="facts" title="Today" titleHidden isMain>
      <FactList
        terms="long"
        place="sheet"
        facts={[
          {
            term: "Recent Activity",
            detail: <Link to={`${SUBMISSIONS_PATH}?filter=recent`}>{plural(today, "submission")} today</Link>,
          },
          { term: "Response Rate", detail: <ResponseRate counts={counts} /> },
          { term: "System Status", detail: status },
        ]}
      />
    </Sheet>
  );
}

function ResponseRate({ counts }: { counts: SubmissionCounts }) {
  const rate = responseRate(counts);
  if (rate === null) {
    return (
      <>
        — <span className="text-ink-3 text-sm">No submissions yet</span>
      </>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {rate}% <meter className="max-w-full" min={0} max={100} value={rate} aria-label="Response rate" />
      <span className="text-ink-3 text-sm">
        {(counts.all - counts.new).toLocaleString("en-US")} of {counts.all.toLocaleString("en-US")}
      </span>
    </span>
  );
}

export function FollowUps({ items, hasMore }: { items: readonly FollowUp[]; hasMore: boolean }) {
  return (
    <Sheet
      id="follow-up"
      title="Follow up today"
      isMain
      aside={<span className="text-ink-2">{hasMore ? `${items.length}+` : items.length}</span>}
    >
      <SheetRows>
        {items.map(({ number, to, name, organization, owner, since }) => (
          <li key={number}>
            <span className="flex flex-wrap justify-between gap-x-3">
              <Link to={to}>{name}</Link>
              {since ? (
                <span className="whitespace-nowrap font-semibold text-danger before:mr-[0.4rem] before:inline-block before:size-2 before:bg-current forced-colors:before:bg-[CanvasText]">
                  since {since}
                </span>
              ) : (
                <span>today</span>
              )}
            </span>
            <span className="block text-ink-2 text-xs">
              {[number, organization, owner ?? "No owner"].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
        {items.length === 0 ? <li className="text-ink-2">No follow-ups today.</li> : null}
        {hasMore ? (
          <li>
            <Link to={`${SUBMISSIONS_PATH}?view=follow_up`}>All follow-ups</Link>
          </li>
        ) : null}
      </SheetRows>
    </Sheet>
  );
}

export function ModerationPanel({ count, reasons }: { count: number; reasons: readonly string[] }) {
  if (count === 0) return null;
  return (
    <Sheet id="held" title="Held">
      <SheetRows>
        <li>
          <Link to={MODERATION_PATH}>{plural(count, "submission")}</Link>
          <span className="block text-ink-2 text-xs">{reasons.join(", ")}</span>
        </li>
      </SheetRows>
    </Sheet>
  );
}
