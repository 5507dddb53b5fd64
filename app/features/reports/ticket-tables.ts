import { BACKLOG_AGE_LABELS, DEFINITIONS as MEANINGS } from "~/features/analytics/definitions";
import { type Figures, keptShare, type Promises, resolutionRate, type Share } from "~/features/analytics/model";
import { openRowsPath, type RowKind, rowsPath } from "~/features/analytics/paths";
import { shareInWords, timeInWords } from "~/features/analytics/words";
import { PRIORITY_LABELS } from "~/features/tickets/copy";
import { TICKET_PRIORITIES } from "~/features/tickets/model";
import { plural } from "~/lib/text";
import { type Duration, hours } from "~/lib/time";
import { DEFINITIONS, NO_NUMBER, NOTHING_IN_PERIOD } from "./copy";
import type { ReportTable } from "./model";
import type { ReportBody } from "./report-tables";

const inFull = (count: number) => count.toLocaleString("en-US");

/** Writes a time as a number that a spreadsheet counts with: hours with two decimals. */
const inHours = (time: Duration | null) => (time === null ? NO_NUMBER : (time / hours(1)).toFixed(2));

/** Says that figures lag behind, if they do. */
const lag = ({ uncounted }: Figures) =>
  uncounted === 0 ? "" : ` ${plural(uncounted, "ticket", "tickets")} changed just now and will be counted in a minute.`;

/** Shows everything that is counted of tickets in a period, each number with what it means. */
export function ticketsTable(figures: Figures): ReportTable {
  const { open, wall } = figures.firstResponse;
  const rate = resolutionRate(figures);
  const kept = keptShare(figures.promises);
  const backlog = BACKLOG_AGE_LABELS.map((label, age) => `${label}: ${inFull(figures.backlog[age] ?? 0)}`).join(", ");
  const { from, to } = figures;
  const counted = (of: RowKind) => rowsPath({ of, from, to });
  // A share without a case leads to what it is a share of: the page of its own rows would be empty.
  const casesOf = ({ part }: Share, of: RowKind, whole: RowKind) => counted(part > 0 ? of : whole);
  const { reopened, satisfaction } = figures;
  const rows: [name: string, value: string, cases: number | null, meaning: string, rowsTo: string | null][] = [
    ["Tickets created", inFull(figures.created), null, MEANINGS.created, counted("created")],
    ["Tickets resolved", inFull(figures.resolved), null, MEANINGS.resolved, counted("resolved")],
    ["Resolution Rate", shareInWords(rate), rate.n, MEANINGS.resolutionRate, casesOf(rate, "resolved", "created")],
    [
      "First response, median",
      timeInWords(open.median),
      open.n,
      `${MEANINGS.firstResponse} ${MEANINGS.openHours}`,
      counted("answered"),
    ],
    ["First response, 90th percentile", timeInWords(open.p90), open.n, MEANINGS.openHours, counted("answered")],
    ["First response, mean", timeInWords(open.mean), open.n, MEANINGS.openHours, counted("answered")],
    [
      "First response, calendar time",
      timeInWords(wall.median),
      wall.n,
      `Median. ${MEANINGS.wallTime}`,
      counted("answered"),
    ],
    [
      "Resolution, median",
      timeInWords(figures.resolution.median),
      figures.resolution.n,
      MEANINGS.resolution,
      counted("resolved"),
    ],
    [
      "Promises kept",
      shareInWords(kept),
      kept.n,
      MEANINGS.promises,
      counted(figures.promises.missed > 0 ? "missed" : "kept"),
    ],
    ["Reopened", shareInWords(reopened), reopened.n, MEANINGS.reopened, casesOf(reopened, "reopened", "resolved")],
    [
      "Satisfaction",
      shareInWords(satisfaction),
      satisfaction.n,
      MEANINGS.satisfaction,
      counted(satisfaction.n > satisfaction.part ? "bad" : "good"),
    ],
    [
      "Backlog",
      inFull(figures.backlog.reduce((sum, count) => sum + count, 0)),
      null,
      `${MEANINGS.backlog} ${backlog}.`,
      openRowsPath({ to }),
    ],
  ];
  return {
    id: "tickets",
    title: "Tickets",
    columns: [
      { label: "Figure", share: 5 },
      { label: "Value", share: 3, isNumber: true },
      { label: "Cases", share: 2, isNumber: true },
      { label: "What it means", share: 10 },
    ],
    rows: rows.map(([name, value, cases, meaning]) => [name, value, cases === null ? "" : inFull(cases), meaning]),
    rowsTo: rows.map(([, value, , , path]) => (value === NO_NUMBER ? null : path)),
    none: NOTHING_IN_PERIOD,
    note: `${MEANINGS.precision}${lag(figures)}`,
  };
}

const PERFORMANCE_COLUMNS = [
  "Priority",
  "Tickets",
  "First Response Median (open hours)",
  "Resolution Median (hours)",
  "Within Promise",
] as const;

/** Names the same columns where times are written in words. */
const PERFORMANCE_LABELS = ["Priority", "Tickets", "First response, median", "Resolution, median", "Within promise"];

/** Shows how soon tickets of each priority were answered and resolved. */
export function performanceBody(figures: Figures): ReportBody {
  type Times = { first: Duration | null; resolved: Duration | null; promises: Promises };
  const lines: [name: string, created: number, times: Times][] = TICKET_PRIORITIES.toReversed().map((priority) => {
    const { created, firstResponse, resolution, promises } = figures.byPriority[priority];
    return [PRIORITY_LABELS[priority], created, { first: firstResponse.median, resolved: resolution.median, promises }];
  });
  const { firstResponse, resolution, firstPromises } = figures;
  lines.push([
    "All",
    figures.created,
    { first: firstResponse.open.median, resolved: resolution.median, promises: firstPromises },
  ]);
  const table: ReportTable = {
    id: "performance",
    title: "Performance by priority",
    columns: PERFORMANCE_LABELS.map((label, index) => ({ label, share: 1, isNumber: index > 0 })),
    rows: lines.map(([name, created, { first, resolved, promises }]) => [
      name,
      inFull(created),
      timeInWords(first),
      timeInWords(resolved),
      shareInWords(keptShare(promises)),
    ]),
    rowsTo: [...TICKET_PRIORITIES.toReversed(), null].map((priority) =>
      rowsPath({ of: "created", from: figures.from, to: figures.to, priority }),
    ),
    none: NOTHING_IN_PERIOD,
    note: `${DEFINITIONS.performance} ${MEANINGS.precision}${lag(figures)}`,
  };
  const csvRows = lines.map(([name, created, { first, resolved, promises }]) => [
    name,
    created,
    inHours(first),
    inHours(resolved),
    shareInWords(keptShare(promises)),
  ]);
  return { tables: [table, ticketsTable(figures)], csv: { header: PERFORMANCE_COLUMNS, rows: csvRows } };
}
