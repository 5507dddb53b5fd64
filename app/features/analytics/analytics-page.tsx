import type { ReactNode } from "react";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { referenceNumber } from "~/lib/ids";
import { addDays, zoneName } from "~/lib/time";
import { durationInWords } from "~/lib/time-labels";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Box, EmptyState, ErrorPanel, Notice, Sheet, SheetRows } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";
import { Time } from "~/ui/text";
import {
  ANALYTICS_FAILED,
  ANALYTICS_TAB_LABELS,
  BACKLOG_AGE_LABELS,
  counted,
  inWords,
  METRIC_DEFINITIONS,
  NO_DATA,
  NO_NUMBER,
  NO_REASON,
  partInWords,
  periodInWords,
  RANGE_LABELS,
  shareInWords,
  TARGET_LABELS,
  timeInWords,
  UNKNOWN_RANGE,
} from "./labels";
import {
  type Analytics,
  BACKLOG_AGES,
  type Metrics,
  type OrganizationMetrics,
  RANGES,
  type Range,
  type Share,
} from "./model";
import { BarChart, OverviewPanel, SmallTable } from "./overview-panel";
import { activeRowsPath, analyticsPath, type RowKind, rowsPath, TABS, type Tab } from "./paths";
import { keptShare, resolutionRate } from "./rates";
import { TrendsPanel } from "./trends-panel";

const TOP = 10;

function OrganizationsPanel({
  range,
  metrics,
  activeOrganizations,
  organizations,
  isFirstPage,
}: Pick<Analytics, "range" | "metrics" | "activeOrganizations" | "organizations"> & { isFirstPage: boolean }) {
  const { from, to, created } = metrics;
  const { rows, next } = organizations;
  if (rows.length === 0) return <EmptyState title={NO_DATA.tickets} />;
  const rowsOf = (organization: string) => rowsPath({ of: "created", from, to, organization });
  return (
    <div className="grid @wide:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
      {isFirstPage ? (
        <Box>
          <BarChart
            caption="Top 10 organizations by tickets"
            note={`${counted(created, "ticket")} created in the range`}
            names={["Organization", "Tickets"]}
            total={created}
            hasTable
            bars={rows
              .slice(0, TOP)
              .map(({ id, name, created: count }) => ({ key: id, label: name, count, to: rowsOf(id) }))}
          />
        </Box>
      ) : null}
      <div className="rounded-3 border border-line bg-sheet">
        <SmallTable
          caption={`${counted(activeOrganizations, "active organization")}`}
          note={`${METRIC_DEFINITIONS.activeOrganizations} In promise: ${METRIC_DEFINITIONS.promises}`}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { label: "Organization", cell: ({ id, name }) => <Link to={`${ORGANIZATIONS_PATH}/${id}`}>{name}</Link> },
            { label: "Tickets", cell: ({ id, created: count }) => <Link to={rowsOf(id)}>{inWords(count)}</Link> },
            { label: "Share", cell: ({ created: count }) => shareInWords({ part: count, n: created }) },
            { label: "In promise", cell: (row) => <InPromise row={row} from={from} to={to} /> },
          ]}
        />
        {next ? (
          <p className="border-line border-t px-4 py-3">
            <LinkButton
              variant="quiet"
              size="sm"
              to={`${analyticsPath({ range, tab: "organizations" })}&after=${encodeURIComponent(next)}`}
            >
              Next organizations
            </LinkButton>
          </p>
        ) : null}
      </div>
    </div>
  );
}

function InPromise({ row, from, to }: { row: OrganizationMetrics; from: string; to: string }) {
  const share = keptShare(row);
  if (share.n === 0) return shareInWords(share);
  const of = row.missed > 0 ? "missed" : "kept";
  return <Link to={rowsPath({ of, from, to, organization: row.id })}>{shareInWords(share)}</Link>;
}

type AnalyticsViewProps = {
  analytics: Analytics | null;
  range: Range;
  tab: Tab;
  isUnknownRange: boolean;
  isFirstPage: boolean;
  lettersPath: string;
};

