import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "./toolchain.mjs";
import { writeIfChanged } from "./write-if-changed.mjs";

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
const folder = inRoot("public", "scripts");

/** Names the generated module with the addresses of the scripts; type checks and tests need it too. */
const addresses = inRoot("app", "generated", "static-scripts.ts");

/** Bundles each script by itself. */
export async function buildStaticScripts() {
  const { build } = await import("esbuild");
  const built = await build({
    absWorkingDir: inRoot(),
    entryPoints: SCRIPTS,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    tsconfig: "tsconfig.json",
    outdir: folder,
    write: false,
  });
  const files = built.outputFiles.map(({ path, contents }) => {
    const name = path.slice(folder.length + 1, -".js".length);
    const hash = createHash("sha256").update(contents).digest("hex").slice(0, 10);
    return { name, file: `${kebab(name)}-${hash}.js`, contents };
  });
  mkdirSync(folder, { recursive: true });
  for (const stale of readdirSync(folder)) {
    if (!files.some(({ file }) => file === stale)) rmSync(join(folder, stale));
  }
  for (const { file, contents } of files) writeIfChanged(join(folder, file), contents);
  const lines = files.map(({ name, file }) => `export const ${name} = "/scripts/${file}";`).sort();
  writeIfChanged(addresses, `/* Written by scripts/lib/build-static-scripts.mjs. */\n${lines.join("\n")}\n`);
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
