import { writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { stop } from "../child-process.mjs";
import { answersOn, freePort, serverEnvironment } from "../local-server.mjs";
import { startTool } from "../toolchain.mjs";

const CONNECTIONS = 8;

/**
 * Measures requests per second of some pages and of a bare worker, in alternating rounds, so that a busy moment of the
 * machine hits all of them alike. The load runs on the same cores as the server: only the ratios mean something.
 * `pages`: `{name, url, headers}`, headers made anew for each request. Takes the median round. `folder` is outside the
 * project, whose settings the bare worker would pick up.
 */
export async function throughput(pages, { folder, rounds, milliseconds }) {
  const port = await freePort();
  const hello = await startHello(folder, port);
  const targets = [{ name: "hello", url: `http://127.0.0.1:${port}/healthz` }, ...pages];
  const results = Object.fromEntries(targets.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const target of targets) {
        const rate = await measure(target, milliseconds);
        // The first round warms up.
        if (round > 0) results[target.name].push(rate);
      }
    }
  } finally {
    await stop(hello);
  }
  return targets.map(({ name }) => ({
    page: name,
    "requests/s": Math.round(median(results[name])),
    "of hello": Number((median(results[name]) / median(results.hello)).toFixed(3)),
  }));
}

const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];

async function startHello(folder, port) {
  const script = join(folder, "hello.js");
  writeFileSync(script, 'export default { fetch: () => new Response("hello") };\n');
  const ports = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", String(await freePort())];
  const quiet = ["--log-level=warn", "--show-interactive-dev-session=false"];
  const args = ["dev", script, ...ports, "--compatibility-date=2026-10-20", ...quiet];
  const child = await startTool("wrangler", args, {
    cwd: folder,
    env: serverEnvironment("production"),
    stdio: "ignore",
  });
  await answersOn(port, child);
  return child;
}

async function measure({ url, headers = () => ({}) }, milliseconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  let answered = 0;
  const client = async () => {
    while (performance.now() - started < milliseconds) {
      await request(url, { agent, headers: headers() });
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  agent.destroy();
  return answered / ((performance.now() - started) / 1000);
}

function request(url, options) {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      response.resume();
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.once("end", resolve);
    }).once("error", reject);
  });
}
