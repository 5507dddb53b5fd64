/*
 * npm run setup:code -- [--remote [--env staging]]
 *
 * Makes a new code for /setup, where the first administrator of an installation is made, and prints it with the
 * address. A code from before is worth nothing any more. Works on the local database (the server must be stopped); with
 * --remote on the deployed one, which takes the right to deploy.
 */
import { DEFAULT_PORT, localVariables } from "./lib/local-server.mjs";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { lockState, withLock } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { newSetupCode, setupAddress, setupCodeIfNoAdministrator } from "./lib/setup-code.mjs";
import { deployedSite } from "./lib/wrangler.mjs";

const flags = { options: { remote: { type: "boolean" }, env: { type: "string" } } };

await runCommand(import.meta.url, flags, async (values) => {
  if (values.env && !values.remote) throw new Error("--env names a deployed environment: add --remote.");
  const issued = values.remote ? await setupCodeIfNoAdministrator(await deployedSite(values.env)) : await localCode();
  if (!issued) throw new Error("There is an administrator already: they sign in at /auth and add everybody else.");
  console.log(`Set up the first administrator here, once: ${issued.address}`);
});

async function localCode() {
  lockState();
  const { code, sql } = await newSetupCode(Date.now());
  const isStored = await withLock(async () => {
    const database = await openLocalDatabase();
    try {
      return database.prepare(sql).get() !== undefined;
    } finally {
      database.close();
    }
  });
  const { APP_ORIGIN } = localVariables(process.env.PORT || DEFAULT_PORT);
  return isStored ? { address: setupAddress(APP_ORIGIN, code) } : null;
}
