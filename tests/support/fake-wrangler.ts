import { readFileSync } from "node:fs";
import { bindings } from "./context";

/**
 * Stands for wrangler with a deployed database, which is the one of the tests: runs statements and files of statements
 * and answers as `wrangler d1 execute` does. `calls` holds the arguments of each call.
 */
export function fakeWrangler() {
  const calls: string[][] = [];
  const run = async (args: string[]) => {
    calls.push(args);
    const after = (flag: string) => args[args.indexOf(flag) + 1] ?? "";
    if (args.includes("--file")) {
      const statements = readFileSync(after("--file"), "utf8")
        .split(/;\n/)
        .filter((statement) => statement.trim());
      await bindings.DB.batch(statements.map((statement) => bindings.DB.prepare(statement)));
      return { code: 0, output: "Executed" };
    }
    const { results } = await bindings.DB.prepare(after("--command")).all();
    const warning = "▲ [WARNING] A newer version is available\n\n";
    return { code: 0, output: `${warning}${JSON.stringify([{ results, success: true, meta: {} }], null, 2)}\n` };
  };
  return { run, calls };
}