export function AnalyticsView({ analytics, range, tab, isUnknownRange, isFirstPage, lettersPath }: AnalyticsViewProps) {
  if (!analytics) return <ErrorPanel message={ANALYTICS_FAILED} retryTo={analyticsPath({ range, tab })} />;
  const { metrics, zone, organizations, activeOrganizations } = analytics;
  return (
    <>
      {isUnknownRange ? <Notice kind="error" message={UNKNOWN_RANGE} /> : null}
      <p className="text-ink-2 text-sm">
        {periodInWords(metrics)}, {zoneName(zone)} time. {counted(metrics.created, "ticket")} created,{" "}
        {inWords(metrics.firstResponse.open.n)} answered, {inWords(metrics.resolved)} resolved.
        {metrics.unmeasured > 0
          ? ` ${counted(metrics.unmeasured, "ticket")} changed just now and will be counted within a minute or two.`
          : ""}
      </p>
      <NumberCards {...analytics} />
      <TargetLine {...analytics} />
      <LinkTabs
        label="Analytics"
        items={TABS.map((each) => ({
          to: analyticsPath({ range, tab: each }),
          label: ANALYTICS_TAB_LABELS[each],
          current: each === tab,
        }))}
      />
      {tab === "overview" ? <OverviewPanel metrics={metrics} /> : null}
      {tab === "trends" ? <TrendsPanel months={analytics.months} range={range} /> : null}
      {tab === "organizations" ? (
        <OrganizationsPanel {...{ range, metrics, activeOrganizations, organizations }} isFirstPage={isFirstPage} />
      ) : null}
      <LateReplies {...analytics} lettersPath={lettersPath} />
      <div className="grid @wide:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-4">
        <MoreNumbers metrics={metrics} />
        <BacklogTable metrics={metrics} />
      </div>
    </>
  );
}

function TargetLine({ metrics }: Analytics) {
  const { from, to, promises } = metrics;
  const share = keptShare(promises);
  return (
    <div className="text-sm">
      <p>
        <b className="text-ink">Within promise: {shareInWords(share)}</b>
        {share.n === 0 ? ` ${NO_DATA.promises}.` : `, ${partInWords(share)} replies. `}
        {share.n === 0 ? null : (
          <>
            <Link to={rowsPath({ of: "kept", from, to })}>{inWords(promises.kept)} kept</Link>,{" "}
            <Link to={rowsPath({ of: "missed", from, to })}>{inWords(promises.missed)} missed</Link>
          </>
        )}
      </p>
      <p className="text-ink-2 text-xs">{METRIC_DEFINITIONS.promises}</p>
    </div>
  );
}

