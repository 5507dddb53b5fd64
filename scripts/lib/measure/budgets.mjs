/*
 * The budgets of the product, beside what this run measured. A limit must hold; a goal is what we want. Figures in
 * bytes are gzipped; shares compare with something measured in the same run, because only these mean the same on
 * another machine.
 */

const SCRIPTED = ["/pricing", "/contact"];

/** `measured` returns a number of the report: undefined when the run does not measure it, null when it failed. */
const BUDGETS = [
  {
    what: "HTML and styles of the heaviest public page, bytes",
    limit: 24_000,
    goal: 20_000,
    measured: ({ pages }) => largest(publicPages(pages), ({ html, css }) => html + css),
  },
  {
    what: "Script on other public pages, bytes",
    limit: 1_000,
    goal: 0,
    measured: ({ pages }) => largest(without(publicPages(pages), SCRIPTED), ({ js }) => js),
  },
  {
    what: "Script on pricing and contact, bytes",
    limit: 3_000,
    goal: 1_500,
    measured: ({ pages }) => largest(only(pages, SCRIPTED), ({ js }) => js),
  },
  {
    what: "Requests of a first visit to Home",
    limit: 4,
    goal: 3,
    measured: ({ pages }) => only(pages, ["/"])[0]?.requests,
  },
  {
    what: "Font of Home, bytes",
    limit: 50_000,
    goal: 45_000,
    measured: ({ pages }) => only(pages, ["/"])[0]?.fonts,
  },
  {
    what: "Home's largest paint on a slow phone, as a share of the same words as a static page",
    limit: 2,
    goal: 1.4,
    measured: ({ paint }) => paint?.find(({ page }) => page === "/")?.["of the static page"],
  },
  {
    what: "Layout shift of public pages, the worst, while our font is on its way",
    limit: 0.02,
    goal: 0.01,
    measured: ({ shifts }) => shifts && largest(shifts, ({ CLS }) => CLS),
  },
  {
    what: "Home from the cache, requests per second as a share of a bare worker's",
    limit: 0.4,
    goal: 0.7,
    least: true,
    measured: ({ throughput }) => share(throughput, "home"),
  },
  {
    what: "Home rendered, the same share",
    limit: 0.1,
    goal: 0.25,
    least: true,
    measured: ({ throughput }) => share(throughput, "home, not cached"),
  },
  {
    what: "Processor time of the list of tickets, as a multiple of the least list of Remix",
    limit: 4,
    goal: 3,
    measured: ({ cpu }) => cpu?.find(({ page }) => page === "tickets, 25 rows")?.["of a bare list"],
  },
  {
    what: "The same list as data alone",
    limit: 4,
    goal: 1.5,
    measured: ({ cpu }) => cpu?.find(({ page }) => page === "tickets, 25 rows as data")?.["of a bare list"],
  },
  {
    what: "Round trips to D1 of any page",
    limit: 3,
    goal: 2,
    measured: ({ data }) => largest(data, ({ trips }) => trips),
  },
  {
    what: "Rows read by any list page",
    limit: 400,
    goal: 200,
    measured: ({ data }) =>
      largest(
        data.filter(({ path }) => !isOfAnalytics(path) && !isShortSearch(path)),
        (row) => row["rows read"],
      ),
  },
  {
    what: "Rows read by the metrics of a year",
    limit: 5_000,
    goal: 2_000,
    measured: ({ data }) =>
      largest(
        data.filter(({ path }) => isOfAnalytics(path)),
        (row) => row["rows read"],
      ),
  },
  {
    what: "The same page at the largest size, rows read as a share of those at the smallest full page",
    limit: 1.1,
    goal: 1,
    measured: growth,
  },
  {
    what: "Scripts of the heaviest page that runs the framework, bytes",
    limit: 150_000,
    goal: 115_000,
    measured: ({ scripts }) => largest(scripts, (row) => row["js gzip"]),
  },
  {
    what: "A changed ticket shown in half of 1,000 open admin areas, ms after it was sent",
    limit: 100,
    goal: 50,
    measured: ({ live }) => live?.find(({ event }) => event === "ticket_event")?.["p50 ms"],
  },
  {
    what: "Live events lost",
    limit: 0,
    goal: 0,
    measured: ({ live }) => live && largest(live, (row) => row["events lost"]),
  },
  {
    what: "Memory a file of all submissions takes at most, MB",
    limit: 64,
    goal: 48,
    measured: ({ exports }) => largest(exports, (row) => row["memory +MB at most"]),
  },
  {
    what: "First byte of that file, ms",
    limit: 200,
    goal: 50,
    measured: ({ exports }) => largest(exports, (row) => row["first byte ms"]),
  },
  {
    what: "Bundle of the worker, bytes",
    limit: 3_000_000,
    goal: 1_500_000,
    measured: ({ worker }) => worker.gzip,
  },
];

/** Returns one row for each budget this run has a figure for. */
export function compareWithBudgets(report) {
  return BUDGETS.map(({ what, limit, goal, least, measured }) => {
    const value = measured(report);
    if (value === undefined) return null;
    if (!Number.isFinite(value)) return { budget: what, measured: null, limit, goal, verdict: "NOT MEASURED" };
    const within = (limit) => (least ? value >= limit : value <= limit);
    const verdict = within(goal) ? "goal" : within(limit) ? "within the limit" : "OVER THE LIMIT";
    return { budget: what, measured: value, limit, goal, verdict };
  }).filter(Boolean);
}

const isOfAnalytics = (path) => path.startsWith("/admin/analytics");
/** Goes through the newest 5,000 rows (docs/decisions/0013). */
const isShortSearch = (path) => /[?&]q=..?(&|$)/.test(path);
const publicPages = (pages) => pages.filter(({ path }) => !/^\/(admin|auth|profile|client)/.test(path));
const only = (pages, paths) => pages.filter(({ path }) => paths.includes(path));
const without = (pages, paths) => pages.filter(({ path }) => !paths.includes(path));
/** Returns the largest figure of rows; null where one of them has none. */
function largest(rows, of) {
  const figures = rows.map(of);
  if (figures.length === 0) return undefined;
  return figures.every(Number.isFinite) ? Math.max(...figures) : null;
}
const share = (throughput, name) => throughput?.find(({ page }) => page === name)?.["of hello"];

/**
 * Returns the largest growth of any page over sizes of which each fills a page, from the first such size to the last.
 */
function growth({ data }) {
  const sizes = [...new Set(data.map(({ submissions }) => submissions))].filter((size) => size >= 10_000);
  if (sizes.length < 2) return undefined;
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)];
  const rowsAt = (size, path) => data.find((row) => row.submissions === size && row.path === path)?.["rows read"];
  const paths = [...new Set(data.map(({ path }) => path))].filter((path) => rowsAt(first, path) && rowsAt(last, path));
  const growths = paths.map((path) => rowsAt(last, path) / rowsAt(first, path));
  return growths.length > 0 ? Number(Math.max(...growths).toFixed(2)) : undefined;
}
