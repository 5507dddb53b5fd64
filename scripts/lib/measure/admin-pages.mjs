/*
 * What the pages of the admin area cost at the database, as they report it of themselves. Two sizes beside each other
 * show whether a page reads its rows or all rows.
 */

/**
 * Sets the moment of a page that nobody would open by clicking: a quarter back of the three years that the submissions
 * are spread over.
 */
const DEEP = Date.now() - 0.25 * 3 * 365 * 86_400_000;
const dayBefore = (count) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
const list = (query) => `/admin/submissions?${query}`;
const tickets = (query) => `/admin/tickets?${query}`;

const PAGES = [
  ["first page", list("")],
  ["oldest first", list("sort=oldest")],
  ["by name", list("sort=name")],
  ["by name, from Z", list("sort=name_desc")],
  ["by status", list("sort=status")],
  ["by status, from the end", list("sort=status_desc")],
  ["deep page", list(`after=${Math.round(DEEP)}.sub_z`)],
  ["one status", list("status=contacted")],
  ["one status, deep", list(`status=resolved&after=${Math.round(DEEP)}.sub_z`)],
  ["one status, by name", list("status=resolved&sort=name")],
  ["last sixty days", list(`from=${dayBefore(60)}`)],
  ["two years", list(`from=${dayBefore(900)}&to=${dayBefore(170)}`)],
  ["status and two years", list(`status=resolved&from=${dayBefore(900)}&to=${dayBefore(170)}`)],
  ["status, dates, search", list(`status=resolved&from=${dayBefore(900)}&to=${dayBefore(170)}&q=castillo`)],
  ["search, common", list("q=castillo")],
  ["search, one person", list("q=quirke77%40scale1")],
  ["search, no match", list("q=qqqzzz")],
  ["search and status", list("q=example&status=new")],
  ["search, 2 letters", list("q=xu")],
  ["search, 2 letters, no match", list("q=qz")],
  ["search, 1 letter", list("q=e")],
  ["search, 1 letter and status", list("q=z&status=new")],
  ["search, % taken by its letter", list("q=%25")],
  ["held", list("view=held")],
  ["held, search", list("view=held&q=example")],
  ["mine", list("view=mine")],
  ["to follow up", list("view=follow_up")],
  ["dashboard", "/admin"],
  ["tickets", tickets("")],
  ["tickets, next due", tickets("sort=due")],
  ["tickets, due today", tickets("due=today")],
  ["tickets, unassigned", tickets("status=active&assignee=none&sort=due")],
  ["tickets, one status", tickets("status=closed")],
  ["tickets, priority and status", tickets("status=closed&priority=urgent")],
  ["tickets, deep page", tickets("after=1500")],
  ["tickets, search, common", tickets("q=printer")],
  ["tickets, search and status", tickets("q=printer&status=active")],
  ["tickets, search, no match", tickets("q=qqqzzz")],
  ["analytics, 30 days", "/admin/analytics"],
  ["analytics, a year", "/admin/analytics?range=365&tab=organizations"],
  ["analytics, rows of a number", `/admin/analytics/rows?of=resolved&from=${dayBefore(365)}&to=${dayBefore(1)}`],
  ["activity", "/admin/activity"],
  ["activity, one type", "/admin/activity?type=status_change"],
  ["activity, deep page", "/admin/activity?after=2500"],
  ["activity, search", "/admin/activity?q=castillo"],
  ["activity, search and type", "/admin/activity?q=castillo&type=note"],
  ["activity, search, deep page", "/admin/activity?q=castillo&after=5000"],
  ["activity, search, no match", "/admin/activity?q=qqqzzz"],
];

/** Returns a row per page: round trips, statements, rows read, milliseconds at D1 and size. `session`: an admin's. */
export async function adminPages(session, submissions) {
  const rows = [];
  for (const [page, path] of PAGES) rows.push(await costOf(session, path, { page, path, submissions }));
  const [, record] = /href="(\/admin\/submissions\/sub_\w+)"/.exec(await (await session.send(list(""))).text()) ?? [];
  const named = { page: "one submission", path: "/admin/submissions/…", submissions };
  if (record) rows.push(await costOf(session, record, named));
  return rows.filter(Boolean);
}

/** Returns the cheaper of two HTTP requests in a row: the first may refresh the session as well. */
async function costOf(session, path, named) {
  const rows = [];
  for (let request = 0; request < 2; request += 1) {
    const response = await session.send(path);
    const html = await response.text();
    const cost = costIn(response);
    if (response.status !== 200 || !cost) return null;
    rows.push({ ...named, ...cost, "html bytes": html.length });
  }
  return rows.toSorted((left, right) => left["rows read"] - right["rows read"])[0];
}

/** Returns what it costs to move the newest five hundred of a status to another one. The next run finds others. */
export async function bulkChange(session, submissions) {
  const fields = { scope: "all", status: "contacted", intent: "bulk-status" };
  const response = await session.submit(list("status=resolved"), fields);
  return { change: "status of 500 submissions", submissions, ...costIn(response) };
}

/** Returns what a response reports as its cost, or null. */
function costIn(response) {
  const timing = /trips=(\d+) queries=(\d+) rows=(\d+)";dur=([\d.]+)/.exec(response.headers.get("server-timing") ?? "");
  if (!timing) return null;
  const [trips, queries, read, milliseconds] = timing.slice(1).map(Number);
  return { trips, queries, "rows read": read, "ms at D1": milliseconds };
}
