/*
 * Called by wrangler before it bundles (`[build]` in wrangler.toml), so that `npx wrangler deploy` works in a fresh
 * clone. Builds the application for production, and denies a real deployment what `npm run deploy` denies it. The
 * project's own commands have built already and say so: then there is nothing to do.
 *
 * It never fails: about a command that fails wrangler prints a hundred lines of its own. Instead the entry that
 * wrangler.toml names is left missing, and wrangler stops with one sentence.
 */
import { rmSync } from "node:fs";

if (process.env.WRENFIELD_IS_BUILT !== "1") {
  const { onProjectNode } = await import("./lib/on-project-node.mjs");
  const shutDown = await onProjectNode(import.meta.url, { install: false, env: { WRENFIELD_IS_BUILT: "0" } });
  const { buildApp, workerEntry } = await import("./lib/build-app.mjs");
  const { commandLinesOfAncestors } = await import("./lib/child-process.mjs");
  const { productionProblem } = await import("./lib/production-settings.mjs");
  const { withLock } = await import("./lib/with-lock.mjs");
  try {
    const isDryRun = commandLinesOfAncestors().some((line) => /wrangler.*\s--dry-?run\b(?!=false)/i.test(line));
    const isDeployment = /^(deploy|versions upload)$/.test(process.env.WRANGLER_COMMAND) && !isDryRun;
    const problem = isDeployment ? await productionProblem() : null;
    if (problem) throw new Error(problem);
    await withLock(() => buildApp({ appEnv: "production" }));
    if (isDeployment) console.log("Migrations are not applied by this command. `npm run deploy` does that too.");
  } catch (error) {
    console.log(error.message);
    rmSync(workerEntry, { force: true });
  }
  await shutDown(0);
}
