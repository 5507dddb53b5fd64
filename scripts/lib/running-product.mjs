import { start, stop } from "./child-process.mjs";
import { freePort } from "./local-server.mjs";
import { inRoot, nodeBinary, root } from "./toolchain.mjs";

/** Matches the variables that a person has set for a server of their own: another one must not have them. */
const FOREIGN = /^(APP_ORIGIN|OPEN_BROWSER|MAIL_|TURNSTILE_|BACKUP_)/;

/** Returns variables beside which those of a person do not count. */
export const onlyOwn = (variables) => ({
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => FOREIGN.test(name))
      .map((name) => [name, ""]),
  ),
  ...variables,
});

/**
 * Starts the product on a free port, does some work with it, and stops it. `variables` are those of `npm start`. The
 * work gets its address, its process, and a function that returns what it has written so far.
 */
export async function withProduct(variables, work) {
  const server = start(await nodeBinary(), [inRoot("scripts", "start.mjs")], {
    cwd: root,
    env: { ...process.env, ...onlyOwn({ PORT: String(await freePort()), ...variables }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  server.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
    process.stderr.write(text);
  });
  try {
    const origin = await new Promise((resolve, reject) => {
      server.stdout.setEncoding("utf8").on("data", (text) => {
        output += text;
        const [, address] = /^Ready: (\S+)/m.exec(output) ?? [];
        if (address) resolve(address);
      });
      server.once("exit", () => reject(new Error(`The product did not start:\n${output}`)));
    });
    return await work(origin, server.pid, () => output);
  } finally {
    await stop(server);
  }
}
