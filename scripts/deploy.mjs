/*
 * npm run deploy: check, bookmark, migrate, deploy, smoke test. `-- --first` makes and asks for everything that a first
 * deployment needs; `-- --dry-run` says what would be done, builds and bundles, without an account, and prints the
 * size. `--env staging` does all of it for a second site, with stores of its own.
 */
import { buildApp, bundleWorker } from "./lib/build-app.mjs";
import { pause } from "./lib/child-process.mjs";
import { checkDeployment, deploy } from "./lib/deployment.mjs";
import { askAtTerminal } from "./lib/deployment-questions.mjs";
import { describeDeployment, prepareFirstDeployment } from "./lib/first-deployment.mjs";
import { alone, withLock } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { productionProblem } from "./lib/production-settings.mjs";
import { inRoot } from "./lib/toolchain.mjs";
import { chosenEnvironment, runWrangler } from "./lib/wrangler.mjs";

const text = { type: "string" };
const flag = { type: "boolean", default: false };
const options = {
  first: flag,
  "dry-run": flag,
  env: text,
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

await runCommand(import.meta.url, { options }, async (values, _, shutDown) => {
  const flags = { ...values, env: chosenEnvironment(values.env) };
  if (flags["dry-run"]) await dryRun(flags);
  else await alone(() => deployment(flags, shutDown));
});

async function dryRun({ first, env }) {
  describeDeployment({ print: console.log, isFirst: first, env });
  const problem = first ? null : await productionProblem(env);
  if (problem) console.log(problem);
  await build();
}

async function deployment(flags, shutDown) {
  const world = {
    run: runWrangler,
    print: console.log,
    fetch,
    clock: { now: Date.now, wait: pause },
    files: { settings: inRoot("wrangler.toml"), migrations: inRoot("migrations") },
    env: flags.env,
    flags: { ...flags, "mail-api-key": process.env.MAIL_API_KEY },
    ask: process.stdin.isTTY
      ? (question, options) => askAtTerminal(question, options, { onInterrupt: () => shutDown(130) })
      : null,
  };
  const isFirst = flags.first;
  if (isFirst) await prepareFirstDeployment(world);
  const origin = await checkDeployment(world, { isFirst });
  await build();
  await deploy(world, origin, { isFirst });
}

async function build() {
  const size = await withLock(async () => {
    await buildApp({ appEnv: "production" });
    return bundleWorker({ minify: true });
  });
  console.log(`Worker: ${inKilobytes(size.raw)}, ${inKilobytes(size.gzip)} compressed`);
}

function inKilobytes(bytes) {
  return `${(bytes / 1024).toFixed(0)} KiB`;
}
