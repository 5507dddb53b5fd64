/*
 * npm run restore -- DIR --identity KEYFILE --into NEW_STATE_DIR [--backup ID] [--keys FILE]
 * npm run restore -- DIR --identity KEYFILE --into-database NAME [--backup ID] [--keys FILE]
 *
 * Makes a new folder of local data from the newest backup in DIR, or from the one that is named; or fills a database at
 * Cloudflare that nobody uses yet, by its name in wrangler.toml, and the bucket beside it. Key, every hash and the
 * version are checked before the first write. `--keys`: the keys of the site that was backed up, as `npm run deploy --
 * --first --keys FILE` keeps them; without it those of this checkout.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { localSecrets } from "./lib/local-secrets.mjs";
import { migrationFiles } from "./lib/local-state.mjs";
import { alone } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { inRoot } from "./lib/toolchain.mjs";
import { runWrangler } from "./lib/wrangler.mjs";

const text = { type: "string" };
const flags = {
  options: { identity: text, into: text, "into-database": text, backup: text, keys: text },
  allowPositionals: true,
};

await runCommand(import.meta.url, flags, async (values, [folder]) => {
  const { identity, into, "into-database": name, backup: id, keys } = values;
  if (!folder || !identity || !into === !name) {
    throw new Error("npm run restore -- DIR --identity KEYFILE --into NEW_STATE_DIR (or --into-database NAME)");
  }
  const { readIdentity, restoreInto } = await import("./lib/restore-backup.mjs");
  const backup = {
    folder: resolve(folder),
    id,
    identity: readIdentity(identity),
    keys: keys ? JSON.parse(readFileSync(keys, "utf8")) : localSecrets(),
    migrations: migrationFiles(),
  };
  if (into) {
    sayWhatWasRestored(await restoreInto(resolve(into), backup));
    console.log(`To switch over, stop the server and start it so:\nSTATE_DIR=${resolve(into)} npm start`);
  } else {
    const { restoreAtCloudflare } = await import("./lib/state-for-cloudflare.mjs");
    const scratch = inRoot(".wrangler", "restore");
    const world = { run: runWrangler, print: console.log, settings: inRoot("wrangler.toml"), scratch };
    const restored = await alone(() => restoreAtCloudflare(name, backup, world));
    sayWhatWasRestored(restored);
    sayHowToSwitch(restored, keys ?? "keys.json");
  }
});

function sayWhatWasRestored({ rows, manifest, erased, duration }) {
  console.log(`Restored ${rows} rows and ${manifest.files.count} files in ${Math.round(duration / 1000)} s.`);
  if (erased > 0) console.log(`${erased} people who were erased after the backup are erased again.`);
  console.log("Everybody is signed out. Invitations have to be sent again, and mails that were waiting are uncertain.");
}

function sayHowToSwitch({ env, origin }, keys) {
  const flag = env ? ` --env ${env}` : "";
  console.log(`To switch over:
- If the worker has not got the keys of the site that was backed up: npx wrangler secret bulk ${keys}${flag}
- Sign in at ${origin}/auth and look at it.
- Set APP_ORIGIN${env ? ` and routes under [env.${env}]` : " and routes"} in wrangler.toml to the address of the site, and then:
  npm run deploy -- ${env ? `--env ${env} ` : ""}--take-over`);
}
