/*
 * npm run deploy: bookmark, migrate, deploy, smoke test. `-- --dry-run` builds and bundles what would be deployed,
 * without an account, and prints its size.
 */
import { parseArgs } from "node:util";
import { buildApp } from "./lib/build-app.mjs";
import { bundleWorker } from "./lib/bundle-worker.mjs";
import { pause } from "./lib/child-process.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { productionProblem, productionSettings } from "./lib/production-settings.mjs";
import { runTool } from "./lib/toolchain.mjs";
import { withLock } from "./lib/with-lock.mjs";

/** Limits the time that a deployment may take to be seen everywhere, in milliseconds. */
const SMOKE_TEST_TIMEOUT = 90_000;

await onProjectNode(import.meta.url);
try {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const settings = values["dry-run"] ? null : await checkedSettings();
  const size = await withLock(async () => {
    await buildApp({ appEnv: "production" });
    return bundleWorker({ minify: true });
  });
  console.log(`Worker: ${inKilobytes(size.raw)}, ${inKilobytes(size.gzip)} compressed`);
  if (settings) await deploy(settings);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** Rejects what must not be deployed before anything is changed. Returns the origin of the site. */
async function checkedSettings() {
  const problem = await productionProblem();
  if (problem) throw new Error(problem);
  const { code } = await runTool("wrangler", ["whoami", "--json"], { env: { CI: "1" } });
  if (code !== 0) throw new Error("Not signed in to Cloudflare: run `npx wrangler login` or set CLOUDFLARE_API_TOKEN.");
  return { origin: new URL((await productionSettings()).vars.APP_ORIGIN).origin };
}

async function deploy({ origin }) {
  const bookmark = await bookmarkOfDatabase();
  console.log(`Bookmark of the database before this deployment: ${bookmark}`);
  await step("Migrating …", ["d1", "migrations", "apply", "DB", "--remote"]);
  await step("Deploying …", ["deploy", "--minify"]);
  console.log("Checking …");
  const trouble = await smokeTest(origin);
  if (trouble) {
    throw new Error(
      `${trouble}\nThe new version is live. Missing secrets are named in the log (\`npx wrangler tail\`). To go back, run both, because\n` +
        "the version before may not work with the migrated database:\n" +
        "  npx wrangler rollback\n" +
        `  npx wrangler d1 time-travel restore DB --bookmark=${bookmark}   (undoes everything written since)`,
    );
  }
  console.log(`Deployed: ${origin}`);
}

async function bookmarkOfDatabase() {
  const { code, output } = await runTool("wrangler", ["d1", "time-travel", "info", "DB", "--json"], {
    env: { CI: "1" },
  });
  const bookmark = /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
  if (code !== 0 || !bookmark) throw new Error(`No bookmark of the database, so nothing was changed:\n${output}`);
  return bookmark;
}

async function step(title, args) {
  console.log(title);
  const { code, output } = await runTool("wrangler", args, { env: { CI: "1", NODE_ENV: "production" } });
  if (code !== 0) throw new Error(output);
}

/** Asks the deployed site how it is and for the sign-in page. Returns what is wrong, or null. */
async function smokeTest(origin) {
  let trouble = "";
  for (const deadline = Date.now() + SMOKE_TEST_TIMEOUT; Date.now() < deadline; await pause(3_000)) {
    trouble = (await troubleAt(`${origin}/healthz`)) ?? (await troubleAt(`${origin}/auth`));
    if (!trouble) return null;
  }
  return trouble;
}

async function troubleAt(url) {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
    return response.status === 200 ? null : `${url} answers ${response.status}.`;
  } catch (error) {
    return `${url} does not answer: ${error.cause?.code ?? error.message}.`;
  }
}

function inKilobytes(bytes) {
  return `${(bytes / 1024).toFixed(0)} KiB`;
}
