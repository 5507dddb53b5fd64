/*
 * Run by the bench while no server runs: `node server-cpu.mjs <origin> <cookie header> <rounds>`. Measures what the
 * worker itself computes for a page, without D1 and KV: the bundled worker runs in this process, the first request of a
 * page reads from the local state, and all others get the same results back at once. Neither D1's emulation nor the
 * network is part of it. Node's own Request and Response are, which cost more than those of the worker's runtime, and
 * so is the loop, which costs what the bare worker costs. Prints one row per page, as JSON.
 *
 * Milliseconds mean something on one machine only, and there only while nothing else runs. So each round measures the
 * least list that the framework can make as well, and the page is also given as a multiple of it.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { getPlatformProxy } from "wrangler";
import { localSecrets } from "../local-secrets.mjs";
import { stateDir } from "../local-state.mjs";
import { inRoot } from "../toolchain.mjs";
import { bareList } from "./bare-list.mjs";

const TICKETS_ROUTE = encodeURIComponent("routes/_admin.admin.tickets._index");
const PAGES = [
  ["home, not cached", "/?fresh=1"],
  ["tickets, 25 rows", "/admin/tickets"],
  // What the list costs whoever comes from another page of the area, filters, turns a page or is told of a change.
  ["tickets, 25 rows as data", `/admin/tickets?_data=${TICKETS_ROUTE}`],
];
const WARM_UP = 150;
const REQUESTS = 100;

const [origin, cookie, roundsText] = process.argv.slice(2);
const rounds = Number(roundsText);

// The runtime's own module has one class that the worker extends, and no page uses it.
const RUNTIME_MODULE = "data:text/javascript,export class DurableObject {}";
registerHooks({
  resolve: (name, context, next) =>
    name === "cloudflare:workers" ? { url: RUNTIME_MODULE, format: "module", shortCircuit: true } : next(name, context),
});
// No page of the measurement may come from the cache.
globalThis.caches = { default: { match: async () => undefined, put: async () => {} } };
// What the runtime would do later is done at once.
globalThis.scheduler = { wait: async () => {} };

const platform = await getPlatformProxy({ configPath: inRoot("wrangler.toml"), persist: { path: `${stateDir}/v3` } });
const recorded = new Map();
const { default: worker } = await import(pathToFileURL(inRoot("dist", "worker.js")).href);
const env = {
  ...platform.env,
  ...localSecrets(),
  APP_ENV: "local",
  APP_ORIGIN: origin,
  MAIL_PROVIDER: "capture",
  DB: { withSession: () => ({ prepare: (sql) => statement(sql, []), batch: recordedBatch }) },
  SESSIONS: { ...platform.env.SESSIONS, get: recordedValue },
  RL_SESSION: { limit: async () => ({ success: true }) },
  RL_ADDRESS: { limit: async () => ({ success: true }) },
};
const answerBareList = () => request(bareList, "/admin/tickets", "");
const rows = [await measure("a bare list of Remix, 25 rows", answerBareList)];
for (const [page, path] of PAGES) {
  recorded.clear();
  rows.push(await measure(page, () => request(worker, path, path.startsWith("/admin") ? cookie : "")));
}
// The worker has put its own console in place.
process.stdout.write(`${JSON.stringify(rows)}\n`);
await platform.dispose();
process.exit(0);

/** Returns milliseconds of processor time per request, and how many bare lists that is: the median round each. */
async function measure(page, answer) {
  const html = await answer();
  await repeat(answer, WARM_UP);
  await repeat(answerBareList, WARM_UP);
  const figures = [];
  const multiples = [];
  for (let round = 0; round < rounds; round += 1) {
    const milliseconds = await repeat(answer, REQUESTS);
    figures.push(milliseconds);
    multiples.push(milliseconds / (await repeat(answerBareList, REQUESTS)));
  }
  return {
    page,
    "cpu ms": Number(median(figures).toFixed(2)),
    "of a bare list": Number(median(multiples).toFixed(2)),
    "html bytes": html.length,
  };
}

/** Does something so many times, one after the other. Returns milliseconds of processor time for each. */
async function repeat(work, times) {
  const before = process.cpuUsage();
  for (let count = 0; count < times; count += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function median(numbers) {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];
}

async function request(target, path, cookies) {
  const headers = { Cookie: cookies, "CF-Connecting-IP": "192.0.2.1" };
  const waiting = [];
  const execution = { waitUntil: (work) => waiting.push(work), passThroughOnException: () => {} };
  const response = await target.fetch(new Request(new URL(path, origin), { headers }), env, execution);
  const text = await response.text();
  await Promise.allSettled(waiting);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return text;
}

/** Returns a statement of the recorded database. The worker runs all statements in batches, with or without company. */
function statement(sql, values) {
  return { sql, values, bind: (...given) => statement(sql, given) };
}

/** Asks the database once for each sequence of statements. Values do not count: they contain the time. */
async function recordedBatch(statements) {
  const key = statements.map(({ sql }) => sql).join(";");
  const native = () => statements.map(({ sql, values }) => platform.env.DB.prepare(sql).bind(...values));
  if (!recorded.has(key)) recorded.set(key, await platform.env.DB.batch(native()));
  return recorded.get(key);
}

async function recordedValue(name, options) {
  const key = `kv ${name}`;
  if (!recorded.has(key)) recorded.set(key, await platform.env.SESSIONS.get(name, options));
  return recorded.get(key);
}
