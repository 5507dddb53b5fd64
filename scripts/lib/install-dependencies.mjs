/* Runs before anything is installed, therefore on any Node from 20 and with nothing but built-in modules. */
import { readFileSync } from "node:fs";
import { capture } from "./child-process.mjs";
import { inRoot, root } from "./toolchain.mjs";

const ATTEMPTS = 3;

/**
 * Installs the locked packages when they are missing or not those of the lock file. Settings of the user that would
 * leave packages out do not apply: the build tools are development packages, Node itself is an optional one.
 */
export async function installDependencies() {
  if (isInstalled()) return;
  console.log("Installing dependencies …");
  const [command, ...before] = npmCommand();
  const args = [...before, "ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  // Networks fail now and then.
  for (let attempt = 1; ; attempt += 1) {
    const { code, output } = await capture(command, args, { cwd: root, env: npmEnvironment() });
    if (code === 0) return;
    if (attempt === ATTEMPTS) throw new Error(`npm ci failed ${ATTEMPTS} times. Its last output:\n${output}`);
    console.log(`npm ci failed, trying again (${attempt} of ${ATTEMPTS - 1}) …`);
  }
}

/** Compares the lock file with the one npm writes into `node_modules` as the last step of an installation. */
function isInstalled() {
  const locked = packagesOf("package-lock.json");
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === "") return true;
    const found = installed[path];
    return found ? found.version === wanted.version : !isNeeded(path, wanted);
  });
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(inRoot(path), "utf8")).packages;
  } catch {
    return {};
  }
}

/**
 * Tells whether a package must be there: optional ones belong to other systems, except for the Node of this one.
 */
function isNeeded(path, { optional, os = process.platform, cpu = process.arch }) {
  if (!optional) return true;
  const isOurs = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
  return isOurs && /^node_modules\/node-/.test(path);
}

/** Returns npm's command as it was called, so that it need not be on PATH and no shell is involved. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script && /\.c?js$/.test(script)) return [process.execPath, script];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

function npmEnvironment() {
  const unwanted = /^(node_env|npm_config_(omit|only|also|production|include|dry_run|global))$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
}
