import { inRoot } from "./toolchain.mjs";

/** Returns what `wrangler.toml` says about production. */
export async function productionSettings() {
  const { unstable_readConfig } = await import("wrangler");
  return unstable_readConfig({ config: inRoot("wrangler.toml") });
}

/**
 * Tells whether wrangler is about to deploy, from the name of its command and the command lines that led to it.
 * Wrangler does not pass `--dry-run` on, and on Windows nobody can read it: there it is "unknown".
 */
export function deploymentState(command, commandLines) {
  if (!/^(deploy|versions upload)$/.test(command ?? "")) return "no";
  const calls = commandLines.filter((line) => /wrangler.*\s(deploy|versions)\b/i.test(line));
  if (calls.length === 0) return "unknown";
  return calls.some((line) => /\s--dry-?run\b(?!=false)/i.test(line)) ? "no" : "yes";
}

/** Returns one sentence that names everything in `wrangler.toml` that must not be deployed, or null. */
export async function productionProblem() {
  const { vars, d1_databases } = await productionSettings();
  const problems = [];
  if (vars.APP_ENV !== "production") problems.push("APP_ENV must be production");
  if (vars.MAIL_PROVIDER === "capture") problems.push("MAIL_PROVIDER=capture keeps every mail from being sent");
  if (!/^https:\/\//.test(vars.APP_ORIGIN) || /\.example$/.test(vars.APP_ORIGIN)) {
    problems.push("APP_ORIGIN must be the https address of the site");
  }
  if (d1_databases.some(({ database_id }) => /^[0-]*1$/.test(database_id))) {
    problems.push("database_id is a placeholder (create the database with `npx wrangler d1 create wrenfield`)");
  }
  return problems.length > 0 ? `wrangler.toml is not ready for production: ${problems.join("; ")}.` : null;
}
