/*
 * What pages cost at the database, as they report it of themselves. Two sizes beside each other show whether a page
 * reads its rows or all rows. Every combination of a filter has its bound in tests/http/_admin.lists.test.ts.
 */

const PAGES = [
  ["dashboard", "/admin"],
  ["submissions", "/admin/submissions"],
  ["submissions, search, common", "/admin/submissions?q=castillo"],
  ["submissions, search, no match", "/admin/submissions?q=qqqzzz"],
  ["submissions, search, 2 letters", "/admin/submissions?q=xu"],
  ["tickets", "/admin/tickets"],
  ["tickets, unassigned, next due", "/admin/tickets?status=active&assignee=none&sort=due"],
  ["tickets, deep page", "/admin/tickets?after=1500"],
  ["tickets, search and status", "/admin/tickets?q=printer&status=active"],
  ["activity", "/admin/activity"],
  ["analytics, a year", "/admin/analytics?range=365&tab=organizations"],
];

/** Returns a row per page: round trips, statements, rows read, milliseconds at D1 and size. `session`: an admin's. */
export async function adminPages(session, submissions) {
  const rows = [];
  for (const [page, path] of PAGES) rows.push(await costOf(session, path, { page, path, submissions }));
  rows.push(
    await costOf(session, await newestTicket(session), { page: "one ticket", path: "/admin/tickets/…", submissions }),
  );
  return rows.filter(Boolean);
}

/** Returns the address of the ticket that the list names first. */
export async function newestTicket(session) {
  const list = await (await session.send("/admin/tickets")).text();
  const [, path] = /href="(\/admin\/tickets\/T-\d+)"/.exec(list) ?? [];
  if (!path) throw new Error("The list of tickets has no ticket");
  return path;
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
  const response = await session.submit("/admin/submissions?status=resolved", fields);
  return { change: "status of 500 submissions", submissions, ...costIn(response) };
}

/** Returns what a response reports as its cost, or null. */
function costIn(response) {
  const timing = /trips=(\d+) queries=(\d+) rows=(\d+)";dur=([\d.]+)/.exec(response.headers.get("server-timing") ?? "");
  if (!timing) return null;
  const [trips, queries, read, milliseconds] = timing.slice(1).map(Number);
  return { trips, queries, "rows read": read, "ms at D1": milliseconds };
}
