import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./child-process.mjs";
import { inRoot, runTool } from "./toolchain.mjs";

/**
 * Finds a Chromium for the browser tests, or obtains one: one that is already here is best, a download next, the
 * system's package manager last. Of those that are here the one of the packages comes first: it is everywhere the same,
 * and has no window, whose drawing costs a full browser half a second of processor time for each context of a test.
 * Returns its path and what its environment needs; throws with advice when all fails.
 */
export async function findBrowser() {
  for (const [source, find] of SOURCES) {
    const browser = await find().catch(() => null);
    if (browser && (await runs(browser))) return { source, ...browser };
  }
  throw new Error(
    "No browser was found for the browser tests, and none could be obtained. Install Chromium or Google Chrome, or " +
      "set CHROMIUM_PATH to one. `npm run check` runs everything else.",
  );
}

const SOURCES = [
  ["CHROMIUM_PATH", async () => at(process.env.CHROMIUM_PATH)],
  ["npm", bundled],
  ["Playwright", playwrightsOwn],
  ["the system", async () => at(...SYSTEM_PATHS())],
  ["Playwright's download", download],
  ["apt", fromPackageManager],
];

const at = (...paths) => {
  const executablePath = paths.find((path) => path && existsSync(path));
  return executablePath ? { executablePath, env: {} } : null;
};

function SYSTEM_PATHS() {
  const { platform, env } = process;
  if (platform === "darwin") {
    const apps = ["Google Chrome", "Chromium", "Microsoft Edge"];
    return apps.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (platform === "win32") {
    const folders = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter(Boolean);
    const programs = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
    return folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  }
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"];
  const folders = (env.PATH ?? "").split(":").filter(Boolean);
  return names.flatMap((name) => [...folders, "/usr/bin", "/snap/bin"].map((folder) => join(folder, name)));
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  return at(chromium.executablePath());
}

/**
 * Unpacks Chromium from an npm package, on Linux, also where there are not even the libraries for one. It unpacks those
 * only where it believes to run on Lambda. The folder is ours, since a half unpacked file would stay so.
 */
async function bundled() {
  if (process.platform !== "linux") return null;
  const folder = inRoot("node_modules", ".cache", "browser");
  const browser = await unpack(folder);
  if (await runs(browser)) return browser;
  rmSync(folder, { recursive: true, force: true });
  return unpack(folder);
}

async function unpack(folder) {
  mkdirSync(folder, { recursive: true });
  const script = 'import("@sparticuz/chromium").then(async (m) => console.log(await m.default.executablePath()))';
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
  await capture(process.execPath, ["--no-warnings", "-e", script], { cwd: inRoot(), env });
  return {
    executablePath: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }),
    },
  };
}

async function download() {
  console.log("Downloading a browser …");
  await runTool("@playwright/test", ["install", "chromium"], { command: "playwright" });
  return playwrightsOwn();
}

async function fromPackageManager() {
  if (process.getuid?.() !== 0) return null;
  console.log("Installing Chromium with apt-get …");
  await capture("apt-get", ["update"]);
  await capture("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  return at(...SYSTEM_PATHS());
}

/**
 * Tries whether a browser starts. Windows would open a window when asked for a version, so there the file is enough.
 */
async function runs({ executablePath, env }) {
  if (process.platform === "win32") return true;
  return (await capture(executablePath, ["--version"], { env: { ...process.env, ...env } })).code === 0;
}
