/* Run by `prepare.mjs` while no server runs: brings the local database up to date and, when it is empty, fills it. */
import { localSecrets } from "./local-secrets.mjs";
import { DEFAULT_PORT, localVariables } from "./local-server.mjs";
import { hasTable, migrateLocalDatabase, openLocalDatabase } from "./local-state.mjs";
import { seedDemoWorld } from "./seed-demo.mjs";

const seed = process.env.SEED || "demo";
try {
  if (!["demo", "none"].includes(seed)) throw new Error(`SEED=${seed} is unknown. Use demo or none.`);
  await checkVariables();
  await migrateLocalDatabase();
  const database = await openLocalDatabase();
  const isEmpty = database.prepare("select 1 from users limit 1").get() === undefined;
  if (isEmpty && seed === "demo") seedDemoWorld(database, localSecrets());
  if (isEmpty && seed === "none" && hasTable(database, "settings")) await issueSetupCode(database);
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

/**
 * Prints the code with which an empty installation is claimed, so that only this terminal has it. Each start renews it.
 */
async function issueSetupCode(database) {
  const { hashToken, newToken } = await import("~/platform/crypto.server");
  const code = newToken();
  database
    .prepare(
      `insert into settings(key, value_json, updated_at) values ('setup_code_hash', ?1, ?2)
       on conflict(key) do update set value_json = ?1, updated_at = ?2, version = version + 1`,
    )
    .run(JSON.stringify(hashToken(code)), Date.now());
  console.log(`Setup code for /setup: ${code}`);
}
