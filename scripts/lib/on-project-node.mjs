import { fileURLToPath } from "node:url";
import { start, stopWithParent } from "./child-process.mjs";
import { installDependencies } from "./install-dependencies.mjs";
import { withLock } from "./locks.mjs";
import { nodeBinary, root, scriptFlags, toolEnvironment } from "./toolchain.mjs";

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
    const child = start(await nodeBinary(), [...scriptFlags, fileURLToPath(scriptUrl), ...process.argv.slice(2)], {
      cwd: root,
      env: await toolEnvironment(env),
      stdio: "inherit",
    });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    process.exit(code ?? 1);
  } catch (error) {
    console.error(error.message);
    await shutDown(1);
  }
}
