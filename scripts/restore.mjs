/*
 * npm run restore -- DIR --identity KEYFILE --into NEW_STATE_DIR [--backup ID] [--keys FILE] [--for-cloudflare NEW_DIR]
 *
 * Makes a new folder of local data from the newest backup in DIR, or from the one that is named. Key, every hash and
 * the version are checked before the first write. `--keys`: the keys of the site that was backed up, as `npm run deploy
 * -- --first --keys FILE` keeps them; without it those of this checkout. `--for-cloudflare`: writes it besides as
 * wrangler takes it, for stores that are new: docs/worst-day.md.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { localSecrets } from "./lib/local-secrets.mjs";
import { migrationFiles } from "./lib/migrations.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { inRoot } from "./lib/toolchain.mjs";

await onProjectNode(import.meta.url);
try {
  const text = { type: "string" };
  const { values, positionals } = parseArgs({
    options: { identity: text, into: text, backup: text, keys: text, "for-cloudflare": text },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (!folder || !values.identity || !values.into) {
    throw new Error("npm run restore -- DIR --identity KEYFILE --into NEW_STATE_DIR");
  }
  const out = values["for-cloudflare"] && resolve(values["for-cloudflare"]);
  const { readIdentity, restoreInto } = await import("./lib/restore-backup.mjs");
  const { rows, manifest, erased, duration } = await restoreInto(resolve(values.into), {
    folder: resolve(folder),
    id: values.backup,
    identity: readIdentity(values.identity),
    keys: values.keys ? JSON.parse(readFileSync(values.keys, "utf8")) : localSecrets(),
    copies: out ? [out] : [],
    migrations: migrationFiles(inRoot("migrations")),
    now: Date.now,
    print: console.log,
  });
  console.log(`Restored ${rows} rows and ${manifest.files.count} files in ${Math.round(duration / 1000)} s.`);
  if (erased > 0) console.log(`${erased} people who were erased after the backup are erased again.`);
  console.log("Everybody is signed out. Invitations have to be sent again, and mails that were waiting are uncertain.");
  if (out) {
    const { writeForCloudflare } = await import("./lib/state-for-cloudflare.mjs");
    await writeForCloudflare(resolve(values.into), out);
    console.log(`${out} holds it for new stores at Cloudflare.`);
  }
  console.log(`To switch over, stop the server and start it so:\nSTATE_DIR=${resolve(values.into)} npm start`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
