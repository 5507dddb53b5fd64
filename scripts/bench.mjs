/*
 * npm run bench: what the product costs, measured on this machine with a server and data of its own. Prints tables and
 * writes bench/latest.json. `-- --quick` stays under two minutes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildApp } from "./lib/build-app.mjs";
import { bundleWorker } from "./lib/bundle-worker.mjs";
import { capture, start, stop } from "./lib/child-process.mjs";
import { findBrowser } from "./lib/find-browser.mjs";
import { answersOn, freePort, serverEnvironment } from "./lib/local-server.mjs";
import { adminPages, bulkChange } from "./lib/measure/admin-pages.mjs";
import { compareWithBudgets } from "./lib/measure/budgets.mjs";
import { compressingProxy } from "./lib/measure/compressing-proxy.mjs";
import { exportCost } from "./lib/measure/export.mjs";
import { liveFanout } from "./lib/measure/live-fanout.mjs";
import { pageBytes } from "./lib/measure/page-bytes.mjs";
import { printTable } from "./lib/measure/print-table.mjs";
import { scriptBytes } from "./lib/measure/script-bytes.mjs";
import { staticPageOf } from "./lib/measure/static-page.mjs";
import { throughput } from "./lib/measure/throughput.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { startProduct } from "./lib/start-product.mjs";
import { inRoot, nodeBinary, packageCommand, root, scriptFlags, toolEnvironment } from "./lib/toolchain.mjs";
import { withLock } from "./lib/with-lock.mjs";

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
const DATA_PAGES = ["/admin", "/admin/submissions", "/admin/tickets", "/admin/activity"];
const PAINTED_PAGES = ["/", "/services", "/pricing", "/contact"];
const LISTENERS = 1_000;
const SIZES = { quick: [10_000, 100_000], full: [10_000, 100_000, 1_000_000] };

const shutDown = await onProjectNode(import.meta.url);
let exitCode = 0;
const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const folder = mkdtempSync(join(tmpdir(), "wrenfield-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
try {
  const { httpSession, signedInAdmin, signInTimes } = await import("./lib/measure/http-session.mjs");
  const report = {
    at: new Date().toISOString(),
    quick: values.quick,
    worker: await workerSize(),
    pages: [],
    data: [],
    changes: [],
    exports: [],
  };
  printTable("Worker bundle, bytes", [report.worker]);

  for (const size of values.quick ? SIZES.quick : SIZES.full) {
    await fillTo(size);
    let signedIn;
    await withProduct(async (origin, pid) => {
      const admin = await signedInAdmin(origin);
      signedIn = { origin, cookie: admin.headers().Cookie };
      report.exports.push(await exportCost(admin, { pid, submissions: size }));
      report.changes.push(await bulkChange(admin, size));
      report.data.push(...(await adminPages(admin, size)));
      if (report.pages.length > 0) return;
      for (const path of PUBLIC_PAGES) report.pages.push(await pageBytes(httpSession(origin), path));
      for (const path of DATA_PAGES) report.pages.push(await pageBytes(admin, path));
      report.pages = report.pages.filter(Boolean);
      Object.assign(report, await measurePaint(origin));
      report.throughput = await measureThroughput(origin, httpSession(origin), admin);
      report.signIn = await signInTimes(origin);
    });
    report.cpu ??= await serverCpu(signedIn);
  }
  // Last, because the listeners are staff, whom lists of people and choices of who has a ticket would show.
  const sessionIds = await addListeners();
  await withProduct(async (origin) => {
    const admin = await signedInAdmin(origin);
    report.live = await liveFanout(origin, { visitor: httpSession(origin), admin, sessionIds });
  });
  printTable("Pages, bytes over the wire (text gzipped) with an empty cache", report.pages);
  report.scripts = scriptBytes();
  printTable("Scripts of the pages that run the framework, with an empty cache", report.scripts);
  if (report.paint) printTable("Paint on a slow phone: Slow 4G, a quarter of the processor, empty cache", report.paint);
  if (report.shifts) printTable("Layout shift while our font is on its way, the worst page by fallback", report.shifts);
  printTable("Data pages, cost at D1 by number of submissions", report.data);
  printTable("A new submission and a changed ticket, shown in open admin areas", report.live);
  printTable("Changes of many at once", report.changes);
  printTable("All submissions as a file", report.exports);
  printTable("Signing in with a wrong password, milliseconds until the server answers", [report.signIn]);
  printTable("Processor time of the worker per page, milliseconds, without D1 and KV", report.cpu);
  printTable("Requests per second, and as a share of a bare worker's, same machine and run", report.throughput);

  report.budgets = compareWithBudgets(report);
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
async function workerSize() {
  return withLock(async () => {
    await buildApp({ appEnv: "production" });
    return bundleWorker({ minify: true });
  });
}

async function fillTo(submissions) {
  const args = [
    ...scriptFlags,
    inRoot("scripts", "seed-scale.mjs"),
    `--submissions=${submissions}`,
    `--activity=${submissions}`,
    "--organizations=1000",
    `--tickets=${submissions}`,
  ];
  const env = await toolEnvironment({ STATE_DIR: folder, SEED: "demo" });
  const { code, output } = await capture(await nodeBinary(), args, { cwd: root, env });
  if (code !== 0) throw new Error(output);
}

/** Adds sessions of staff for that many sockets. Returns the values of their cookies. */
async function addListeners() {
  const args = [...scriptFlags, inRoot("scripts", "lib", "measure", "add-listeners.mjs"), String(LISTENERS)];
  const { code, output } = await capture(await nodeBinary(), args, {
    cwd: root,
    env: await toolEnvironment({ STATE_DIR: folder }),
  });
  if (code !== 0) throw new Error(output);
  return JSON.parse(output.slice(output.indexOf("[")));
}

