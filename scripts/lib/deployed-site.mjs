import { productionProblem, productionSettings } from "./production-settings.mjs";
import { runTool } from "./toolchain.mjs";

/**
 * Returns the deployed site that `wrangler.toml` describes, or the named environment of it: its origin, and `run`,
 * which runs wrangler with some arguments. Throws while the file still holds placeholders.
 */
export async function deployedSite(env) {
  const problem = await productionProblem(env);
  if (problem) throw new Error(problem);
  const { vars } = await productionSettings(env);
  const run = (args) => runTool("wrangler", args, { env: { CI: "1" } });
  return { run, env, origin: new URL(vars.APP_ORIGIN).origin };
}

/** Returns the arguments by which wrangler executes something on the deployed database. */
export const onRemoteDatabase = (env) => ["d1", "execute", "DB", "--remote", ...(env ? ["--env", env] : [])];

/** Runs one statement on the deployed database and returns its rows. */
export async function remoteRows({ run, env }, sql) {
  const { code, output } = await run([...onRemoteDatabase(env), "--json", "--command", sql]);
  // Wrangler may say something before and after its answer.
  const answer = code === 0 ? /^\[$[\s\S]*^\]$/m.exec(output.replaceAll("\r", "")) : null;
  if (!answer) throw new Error(`The deployed database does not answer:\n${output.replaceAll(sql, "…")}`);
  return JSON.parse(answer[0])[0].results;
}
