/*
 * npm run bench: what a person feels of the product, measured on this machine with a server and data of its own: first
 * paint, list pages, a thread, a live event, an export, signing in. Prints tables and writes bench/latest.json.
 * `-- --quick` measures fewer rounds. `-- --million` also measures a million rows of each, which take minutes to make.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildApp, bundleWorker } from "./lib/build-app.mjs";
import { capture } from "./lib/child-process.mjs";
import { findBrowser } from "./lib/find-browser.mjs";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { withLock } from "./lib/locks.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { onlyOwn, withProduct } from "./lib/running-product.mjs";
import { inRoot, nodeBinary, root, scriptFlags, toolEnvironment } from "./lib/toolchain.mjs";

const PUBLIC_PAGES = [
  "/",
  "/services",
  "/industries",
  "/why-us",
  "/pricing",
  "/contact",
  "/privacy",
  "/terms",
  "/auth",
];
const HYDRATED_PAGES = ["/admin", "/admin/submissions", "/admin/tickets", "/admin/activity"];
const PAINTED_PAGES = ["/", "/services", "/pricing", "/contact"];
const LISTENERS = 1_000;

const shutDown = await onProjectNode(import.meta.url);
const flag = { type: "boolean", default: false };
const { values } = parseArgs({ options: { quick: flag, million: flag } });
const SIZES = [10_000, 100_000, ...(values.million ? [1_000_000] : [])];
const folder = mkdtempSync(join(tmpdir(), "wrenfield-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let exitCode = 0;
try {
  const { httpSession, signedInAdmin, signInTimes } = await import("./lib/measure/http-session.mjs");
  const { dataPages, pageBytes } = await import("./lib/measure/pages.mjs");
  const { exportCost } = await import("./lib/measure/export.mjs");
  const { throughput } = await import("./lib/measure/throughput.mjs");
  const { addListeners, liveFanout } = await import("./lib/measure/live-fanout.mjs");
  const { compareWithBudgets } = await import("./lib/measure/budgets.mjs");
  const report = { at: new Date().toISOString(), worker: await workerSize(), pages: [], data: [], exports: [] };
  for (const size of SIZES) {
    await fillTo(size);
    await withProduct(variables(), async (origin, pid) => {
      const admin = await signedInAdmin(origin);
      report.exports.push(await exportCost(admin, { pid, size }));
      report.data.push(...(await dataPages(admin, size)));
      // The rest at the end: a sign-in that fails is an event, which the list of what happened counts.
      if (size !== SIZES.at(-1)) return;
      const visitor = httpSession(origin);
      for (const path of PUBLIC_PAGES) report.pages.push(await pageBytes(visitor, path));
      for (const path of HYDRATED_PAGES) report.pages.push(await pageBytes(admin, path));
      report.paint = await measurePaint(origin);
      const rated = [
        { name: "home", url: `${origin}/`, headers: visitor.headers },
        { name: "home, not cached", url: `${origin}/?fresh=1`, headers: visitor.headers },
        { name: "contact", url: `${origin}/contact`, headers: visitor.headers },
        { name: "tickets", url: `${origin}/admin/tickets`, headers: admin.headers },
      ];
      const rounds = values.quick ? { rounds: 3, milliseconds: 800 } : { rounds: 5, milliseconds: 3_000 };
      report.throughput = await throughput(rated, { folder, ...rounds });
      report.signIn = await signInTimes(origin);
    });
  }
  // Last, because the listeners are staff, whom lists of people and choices of who has a ticket would show.
  const database = await openLocalDatabase(join(folder, "state"));
  const sessionIds = addListeners(database, LISTENERS);
  database.close();
  await withProduct(variables(), async (origin) => {
    report.live = await liveFanout(origin, { admin: await signedInAdmin(origin), sessionIds });
  });
  report.budgets = compareWithBudgets(report);

  printTable("Worker bundle, bytes", [report.worker]);
  printTable("Pages, bytes over the wire (text gzipped) with an empty cache", report.pages);
  printTable("Paint on a slow phone: Slow 4G, a quarter of the processor, empty cache", report.paint ?? []);
  printTable("Data pages, cost at D1 by number of tickets, submissions and events", report.data);
  printTable("A changed ticket, shown in open admin areas", report.live);
  printTable("All submissions as a file", report.exports);
  printTable("Signing in with a wrong password, milliseconds until the server answers", [report.signIn]);
  printTable("Requests per second, and as a share of a bare worker's, same machine and run", report.throughput);
  printTable("Budgets", report.budgets);
  mkdirSync(inRoot("bench"), { recursive: true });
  writeFileSync(inRoot("bench", "latest.json"), `${JSON.stringify(report, null, 2)}\n`);
  console.log("\nWritten to bench/latest.json");
} catch (error) {
  console.error(error.message);
  exitCode = 1;
}
await shutDown(exitCode);

/** Measures the production build, which has no development pages. The local one is made again for the server. */
function workerSize() {
  return withLock(async () => {
    await buildApp({ appEnv: "production" });
    return bundleWorker({ minify: true });
  });
}

async function fillTo(size) {
  const kinds = ["submissions", "activity", "tickets"].map((kind) => `--${kind}=${size}`);
  const args = [...scriptFlags, inRoot("scripts", "seed-scale.mjs"), "--organizations=1000", ...kinds];
  const env = await toolEnvironment(onlyOwn(variables()));
  const { code, output } = await capture(await nodeBinary(), args, { cwd: root, env });
  if (code !== 0) throw new Error(output);
}

function variables() {
  return { STATE_DIR: join(folder, "state"), SEED: "demo", LIVE_MAX_SOCKETS: String(LISTENERS) };
}

async function measurePaint(origin) {
  const { firstPaint } = await import("./lib/measure/first-paint.mjs");
  const browser = await findBrowser().catch(() => null);
  return browser && firstPaint(origin, PAINTED_PAGES, { browser, rounds: values.quick ? 3 : 9 });
}

/** Prints rows of the same shape with the names of their fields as headings; numbers are set to the right. */
function printTable(title, rows) {
  const columns = Object.keys(rows[0] ?? {});
  const isNumber = (column) => typeof rows[0][column] === "number";
  const text = (value) => (typeof value === "number" ? value.toLocaleString("en-US") : String(value ?? "–"));
  const lines = [Object.fromEntries(columns.map((column) => [column, column])), ...rows];
  const widths = columns.map((column) => Math.max(...lines.map((row) => text(row[column]).length)));
  console.log(`\n${title}\n`);
  for (const row of lines) {
    const cells = columns.map((column, index) =>
      text(row[column])[isNumber(column) ? "padStart" : "padEnd"](widths[index]),
    );
    console.log(cells.join("  ").trimEnd());
  }
}