/** Measures the worker's own processor time per page, as a visitor and with the session of an admin. */
async function serverCpu({ origin, cookie }) {
  const script = inRoot("scripts", "lib", "measure", "server-cpu.mjs");
  const args = [...scriptFlags, script, origin, cookie, values.quick ? "5" : "15"];
  const env = await toolEnvironment({ STATE_DIR: folder, NODE_ENV: "production" });
  const { code, output } = await capture(await nodeBinary(), args, { cwd: root, env });
  if (code !== 0) throw new Error(output);
  return JSON.parse(/^\[\{"page".*$/m.exec(output)[0]);
}

async function withProduct(work) {
  const port = await freePort();
  const variables = { PORT: String(port), STATE_DIR: folder, SEED: "demo", LIVE_MAX_SOCKETS: String(LISTENERS) };
  const server = await startProduct(variables);
  try {
    await work(`http://localhost:${port}`, server.pid);
  } finally {
    await stop(server);
  }
}

/** Returns null without a browser: none is obtained for a measurement. */
async function measurePaint(origin) {
  const { firstPaint, layoutShifts } = await import("./lib/measure/first-paint.mjs");
  const browser = await findBrowser().catch(() => null);
  if (!browser) return null;
  const reference = await staticPageOf(await (await fetch(origin)).text());
  const proxies = [await compressingProxy(reference.origin), await compressingProxy(origin)];
  const [plain, product] = proxies;
  const targets = [
    { name: "the words of Home as a static page", url: plain.origin },
    ...PAINTED_PAGES.map((path) => ({ name: path, url: product.origin + path })),
  ];
  try {
    const { executablePath } = browser;
    const paint = await firstPaint(targets, { executablePath, rounds: values.quick ? 3 : 9 });
    // Each page is loaded once for each font.
    const shifting = values.quick ? PAINTED_PAGES : PUBLIC_PAGES;
    const urls = shifting.map((path) => product.origin + path);
    return { paint, shifts: await layoutShifts(urls, { executablePath }) };
  } finally {
    await Promise.all([...proxies, reference].map(({ close }) => close()));
  }
}

async function measureThroughput(origin, visitor, admin) {
  const port = await freePort();
  const hello = await startHello(port);
  const targets = [
    { name: "hello", url: `http://127.0.0.1:${port}/healthz` },
    { name: "home", url: `${origin}/`, headers: visitor.headers },
    { name: "home, not cached", url: `${origin}/?fresh=1`, headers: visitor.headers },
    { name: "contact", url: `${origin}/contact`, headers: visitor.headers },
    { name: "tickets", url: `${origin}/admin/tickets`, headers: admin.headers },
  ];
  try {
    const rates = await throughput(
      targets,
      values.quick ? { rounds: 3, milliseconds: 800 } : { rounds: 5, milliseconds: 3_000 },
    );
    return Object.entries(rates).map(([name, rate]) => ({
      page: name,
      "requests/s": rate,
      "of hello": Number((rate / rates.hello).toFixed(3)),
    }));
  } finally {
    await stop(hello);
  }
}

/**
 * Starts the least a worker can do, served like the product, from outside the project, whose settings it would pick up.
 */
async function startHello(port) {
  const script = join(folder, "hello.js");
  writeFileSync(script, 'export default { fetch: () => new Response("hello") };\n');
  const ports = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(await freePort())];
  const quiet = ["--log-level=warn", "--show-interactive-dev-session=false"];
  const args = ["dev", script, ...ports, "--compatibility-date=2026-10-20", ...quiet];
  const options = { cwd: folder, env: await serverEnvironment("production"), stdio: "ignore" };
  const child = start(await nodeBinary(), [packageCommand("wrangler"), ...args], options);
  await answersOn(port, child);
  return child;
}
