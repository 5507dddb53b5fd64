import { buildApp } from "./build-app.mjs";
import { exitOf } from "./child-process.mjs";
import { installDependencies } from "./install-dependencies.mjs";
import { ensureLocalSecrets } from "./local-secrets.mjs";
import { inRoot, startScript } from "./toolchain.mjs";

/** Does everything between a fresh clone and a server that can start: packages, secrets, build, database. */
export async function prepare({ build = buildApp } = {}) {
  await installDependencies();
  ensureLocalSecrets();
  await Promise.all([build(), prepareDatabase()]);
}

/** Prepares the database on the Node that came with the packages, which need not be the one we run on. */
async function prepareDatabase() {
  const child = await startScript(inRoot("scripts", "lib", "prepare-database.mjs"));
  if ((await exitOf(child)) !== 0) throw new Error("The local database could not be prepared.");
}
