/*
 * Called by wrangler before it bundles (`[build]` in wrangler.toml), so that `npx wrangler deploy` works in a fresh
 * clone. Builds the application for production, and denies a real deployment what `npm run deploy` denies it. The
 * project's own commands have built already and say so: then there is nothing to do. On Windows a dry run looks like a
 * deployment, so there the same sentence only warns: use `npm run deploy`, which always knows.
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
  const { deploymentState, environmentOf, productionProblem } = await import("./lib/production-settings.mjs");
  const { withLock } = await import("./lib/locks.mjs");
  try {
    const calls = commandLinesOfAncestors();
    const deployment = deploymentState(process.env.WRANGLER_COMMAND, calls);
    const problem = deployment === "no" ? null : await productionProblem(environmentOf(calls));
    if (problem && deployment === "yes") throw new Error(problem);
    if (problem) console.log(problem);
    await withLock(() => buildApp({ appEnv: "production" }));
    if (deployment !== "no") console.log("Migrations are not applied by this command. `npm run deploy` does that too.");
  } catch (error) {
    console.log(error.message);
    rmSync(workerEntry, { force: true });
  }
  await shutDown(0);
}
