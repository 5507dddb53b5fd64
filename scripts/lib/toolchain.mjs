/*
 * Which programs run the project: the Node that came with the packages, and the packages' own commands. Works on the
 * Node a machine happens to have (20 or newer).
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { capture, start } from "./child-process.mjs";

/** Names the root folder of the checkout. Every command works in it, wherever it was called from. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

export const inRoot = (...parts) => join(root, ...parts);

/**
 * Loads wrangler's own functions. Not by `import`, for which Node goes through its ten megabytes twice more: half a
 * second of each command.
 *
 * @returns {typeof import("wrangler")}
 */
export const loadWrangler = () => createRequire(import.meta.url)("wrangler");

/** Names the oldest Node whose built-in SQLite, type stripping and module hooks the commands can use. */
const OLDEST_NODE = [22, 18];

let chosenNode;

/**
 * Returns the path of a Node that is new enough: the one that came with the packages, else this very process, else none
 * and a clear message. The bundled binary may not run on unusual systems, so it is tried first.
 */
export async function nodeBinary() {
  chosenNode ??= await chooseNode();
  return chosenNode;
}

async function chooseNode() {
  const executable = process.platform === "win32" ? "node.exe" : join("bin", "node");
  const names = [`node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`];
  if (process.platform === "darwin") names.push(`node-bin-darwin-${process.arch}`);
  for (const name of names) {
    for (const path of [inRoot("node_modules", name, executable), inRoot("node_modules", name, "bin", executable)]) {
      if (existsSync(path) && (await capture(path, ["--version"])).code === 0) return path;
    }
  }
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [wantedMajor, wantedMinor] = OLDEST_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return process.execPath;
  throw new Error(
    `The Node that comes with the packages does not run on this machine (${process.platform} ${process.arch}), and ` +
      `the installed one is ${process.version}. Please install Node ${OLDEST_NODE.join(".")} or newer and try again.`,
  );
}

/** Returns the script behind a package's command, for `nodeBinary()`: without a shell, the same on every system. */
export function packageCommand(name, command = name) {
  const folder = inRoot("node_modules", ...name.split("/"));
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}

/** Names the folder in which Node keeps what it has compiled: a start takes a third less. */
export const COMPILED = inRoot("node_modules", ".cache", "node");

/** Returns the environment for our tools: quiet, offline, and with the chosen Node first in PATH. */
async function toolEnvironment(extra = {}) {
  const separator = process.platform === "win32" ? ";" : ":";
  const folder = join(await nodeBinary(), "..");
  return {
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
    PATH: [folder, inRoot("node_modules", ".bin"), process.env.PATH].join(separator),
    // Local state needs no account, no telemetry and no look-up of where this machine is.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
    // Nobody reads the local store of traces, which grows with every request.
    X_LOCAL_OBSERVABILITY: "false",
    // Our commands build before they call wrangler: see scripts/build-for-wrangler.mjs.
    WRENFIELD_IS_BUILT: "1",
    ...extra,
  };
}

/** Runs the command of a package to its end, and shows nothing of it. */
export async function runTool(name, args, { env = {}, command, input } = {}) {
  const options = { cwd: root, input, env: await toolEnvironment(env) };
  return capture(await nodeBinary(), [packageCommand(name, command), ...args], options);
}

/** Starts the command of a package, and shows what it says. `options` are those of `spawn`. */
export async function startTool(name, args, { env, command, ...options } = {}) {
  return startNode([packageCommand(name, command), ...args], { ...options, env });
}

/** Starts a script of ours, which may use SQLite and import the application's TypeScript. */
export const startScript = (path, args = [], options = {}) => startNode([...scriptFlags, path, ...args], options);

async function startNode(args, { env, ...options }) {
  return start(await nodeBinary(), args, { cwd: root, env: await toolEnvironment(env), stdio: "inherit", ...options });
}

/** Lists the flags under which our own scripts may use SQLite and import the application's TypeScript. */
export const scriptFlags = [
  "--no-warnings",
  "--experimental-strip-types",
  `--import=${new URL("application-code.mjs", import.meta.url).href}`,
];