export function RangeNav({ range, tab }: { range: Range; tab: Tab }) {
  return (
    <nav aria-label="Range">
      <ul className="flex flex-wrap overflow-hidden rounded-2 border border-control max-md:grid max-md:grid-cols-2">
        {RANGES.map((each) => (
          <li key={each} className="border-control not-first:border-l max-md:border-l-0">
            <Link
              className="flex min-h-9 items-center justify-center bg-sheet current:bg-action px-3 py-1 current:font-semibold current:text-on-action text-ink text-sm no-underline current:hover:bg-action-hover hover:bg-brand-tint max-md:min-h-11"
              to={analyticsPath({ range: each, tab })}
              aria-current={each === range ? "page" : undefined}
            >
              {RANGE_LABELS[each]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NumberCards({ range, metrics, activeOrganizations, withPlan }: Analytics) {
  const { from, to, created, resolved, firstResponse, resolution } = metrics;
  const { open, wall } = firstResponse;
  const rate = resolutionRate(metrics);
  const createdTo = rowsPath({ of: "created", from, to });
  const resolvedTo = rowsPath({ of: "resolved", from, to });
  return (
    <section
      className="grid @min-[32rem]:grid-cols-2 @min-[60rem]:grid-cols-4 grid-cols-1 gap-px rounded-b-3 border border-line border-t-2 border-t-ink bg-line"
      aria-label="Key numbers"
    >
      <Card label="Avg Response Time" value={timeInWords(open.median)}>
        {open.n === 0 ? (
          <p>{NO_DATA.responses}</p>
        ) : (
          <>
            <p>
              median; 90% within {timeInWords(open.p90)}; mean {timeInWords(open.mean)}. Around the clock: median{" "}
              {timeInWords(wall.median)}
            </p>
            <Note>
              First reply to a client, in open hours.{" "}
              <Link to={rowsPath({ of: "answered", from, to })}>{counted(open.n, "ticket")}</Link>
            </Note>
          </>
        )}
      </Card>
      <Card label="Resolution Rate" value={shareInWords(rate)}>
        <p>{created === 0 ? NO_DATA.tickets : partInWords(rate)}</p>
        <Note>
          {METRIC_DEFINITIONS.resolutionRate} <Link to={resolvedTo}>Resolved</Link>, <Link to={createdTo}>created</Link>
        </Note>
      </Card>
      <Card label="Total Resolved" value={inWords(resolved)}>
        <p>
          {resolved === 0
            ? NO_DATA.resolved
            : `median ${timeInWords(resolution.median)} to resolve; of the mean ${timeInWords(resolution.mean)}, ${timeInWords(metrics.pausedMean)} waiting for the client`}
        </p>
        <Note>
          Counted on the day they were resolved. <Link to={resolvedTo}>{counted(resolved, "ticket")}</Link>
        </Note>
      </Card>
      <Card label="Active Organizations" value={activeOrganizations === 0 ? NO_NUMBER : inWords(activeOrganizations)}>
        <p>{activeOrganizations === 0 ? NO_DATA.tickets : `${counted(withPlan, "organization")} with a plan`}</p>
        <Note>
          {METRIC_DEFINITIONS.activeOrganizations}{" "}
          <Link to={analyticsPath({ range, tab: "organizations" })}>
            {counted(activeOrganizations, "organization")}
          </Link>
        </Note>
      </Card>
    </section>
  );
}

function Card({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-[0.3rem] bg-sheet px-4 pt-3 pb-[0.85rem] text-sm">
      <h2 className="font-normal text-ink-2 text-sm">{label}</h2>
      <b className="font-bold text-[1.75rem]/[1] tracking-[-0.02em]">{value}</b>
      {children}
    </div>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-ink-2 text-xs">{children}</p>;

type LateRepliesProps = Pick<Analytics, "metrics" | "late" | "zone"> & {
  lettersPath: string;
};

function LateReplies({ metrics, late, zone, lettersPath }: LateRepliesProps) {
  const { from, to, promises } = metrics;
  if (late.length === 0) return null;
  return (
    <Sheet
      id="late"
      title={`${counted(promises.missed, "promise")} missed`}
      aside={
        <span className="flex flex-wrap gap-x-4">
          <Link to={lettersPath}>Write the monthly letter</Link>
          {promises.missed > late.length ? <Link to={rowsPath({ of: "missed", from, to })}>See all</Link> : null}
        </span>
      }
    >
      <SheetRows>
        {late.map(({ id, number, organization, promise, dueAt, lateBy, reason }) => (
          <li key={id} className="grid gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_12rem]">
            <span className="wrap-anywhere">
              <Link className="font-mono" to={`${STAFF_TICKETS_PATH}/${referenceNumber("ticket", number)}`}>
                {referenceNumber("ticket", number)}
              </Link>{" "}
              {organization}
            </span>
            <span>
              {TARGET_LABELS[promise]}, due <Time at={dueAt} zone={zone} mode="short" />
              <small className="wrap-anywhere block text-ink-2 text-xs">{reason || NO_REASON}</small>
            </span>
            <span className="font-semibold text-danger md:text-right">
              {lateBy === null ? "Not answered in time" : `Late by ${durationInWords(lateBy)}`}
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

function MoreNumbers({ metrics }: { metrics: Metrics }) {
  const { from, to, firstResponse, resolution, reopened, satisfaction, pausedMean } = metrics;
  const times = ({ median, p90, mean }: Metrics["resolution"]) =>
    median === null
      ? NO_NUMBER
      : `median ${timeInWords(median)}, 90% within ${timeInWords(p90)}, mean ${timeInWords(mean)}`;
  const rows = (of: RowKind, words: string, count: number) =>
    count === 0 ? words : <Link to={rowsPath({ of, from, to })}>{words}</Link>;
  return (
    <Sheet id="more" title="Times and outcomes">
      <dl className="*:grid @narrow:*:grid-cols-[13rem_minmax(0,1fr)] *:gap-x-6 *:gap-y-1 *:border-line *:border-t *:px-4 *:py-2">
        <Line
          term="First reply, open hours"
          means={`${METRIC_DEFINITIONS.firstResponse} ${METRIC_DEFINITIONS.openHours}`}
        >
          {firstResponse.open.n === 0 ? NO_DATA.responses : times(firstResponse.open)}
        </Line>
        <Line term="First reply, calendar time" means={METRIC_DEFINITIONS.wallTime}>
          {firstResponse.wall.n === 0 ? NO_DATA.responses : times(firstResponse.wall)}
        </Line>
        <Line term="Time to resolve" means={`${METRIC_DEFINITIONS.resolved} ${METRIC_DEFINITIONS.resolution}`}>
          {resolution.n === 0
            ? NO_DATA.resolved
            : `${times(resolution)}; waiting for the client: mean ${timeInWords(pausedMean)}`}
        </Line>
        <Line term="Reopened" means={METRIC_DEFINITIONS.reopened}>
          <ShareLabel share={reopened} none={NO_DATA.resolved} />
          {reopened.n === 0 ? null : rows("reopened", "Reopened", reopened.part)}
        </Line>
        <Line term="Satisfaction" means={METRIC_DEFINITIONS.satisfaction}>
          <ShareLabel share={satisfaction} none={NO_DATA.votes} />
          {satisfaction.n === 0 ? null : (
            <>
              {rows("good", "Solved", satisfaction.part)},{" "}
              {rows("bad", "still broken", satisfaction.n - satisfaction.part)}
            </>
          )}
        </Line>
      </dl>
      <p className="max-w-none border-line border-t px-4 py-2 text-ink-2 text-xs">{METRIC_DEFINITIONS.precision}</p>
    </Sheet>
  );
}

/** Shows a share with its cases: "80%, 4 of 5. ". */
function ShareLabel({ share, none }: { share: Share; none: string }) {
  if (share.n === 0) return `${NO_NUMBER} ${none}`;
  const words = shareInWords(share);
  return words === partInWords(share) ? `${words}. ` : `${words}, ${partInWords(share)}. `;
}

function Line({ term, means, children }: { term: string; means: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{term}</dt>
      <dd>
        <p>{children}</p>
        <p className="text-ink-2 text-xs">{means}</p>
      </dd>
    </div>
  );
}

function BacklogTable({ metrics }: { metrics: Metrics }) {
  const { backlog, to } = metrics;
  const sum = backlog.reduce((total, count) => total + count);
  const rows = [
    ...BACKLOG_AGE_LABELS.map((label, age) => ({
      label,
      count: backlog[age] ?? 0,
      from: firstDayOf(age, to),
      to: addDays(to, -(BACKLOG_AGES[age] ?? 0)),
    })),
    { label: "All", count: sum, from: undefined, to },
  ];
  return (
    <div className="rounded-3 border border-line bg-sheet">
      <SmallTable
        caption="Backlog by age"
        note={METRIC_DEFINITIONS.backlog}
        hasSum
        rows={rows}
        rowKey={({ label }) => label}
        columns={[
          { label: "Age", cell: ({ label }) => label },
          {
            label: "Tickets",
            cell: ({ count, from, to }) => <Link to={activeRowsPath({ from, to })}>{inWords(count)}</Link>,
          },
          { label: "Share", cell: ({ count }) => shareInWords({ part: count, n: sum }) },
        ]}
      />
    </div>
  );
}

/** Returns the day on which the oldest tickets of an age were created; of the highest age that is any. */
function firstDayOf(age: number, to: string): string | undefined {
  const next = BACKLOG_AGES[age + 1];
  return next === undefined ? undefined : addDays(to, 1 - next);
}
