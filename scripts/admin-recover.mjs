/*
 * npm run admin:recover -- someone@example.org [--remote [--env staging]]
 *
 * For the last administrator who has lost their second factor: removes it and prints a link, good once for 24 hours,
 * with which they set up a new one at their next sign-in. They still need their password. Works on the local database
 * (the server must be stopped); with --remote on the deployed one, which takes the right to deploy. Both leave an audit
 * event. Two people should agree on it, because the link stands for the second factor.
 */
import { DEFAULT_PORT, localVariables } from "./lib/local-server.mjs";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { lockState, withLock } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { deployedSite } from "./lib/wrangler.mjs";

const flags = { options: { remote: { type: "boolean" }, env: { type: "string" } }, allowPositionals: true };

await runCommand(import.meta.url, flags, async (values, [email]) => {
  if (!email?.includes("@")) throw new Error("Name the account, for example: npm run admin:recover -- you@example.org");
  if (values.env && !values.remote) throw new Error("--env names a deployed environment: add --remote.");
  const { NO_ADMINISTRATOR, recoveryFor, recoverRemotely } = await import("./lib/admin-recovery.mjs");
  const recovery = recoveryFor(email, Date.now());
  let origin = localVariables(process.env.PORT || DEFAULT_PORT).APP_ORIGIN;
  if (values.remote) {
    const site = await deployedSite(values.env);
    await recoverRemotely(site, recovery);
    origin = site.origin;
  } else {
    lockState();
    await withLock(() => recoverLocally(recovery, NO_ADMINISTRATOR));
  }
  console.log(`Set-up link for ${recovery.email}, good once for 24 hours:\n${origin}${recovery.path}`);
});

async function recoverLocally({ find, statements }, refusal) {
  const database = await openLocalDatabase();
  try {
    if (!database.prepare(find).get()) throw new Error(refusal);
    database.exec("begin immediate");
    for (const statement of statements) database.exec(statement);
    database.exec("commit");
  } finally {
    database.close();
  }
}
