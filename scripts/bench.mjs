/*
 * npm run bench: what a person feels of the product, measured on this machine with a server and data of its own: first
 * paint, list pages, a thread, a live event, an export, signing in. Prints tables and writes bench/latest.json.
 * `-- --quick` measures fewer rounds. `-- --million` also measures a million rows of each, which take minutes to make.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp, bundleWorker } from "./lib/build-app.mjs";
import { exitOf } from "./lib/child-process.mjs";
import { findBrowser } from "./lib/find-browser.mjs";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { withLock } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { onlyOwn, withProduct } from "./lib/running-product.mjs";
import { inRoot, startScript } from "./lib/toolchain.mjs";

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

const flag = { type: "boolean", default: false };

await runCommand(import.meta.url, { options: { quick: flag, million: flag } }, async ({ quick, million }) => {
  const sizes = [10_000, 100_000, ...(million ? [1_000_000] : [])];
  const folder = mkdtempSync(join(tmpdir(), "wrenfield-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const state = join(folder, "state");
  const variables = { STATE_DIR: state, SEED: "demo", LIVE_MAX_SOCKETS: String(LISTENERS) };
  const { httpSession, signedInAdmin, signInTimes } = await import("./lib/measure/http-session.mjs");
  const { dataPages, pageBytes } = await import("./lib/measure/pages.mjs");
  const { exportCost } = await import("./lib/measure/export.mjs");
  const { throughput } = await import("./lib/measure/throughput.mjs");
  const { addListeners, liveFanout } = await import("./lib/measure/live-fanout.mjs");
  const { compareWithBudgets } = await import("./lib/measure/budgets.mjs");
  const report = { at: new Date().toISOString(), worker: await workerSize(), pages: [], data: [], exports: [] };
  for (const size of sizes) {
    await fillTo(size, variables);
    await withProduct(variables, async (origin, pid) => {
      const admin = await signedInAdmin(origin);
      report.exports.push(await exportCost(admin, { pid, size }));
      report.data.push(...(await dataPages(admin, size)));
      // The rest at the end: a sign-in that fails is an event, which the list of what happened counts.
      if (size !== sizes.at(-1)) return;
      const visitor = httpSession(origin);
      for (const path of PUBLIC_PAGES) report.pages.push(await pageBytes(visitor, path));
      for (const path of HYDRATED_PAGES) report.pages.push(await pageBytes(admin, path));
      report.paint = await measurePaint(origin, quick);
      const rated = [
        { name: "home", url: `${origin}/`, headers: visitor.headers },
        { name: "home, not cached", url: `${origin}/?fresh=1`, headers: visitor.headers },
        { name: "contact", url: `${origin}/contact`, headers: visitor.headers },
        { name: "tickets", url: `${origin}/admin/tickets`, headers: admin.headers },
      ];
      const rounds = quick ? { rounds: 3, milliseconds: 800 } : { rounds: 5, milliseconds: 3_000 };
      report.throughput = await throughput(rated, { folder, ...rounds });
      report.signIn = await signInTimes(origin);
    });
  }
  // Last, because the listeners are staff, whom lists of people and choices of who has a ticket would show.
  const database = await openLocalDatabase(state);
  const sessionIds = addListeners(database, LISTENERS);
  database.close();
  await withProduct(variables, async (origin) => {
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
});

/** Measures the production build, which has no development pages. The local one is made again for the server. */
function workerSize() {
  return withLock(async () => {
    await buildApp({ appEnv: "production" });
    return bundleWorker({ minify: true });
  });
}

async function fillTo(size, variables) {
  const kinds = ["submissions", "activity", "tickets"].map((kind) => `--${kind}=${size}`);
  const args = ["--organizations=1000", ...kinds];
  const filling = await startScript(inRoot("scripts", "seed-scale.mjs"), args, { env: onlyOwn(variables) });
  if ((await exitOf(filling)) !== 0) throw new Error(`The database could not be filled to ${size} rows.`);
}

async function measurePaint(origin, quick) {
  const { firstPaint } = await import("./lib/measure/first-paint.mjs");
  const browser = await findBrowser().catch(() => null);
  return browser && firstPaint(origin, PAINTED_PAGES, { browser, rounds: quick ? 3 : 9 });
}

function printTable(title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
}
