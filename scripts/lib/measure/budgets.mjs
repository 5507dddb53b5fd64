/*
 * The budgets of the product, beside what this run measured. A limit must hold; a goal is what we want. Figures in
 * bytes are gzipped; shares compare with something measured in the same run, because only these mean the same on
 * another machine.
 */

const SCRIPTED = ["/pricing", "/contact"];
const isPublic = ({ path }) => !/^\/(admin|auth|client)/.test(path);
const isScripted = ({ path }) => SCRIPTED.includes(path);
const isOfAnalytics = ({ path }) => path.startsWith("/admin/analytics");
const isThread = ({ page }) => page === "one ticket";
const home = ({ pages }) => pages.find(({ path }) => path === "/");
const share = ({ throughput }, name) => throughput?.find(({ page }) => page === name)?.["of hello"];

/**
 * Lists what is measured, its limit, its goal, and the figure in a report: undefined when the run does not measure it,
 * null when it failed. With `least` a figure must not be smaller.
 */
const BUDGETS = [
  [
    "HTML and styles of the heaviest public page, bytes",
    24_000,
    20_000,
    ({ pages }) => largest(pages.filter(isPublic), ({ html, css }) => html + css),
  ],
  [
    "Script on other public pages, bytes",
    1_000,
    0,
    ({ pages }) =>
      largest(
        pages.filter((page) => isPublic(page) && !isScripted(page)),
        ({ js }) => js,
      ),
  ],
  [
    "Script on pricing and contact, bytes",
    3_000,
    1_500,
    ({ pages }) => largest(pages.filter(isScripted), ({ js }) => js),
  ],
  ["Requests of a first visit to Home", 4, 3, (report) => home(report)?.requests],
  ["Font of Home, bytes", 50_000, 45_000, (report) => home(report)?.fonts],
  [
    "Home's largest paint on a slow phone, as a share of the same words as a static page",
    2,
    1.4,
    ({ paint }) => paint?.find(({ page }) => page === "/")?.["of the static page"],
  ],
  ["Layout shift of a public page", 0.02, 0.01, ({ paint }) => paint && largest(paint, ({ CLS }) => CLS)],
  [
    "Home from the cache, requests per second as a share of a bare worker's",
    0.4,
    0.7,
    (report) => share(report, "home"),
    { least: true },
  ],
  ["Home rendered, the same share", 0.1, 0.25, (report) => share(report, "home, not cached"), { least: true }],
  ["Round trips to D1 of a ticket's thread", 3, 2, ({ data }) => largest(data.filter(isThread), ({ trips }) => trips)],
  [
    "Round trips to D1 of any other page",
    2,
    2,
    ({ data }) =>
      largest(
        data.filter((row) => !isThread(row)),
        ({ trips }) => trips,
      ),
  ],
  [
    "Rows read by any list page",
    400,
    200,
    ({ data }) =>
      largest(
        data.filter((row) => !isOfAnalytics(row)),
        (row) => row["rows read"],
      ),
  ],
  [
    "Rows read by the metrics of a year",
    5_000,
    2_000,
    ({ data }) => largest(data.filter(isOfAnalytics), (row) => row["rows read"]),
  ],
  ["The same list with the most rows stored, rows read as a share of those with the fewest", 1.1, 1, growth],
  ["List of tickets, bytes", 20_000, 14_000, ({ data }) => data.find(({ page }) => page === "tickets")?.["html gzip"]],
  [
    "Scripts of the heaviest page that runs the framework, bytes",
    130_000,
    115_000,
    ({ pages }) => largest(pages, ({ js }) => js),
  ],
  [
    "A changed ticket shown in half of 1,000 open admin areas, ms after it was sent",
    100,
    50,
    ({ live }) => live?.at(-1)?.["p50 ms"],
  ],
  ["Live events lost", 0, 0, ({ live }) => live && largest(live, (row) => row["events lost"])],
  [
    "Memory a file of all submissions takes at most, MB",
    64,
    48,
    ({ exports }) => largest(exports, (row) => row["memory +MB at most"]),
  ],
  ["First byte of that file, ms", 200, 50, ({ exports }) => largest(exports, (row) => row["first byte ms"])],
  ["Bundle of the worker, bytes", 3_000_000, 1_500_000, ({ worker }) => worker.gzip],
];

export function compareWithBudgets(report) {
  return BUDGETS.flatMap(([budget, limit, goal, figureIn, { least = false } = {}]) => {
    const measured = figureIn(report);
    if (measured === undefined) return [];
    if (!Number.isFinite(measured)) return [{ budget, measured: null, limit, goal, verdict: "NOT MEASURED" }];
    const within = (bound) => (least ? measured >= bound : measured <= bound);
    const verdict = within(goal) ? "goal" : within(limit) ? "within the limit" : "OVER THE LIMIT";
    return [{ budget, measured, limit, goal, verdict }];
  });
}

/** Returns the largest figure of rows; null where one of them has none. */
function largest(rows, of) {
  const figures = rows.map(of);
  if (figures.length === 0) return undefined;
  return figures.every(Number.isFinite) ? Math.max(...figures) : null;
}

/** Compares list pages: what the metrics of a year read depends on the days that there are. */
function growth({ data }) {
  const sizes = data.map(({ size }) => size);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (!(least < most)) return undefined;
  const rowsAt = (size) =>
    data.filter((row) => row.size === size && !isOfAnalytics(row)).map((row) => row["rows read"]);
  const growths = rowsAt(most).map((rows, index) => rows / rowsAt(least)[index]);
  return Number(Math.max(...growths).toFixed(2));
}
