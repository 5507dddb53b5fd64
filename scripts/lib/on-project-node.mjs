import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { exitOf, stopWithParent } from "./child-process.mjs";
import { installDependencies } from "./install-dependencies.mjs";
import { withLock } from "./locks.mjs";
import { scriptFlags, startScript } from "./toolchain.mjs";

/**
 * Installs the packages when necessary and makes sure that the rest of a command runs on the Node that came with them,
 * able to use SQLite and to import the application's TypeScript. Returns in that process only; the one that had the
 * wrong Node waits and passes the exit code on. Returns the function that ends the command: it takes the exit code and
 * stops whatever the command has started. `install: false` is for what runs inside a package's own command.
 */
export async function onProjectNode(scriptUrl, { install = true, env = {} } = {}) {
  const shutDown = stopWithParent();
  if (scriptFlags.every((flag) => process.execArgv.includes(flag))) return shutDown;
  try {
    if (install) await withLock(installDependencies);
    const child = await startScript(fileURLToPath(scriptUrl), process.argv.slice(2), { env });
    process.exit(await exitOf(child));
  } catch (error) {
    console.error(error.message);
    await shutDown(1);
  }
}

/**
 * Runs a command on the project's Node, and says in a sentence what went wrong, behind `failure`. `flags` are those of
 * `parseArgs`. The work gets their values, the other arguments, and the function that ends the command.
 */
export async function runCommand(scriptUrl, { failure = "", ...flags }, work) {
  const shutDown = await onProjectNode(scriptUrl);
  try {
    const { values, positionals } = parseArgs(flags);
    await work(values, positionals, shutDown);
    await shutDown(0);
  } catch (error) {
    console.error(`${failure}${error.message}`);
    await shutDown(1);
  }
}
