import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import { TICKET_PRIORITIES, TICKET_STATUSES } from "~/features/tickets/model";
import type { CsvCell } from "~/lib/csv";
import { type Duration, hours } from "~/lib/time";
import { BACKLOG_AGE_LABELS } from "./labels";
import type { Analytics, Metrics, Share, Times } from "./model";
import { keptShare, resolutionRate } from "./rates";

/** Limits the organizations of a file, those with the most tickets first. */
export const ORGANIZATIONS_OF_FILE = 1_000;

type Line = readonly CsvCell[];

export const ANALYTICS_HEADER = ["Part", "Name", "Figure", "Value", "Cases"] as const;

export function analyticsLines({ metrics, months, activeOrganizations, withPlan, organizations }: Analytics): Line[] {
  const { byStatus, byPriority, backlog } = metrics;
  const lines: Line[] = [
    ["Range", "First day", "", metrics.from, null],
    ["Range", "Last day", "", metrics.to, null],
    ...keyLines(metrics),
    ["Key numbers", "Active Organizations", "Count", activeOrganizations, null],
    ["Key numbers", "Organizations with a plan", "Count", withPlan, null],
    ...TICKET_STATUSES.map(
      (status): Line => ["By status", TICKET_STATUS_LABELS[status], "Tickets", byStatus[status], null],
    ),
  ];
  for (const priority of TICKET_PRIORITIES.toReversed()) {
    const { created, firstResponse, promises, resolution } = byPriority[priority];
    const name = PRIORITY_LABELS[priority];
    lines.push(
      ["By priority", name, "Tickets", created, null],
      ["By priority", name, "First response, median, open hours", inHours(firstResponse.median), firstResponse.n],
      ["By priority", name, "Resolution, median hours", inHours(resolution.median), resolution.n],
      ["By priority", name, "First replies in promise, percent", inPercent(keptShare(promises)), keptShare(promises).n],
    );
  }
  BACKLOG_AGE_LABELS.forEach((label, age) => {
    lines.push(["Backlog", label, "Tickets", backlog[age] ?? 0, null]);
  });
  for (const { from, created, resolved, openAtEnd } of months) {
    const month = from.slice(0, 7);
    lines.push(["Trends", month, "Created", created, null], ["Trends", month, "Resolved", resolved, null]);
    lines.push(["Trends", month, "Open at the end", openAtEnd, null]);
  }
  for (const { name, created, answered, kept, missed } of organizations.rows) {
    const share = keptShare({ kept, missed });
    lines.push(["Organizations", name, "Tickets", created, null], ["Organizations", name, "Answered", answered, null]);
    lines.push(["Organizations", name, "In promise, percent", inPercent(share), share.n]);
  }
  if (organizations.next) {
    lines.push(["Organizations", `The first ${ORGANIZATIONS_OF_FILE} of ${activeOrganizations}`, "", null, null]);
  }
  return lines;
}

function keyLines(metrics: Metrics): Line[] {
  const { created, resolved, firstResponse, resolution, promises, reopened, satisfaction } = metrics;
  const times = (name: string, { median, p90, mean, n }: Times): Line[] => [
    ["Key numbers", name, "Median hours", inHours(median), n],
    ["Key numbers", name, "90th percentile hours", inHours(p90), n],
    ["Key numbers", name, "Mean hours", inHours(mean), n],
  ];
  const share = (name: string, of: Share): Line => ["Key numbers", name, "Percent", inPercent(of), of.n];
  return [
    ["Key numbers", "Tickets created", "Count", created, null],
    ["Key numbers", "Total Resolved", "Count", resolved, null],
    share("Resolution Rate", resolutionRate(metrics)),
    ...times("First response, open hours", firstResponse.open),
    ...times("First response, calendar time", firstResponse.wall),
    ...times("Resolution", resolution),
    ["Key numbers", "Resolution, waiting for the client", "Mean hours", inHours(metrics.pausedMean), resolution.n],
    share("Within promise", keptShare(promises)),
    share("Reopened", reopened),
    share("Satisfaction", satisfaction),
  ];
}

const inHours = (time: Duration | null): number | null => (time === null ? null : Number((time / hours(1)).toFixed(2)));

const inPercent = ({ part, n }: Share): number | null => (n === 0 ? null : Number(((100 * part) / n).toFixed(1)));
