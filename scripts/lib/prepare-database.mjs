/* Run by `prepare.mjs` while no server runs: brings the local database up to date and, when it is empty, fills it. */

import { addDemoFiles, seedDemoWorld } from "./demo-world/seed.mjs";
import { localSecrets } from "./local-secrets.mjs";
import { DEFAULT_PORT, localVariables } from "./local-server.mjs";
import { migrateLocalDatabase, openLocalDatabase, stateDir } from "./local-state.mjs";
import { openLocalStores } from "./local-stores.mjs";
import { newSetupCode, setupAddress } from "./setup-code.mjs";

const seed = process.env.SEED || "demo";
try {
  if (!["demo", "none"].includes(seed)) throw new Error(`SEED=${seed} is unknown. Use demo or none.`);
  await checkVariables();
  await migrateLocalDatabase();
  const database = await openLocalDatabase();
  const isEmpty = database.prepare("select 1 from users limit 1").get() === undefined;
  if (isEmpty && seed === "demo") {
    seedDemoWorld(database, localSecrets());
    const stores = await openLocalStores(stateDir);
    await addDemoFiles(database, stores.files);
    await stores.close();
  }
  const setup = await newSetupCode(Date.now());
  if (database.prepare(setup.sql).get()) {
    console.log(`Setup code for /setup: ${setup.code}`);
    const { APP_ORIGIN } = localVariables(process.env.PORT || DEFAULT_PORT);
    console.log(`Set up the first administrator here, once: ${setupAddress(APP_ORIGIN, setup.code)}`);
  }
  database.close();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Throws when a variable is not as the worker needs it: that would answer 503 to everything. */
async function checkVariables() {
  const { readConfig } = await import("~/platform/env.server");
  const result = readConfig({ ...localVariables(process.env.PORT || DEFAULT_PORT), ...localSecrets() });
  if (!result.ok) throw new Error(`A variable is not as it must be.\n${result.problems.join("\n")}`);
}
