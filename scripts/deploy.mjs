/*
 * npm run deploy: check, bookmark, migrate, deploy, smoke test. `-- --first` makes and asks for everything that a first
 * deployment needs; `-- --dry-run` says what would be done, builds and bundles, without an account, and prints the
 * size. `--env staging` does all of it for a second site, with stores of its own.
 */
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { buildApp } from "./lib/build-app.mjs";
import { bundleWorker } from "./lib/bundle-worker.mjs";
import { pause, start } from "./lib/child-process.mjs";
import { checkDeployment, deploy } from "./lib/deployment.mjs";
import { describeFirstDeployment, prepareFirstDeployment } from "./lib/first-deployment.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { productionProblem } from "./lib/production-settings.mjs";
import { inRoot, nodeBinary, packageCommand, root, toolEnvironment } from "./lib/toolchain.mjs";
import { alone, withLock } from "./lib/with-lock.mjs";

const text = { type: "string" };
const flag = { type: "boolean", default: false };
const FLAGS = {
  first: flag,
  "dry-run": flag,
  env: { type: "string", default: process.env.CLOUDFLARE_ENV },
  // Answers of a first deployment, see deployment-questions.mjs.
  origin: text,
  name: text,
  account: text,
  location: text,
  jurisdiction: text,
  "mail-from": text,
  "mail-provider": text,
  "mail-api-url": text,
  /** Names a file that keeps the keys of the worker. */
  keys: text,
  yes: flag,
  "use-existing": flag,
  "take-over": flag,
};

const shutDown = await onProjectNode(import.meta.url);
try {
  const { values: flags } = parseArgs({ options: FLAGS });
  if (flags["dry-run"]) await dryRun(flags);
  else await alone("deploying", () => deployment(flags));
  await shutDown(0);
} catch (error) {
  console.error(error.message);
  await shutDown(1);
}

async function dryRun({ first, env }) {
  const problem = first ? null : await productionProblem(env);
  if (first) describeFirstDeployment({ print: console.log });
  if (problem) console.log(problem);
  await build();
}

async function deployment(flags) {
  const world = {
    run,
    print: console.log,
    fetch,
    clock: { now: Date.now, wait: pause },
    files: { settings: inRoot("wrangler.toml"), migrations: inRoot("migrations") },
    env: flags.env,
  };
  if (flags.first) {
    const answers = { ...flags, "mail-api-key": process.env.MAIL_API_KEY };
    await prepareFirstDeployment({ ...world, ask: process.stdin.isTTY ? ask : null, flags: answers });
  }
  const origin = await checkDeployment(world);
  await build();
  // It reads the application, which an installation without packages does not have yet.
  const { setupCodeIfNoAdministrator } = await import("./lib/setup-code.mjs");
  await deploy(world, origin, { setupCode: setupCodeIfNoAdministrator, isFirst: flags.first });
}

async function build() {
  const size = await withLock(async () => {
    await buildApp({ appEnv: "production" });
    return bundleWorker({ minify: true });
  });
  console.log(`Worker: ${inKilobytes(size.raw)}, ${inKilobytes(size.gzip)} compressed`);
}

/** Runs wrangler to its end. `input` is what it reads, so that a secret is in no file and no list of processes. */
async function run(args, { input } = {}) {
  const env = await toolEnvironment({ CI: "1", NODE_ENV: "production" });
  const child = start(await nodeBinary(), [packageCommand("wrangler"), ...args], { cwd: root, env });
  child.stdin.on("error", () => undefined).end(input ?? "");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code: code ?? 1, output })));
}

async function ask(question, suggestion) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on("SIGINT", () => shutDown(130));
  const hint = suggestion ? ` [${suggestion}]` : "";
  try {
    return (await terminal.question(`${question}${hint}: `)) || suggestion || "";
  } finally {
    terminal.close();
  }
}

function inKilobytes(bytes) {
  return `${(bytes / 1024).toFixed(0)} KiB`;
}
