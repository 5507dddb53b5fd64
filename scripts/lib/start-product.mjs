import { start } from "./child-process.mjs";
import { inRoot, nodeBinary, root } from "./toolchain.mjs";

/** Matches variables that a person may have set for their own server; they must not change a measurement. */
const FOREIGN =
  /^(PORT|STATE_DIR|SEED|APP_ORIGIN|OPEN_BROWSER|MAIL_(PROVIDER|API_URL|API_KEY)|TURNSTILE_\w+|LIVE_MAX_SOCKETS)$/;

/** Runs `npm start` with these variables only. Resolves with the process once the product answers. */
export async function startProduct(variables) {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const child = start(await nodeBinary(), [inRoot("scripts", "start.mjs")], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (/^Ready: /m.test(output)) resolve();
    });
    child.once("exit", () => reject(new Error(`The product did not start:\n${output}`)));
  });
  return child;
}
