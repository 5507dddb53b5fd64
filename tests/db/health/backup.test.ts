import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { beforeEach, expect, test } from "vitest";
import { readHealthReport } from "~/features/health/system-status.server";
import { days, hours } from "~/lib/time";
import { bindings, testContext, WEDNESDAY } from "../../support/context";

const recipient = await identityToRecipient(await generateX25519Identity());

beforeEach(() => bindings.DB.prepare("DELETE FROM backups").run());

async function linesWith(key: string | undefined) {
  const ctx = testContext();
  ctx.config = { ...ctx.config, BACKUP_PUBLIC_KEY: key };
  const lines = await readHealthReport(ctx);
  return lines
    .filter(({ name }) => name === "Backup" || name === "Restore")
    .map(({ name, state, detail }) => [name, state, detail]);
}

const addBackup = (at: number, proven: [number, number, number] | null) =>
  bindings.DB.prepare(
    `INSERT INTO backups(id, started_at, version, recipient, finished_at, rows, files, bytes, proven_at, proven_rows, proven_ms)
     VALUES (?, ?, 1, 'age1', ?, 52310, 12, 4200000, ?, ?, ?)`,
  )
    .bind(String(at), at, at, ...(proven ?? [null, null, null]))
    .run();

test("without a key there is no backup, and the health page says how to set it up", async () => {
  expect(await linesWith(undefined)).toEqual([["Backup", "off", "No backup is made: BACKUP_PUBLIC_KEY is not set."]]);
  expect(await linesWith("age1notakey")).toEqual([
    ["Backup", "attention", "No backup is made: BACKUP_PUBLIC_KEY is not a public key of age."],
  ]);
  const line = (await readHealthReport(testContext())).find(({ name }) => name === "Backup");
  expect(line?.fix).toMatch(/npm run backup -- --new-key FILE/);
});

test("it tells of the last backup and of the last restore that was proven, also when that backup is gone", async () => {
  expect(await linesWith(recipient)).toEqual([
    ["Backup", "unknown", "None yet: the first one is made within the hour."],
    ["Restore", "unknown", "No restore has been proven yet."],
  ]);
  await addBackup(WEDNESDAY - days(4), [WEDNESDAY - days(3), 52_310, 41_200]);
  await addBackup(WEDNESDAY - hours(8), null);
  await bindings.DB.prepare("UPDATE backups SET removed_at = 1 WHERE id = ?")
    .bind(String(WEDNESDAY - days(4)))
    .run();
  expect(await linesWith(recipient)).toEqual([
    ["Backup", "ok", "Last backup: 8\u00a0h ago, 52,310 rows, 12 files, 4.0 MB of rows"],
    ["Restore", "ok", "Last proven restore: 3 days ago, 52,310 rows, 41 s"],
  ]);
});

test.each([
  ["a backup of three days ago", days(3), null, ["attention", "unknown"]],
  ["a proof of 41 days ago", hours(8), days(41), ["ok", "attention"]],
  ["a proof of 40 days ago", hours(8), days(40), ["ok", "ok"]],
])("%s is judged: %j", async (_, age, proven, states) => {
  await addBackup(WEDNESDAY - age, proven === null ? null : [WEDNESDAY - proven, 10, 1000]);
  expect((await linesWith(recipient)).map(([, state]) => state)).toEqual(states);
});
