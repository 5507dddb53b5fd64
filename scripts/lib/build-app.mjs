import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { pdfFontsModule } from "./build-pdf-fonts.mjs";
import { inRoot, root, runTool } from "./toolchain.mjs";

/** Lists everything the build reads; what it writes (`build`, `public/build`) is left out. */
const SOURCES = [
  "app",
  "public",
  "package-lock.json",
  "remix.config.js",
  "postcss.config.mjs",
  "tsconfig.json",
  "scripts/lib",
];

const stamp = inRoot("build", ".built-from");
const compiled = inRoot("build", "index.js");

/** Names the worker's entry in `wrangler.toml`. The file is missing when there is nothing that may be deployed. */
export const workerEntry = inRoot("build", "worker.js");

const WORKER_ENTRY = `export { default } from "../app/worker";\nexport * from "../app/worker";\n`;

/**
 * Compiles the application unless `build/` was made from these very files for this environment. `appEnv` decides which
 * routes exist: the development pages are not in a production build. The compiler's output appears only on failure; it
 * now and then reports a deadlock of its own while exiting after a good build.
 */
export async function buildApp({ appEnv = "local" } = {}) {
  await writeGeneratedFiles();
  const wanted = fingerprint(appEnv);
  if (existsSync(stamp) && existsSync(compiled) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("Building …");
  rmSync(stamp, { force: true });
  const { code, output } = await runTool("@remix-run/dev", ["build"], {
    command: "remix",
    env: { NODE_ENV: "production", APP_ENV: appEnv },
  });
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
  writeServerBuild(createHash("sha256").update(readFileSync(compiled)).digest("hex").slice(0, 8));
  writeFileSync(stamp, wanted);
}

/** Makes the next `buildApp` start afresh. To be called before another program writes into `build/`. */
export async function forgetBuild() {
  rmSync(stamp, { force: true });
  await writeGeneratedFiles();
  writeServerBuild("development");
}

/**
 * Writes what the worker takes for the compiler's output: the same with a version, by which pages are cached. The
 * compiler's own names the browser's files only, and stays when a policy or a text of the server has changed.
 */
function writeServerBuild(version) {
  writeFileSync(inRoot("build", "server.js"), `export * from "./index.js";\nexport const version = "${version}";\n`);
}

export async function writeGeneratedFiles() {
  await buildStaticScripts();
  writeIfChanged(inRoot("app", "generated", "pdf-fonts.ts"), await pdfFontsModule());
  mkdirSync(inRoot("build"), { recursive: true });
  writeIfChanged(workerEntry, WORKER_ENTRY);
}

/**
 * Hashes names, sizes and times of all source files: that notices what was deleted or checked out with an old date too.
 */
function fingerprint(appEnv) {
  const hash = createHash("sha256").update(appEnv);
  const visit = (path) => {
    const entry = statSync(join(root, path), { throwIfNoEntry: false });
    if (!entry || path === join("public", "build")) return;
    if (!entry.isDirectory()) {
      hash.update(`${path} ${entry.size} ${entry.mtimeMs}\n`);
      return;
    }
    for (const name of readdirSync(join(root, path)).sort()) visit(join(path, name));
  };
  for (const source of SOURCES) visit(source);
  return hash.digest("hex");
}

/**
 * Bundles the built application into `dist/`, exactly as a deployment would, without an account or a network. Returns
 * the bundle's size in bytes, `{raw, gzip}`; source maps do not count.
 */
export async function bundleWorker({ minify = false } = {}) {
  rmSync(inRoot("dist"), { recursive: true, force: true });
  const options = ["deploy", "--dry-run", "--outdir", "dist", ...(minify ? ["--minify"] : [])];
  const { code, output } = await runTool("wrangler", options, { env: { NODE_ENV: "production", CI: "1" } });
  if (code !== 0) throw new Error(`The worker could not be bundled:\n${output}`);
  const files = readdirSync(inRoot("dist")).filter((name) => /\.(js|mjs|wasm|txt|bin)$/.test(name));
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(inRoot("dist"), name))));
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

/** Bundles the worker unless `dist/` was made from the build and the settings that are there. */
export async function bundleWorkerIfChanged() {
  const bundledAt = statSync(inRoot("dist", "worker.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if ([stamp, inRoot("wrangler.toml")].some((source) => statSync(source).mtimeMs > bundledAt)) await bundleWorker();
}

/** Lists the scripts of pages that do not run the framework, by the name under which pages import their address. */
const SCRIPTS = {
  authScript: "app/features/account/auth-script.ts",
  estimatorScript: "app/features/pricing/estimator-script.ts",
  formScript: "app/ui/form-script.ts",
  homeHeaderScript: "app/features/site/home-header-script.ts",
  liveFrameScript: "app/features/workspace/live-frame-script.ts",
};

/**
 * Names the output folder, beside `public/build`, which the compiler empties. Names carry a hash, so browsers may keep
 * the files for ever.
 */
const scriptsFolder = inRoot("public", "scripts");

/** Bundles each script by itself, and writes a module with their addresses. */
async function buildStaticScripts() {
  const { build } = await import("esbuild");
  const built = await build({
    absWorkingDir: inRoot(),
    entryPoints: SCRIPTS,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    tsconfig: "tsconfig.json",
    outdir: scriptsFolder,
    write: false,
  });
  const files = built.outputFiles.map(({ path, contents }) => {
    const name = path.slice(scriptsFolder.length + 1, -".js".length);
    const hash = createHash("sha256").update(contents).digest("hex").slice(0, 10);
    return { name, file: `${kebab(name)}-${hash}.js`, contents };
  });
  mkdirSync(scriptsFolder, { recursive: true });
  for (const stale of readdirSync(scriptsFolder)) {
    if (!files.some(({ file }) => file === stale)) rmSync(join(scriptsFolder, stale));
  }
  for (const { file, contents } of files) writeIfChanged(join(scriptsFolder, file), contents);
  const lines = files.map(({ name, file }) => `export const ${name} = "/scripts/${file}";`).sort();
  writeIfChanged(
    inRoot("app", "generated", "static-scripts.ts"),
    `/* Written by scripts/lib/build-app.mjs. */\n${lines.join("\n")}\n`,
  );
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Writes a generated file unless it is so already: the times of files are part of the build's stamp. */
function writeIfChanged(path, contents) {
  const bytes = Buffer.from(contents);
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
