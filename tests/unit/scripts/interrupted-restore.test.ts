import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, expect, test } from "vitest";
import { isAlive } from "../../../scripts/lib/child-process.mjs";
import { openLocalDatabase } from "../../../scripts/lib/local-state.mjs";
import { isEmptyFolder, restoreInto } from "../../../scripts/lib/restore-backup.mjs";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";
import { scriptFlags } from "../../../scripts/lib/toolchain.mjs";
import { writeBackup } from "../../../scripts/lib/write-backup.mjs";
import { demoDatabase, migrations } from "../../support/node-database";
import { bucketOfNode } from "../../support/node-stores";
import { testSecrets } from "../../support/test-variables.mjs";

const SEED = 28;
/** The files come first, in so many steps with what goes before and after them; then come the rows. */
const AMONG_FILES = 45;
/** Where it dies, of what, and what it was at. While rows are written, nothing but the process itself can be lost. */
const POINTS = [
  { place: "files", victim: "self", rehearses: true },
  { place: "files", victim: "writer", rehearses: false },
  { place: "rows", victim: "self", rehearses: false },
] as const;

const root = mkdtempSync(path.join(tmpdir(), "wrenfield-interrupted-"));
afterAll(() => rmSync(root, { recursive: true }));
const into = path.join(root, "state");

async function backedUpWorld() {
  const world = demoDatabase();
  const sent = new TextEncoder().encode("what was sent");
  const files = bucketOfNode(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`attachments/${at}`, sent])));
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const folder = path.join(root, "kept");
  await writeBackup({ database: world, files, recipient, keys: testSecrets, to: folder });
  return { folder, identity };
}

/** Of all rows but those that tell when it was restored. */
async function rowsOf(state: string): Promise<string> {
  const database = await openLocalDatabase(state);
  const hash = createHash("sha256");
  const names = database.prepare("SELECT name FROM pragma_table_list WHERE type = 'table' ORDER BY name").all();
  for (const { name } of names) {
    if (/^(d1_|_cf_|sqlite_)/.test(String(name))) continue;
    const rows = database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => JSON.stringify(row));
    hash.update(
      rows
        .filter((row) => !/database_restored|audit\.epoch/.test(row))
        .toSorted()
        .join("\n"),
    );
  }
  database.close();
  return hash.digest("hex");
}

test("a restore or rehearsal that dies at any point leaves no state, and the next one begins anew", async () => {
  const { folder, identity } = await backedUpWorld();
  const asked = { folder, identity, migrations, keys: testSecrets };
  const { rows } = await restoreInto(into, { ...asked, print: () => undefined });
  const restored = await rowsOf(into);
  rmSync(into, { recursive: true });

  const random = seededRandom(SEED);
  const program = path.resolve("tests/support/restore-until.mjs");
  for (const { place, victim, rehearses } of POINTS) {
    const step = place === "files" ? random.between(1, AMONG_FILES) : AMONG_FILES + random.between(1, rows);
    const dying = JSON.stringify({ ...asked, into, keys: rehearses ? null : testSecrets, step, victim, rehearses });
    const { status, stdout } = spawnSync(process.execPath, [...scriptFlags, program, dying], { encoding: "utf8" });
    expect(status).not.toBe(0);
    for (const pid of stdout.split(" ").filter(Boolean)) {
      await expect.poll(() => isAlive(Number(pid)), { timeout: 5_000, message: `${pid} outlives it` }).toBe(false);
    }
    expect(isEmptyFolder(into), `killed ${victim} at step ${step}`).toBe(true);
  }
  await restoreInto(into, { ...asked, print: () => undefined });
  expect(await rowsOf(into)).toBe(restored);
  expect(isEmptyFolder(`${into}.unfinished`)).toBe(true);
});
