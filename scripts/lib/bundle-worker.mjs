import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inRoot, runTool } from "./toolchain.mjs";

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
