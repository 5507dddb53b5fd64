import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descendants, start, stop } from "./child-process.mjs";
import { productionSettings } from "./production-settings.mjs";
import { inRoot, loadWrangler } from "./toolchain.mjs";

/**
 * Opens database and files of a state folder as the local runtime keeps them; in a new folder it makes them. Only
 * where nothing writes to the folder at the same time.
 *
 * @returns {Promise<{ files: R2Bucket, close: () => Promise<void> }>}
 */
export async function openLocalStores(state) {
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  const { getPlatformProxy } = loadWrangler();
  const { d1_databases, r2_buckets, compatibility_date } = await productionSettings();
  const folder = mkdtempSync(join(tmpdir(), "wrenfield-"));
  const configPath = join(folder, "wrangler.json");
  // Only these two: all of ours would want the worker, and its variables.
  writeFileSync(configPath, JSON.stringify({ name: "stores", compatibility_date, d1_databases, r2_buckets }));
  mkdirSync(state, { recursive: true });
  const before = descendants(process.pid);
  try {
    const { env, dispose } = await getPlatformProxy({
      configPath,
      persist: { path: join(state, "v3") },
      remoteBindings: false,
      envFiles: [],
    });
    await env.DB.prepare("select 1").run();
    const runtime = descendants(process.pid).filter((pid) => !before.includes(pid));
    const guard = start(process.execPath, [inRoot("scripts", "lib", "end-with-parent.mjs"), ...runtime.map(String)], {
      stdio: "ignore",
    });
    guard.unref();
    return {
      files: env.FILES,
      close: async () => {
        await dispose();
        await stop(guard);
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
