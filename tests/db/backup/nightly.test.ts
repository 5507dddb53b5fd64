import { Decrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, test } from "vitest";
import { BACKUPS_PREFIX, MANIFEST_NAME, type Manifest } from "~/features/backup/model";
import { backUp, sweepBackups } from "~/features/backup/nightly.server";
import { openPage } from "~/features/backup/seal.server";
import { dispatch } from "~/jobs/dispatch.server";
import { days, minutes } from "~/lib/time";
import { bindings, type TestContext, testContext } from "../../support/context";

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);

/** Where Node has no part in it: the platform's own database has limits of its own, and so have its files. */
const siteWithKey = (): TestContext => {
  const ctx = testContext();
  return Object.assign(ctx, { config: { ...ctx.config, BACKUP_PUBLIC_KEY: recipient } });
};

const triggers = async () =>
  (await bindings.DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'backup_*'").all())
    .results.length;

const bytesOf = async (key: string) => new Uint8Array((await (await bindings.FILES.get(key))?.arrayBuffer()) ?? []);

test("the schedule makes a backup in slices, within the limits of the platform, and people may write meanwhile", async () => {
  const ctx = siteWithKey();
  // What stands before and behind folders that are left out is in it.
  for (const key of ["archives/arc_1/whole.zip", "att/one", "backups/old/page", "sent/two"])
    await ctx.files.put(key, new TextEncoder().encode("what was sent"));
  const job = { name: "back-up", group: "upkeep", every: minutes(10), run: backUp } as const;
  const few = { statements: 700, subrequests: 40, time: minutes(1) };
  const seen: number[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    await dispatch(ctx, [job], { limits: few });
    seen.push(await triggers());
    await bindings.DB.prepare("INSERT INTO counters(name, value) VALUES (?, 1)").bind(`test.${minute}`).run();
    ctx.clock.advance(minutes(1));
  }
  const lost = "backups/2026-12-01T07-00-00/users-00001.ndjson.gz.age";
  for (const key of [lost, "backups/2025-11-01T07-00-00/users-00001.ndjson.gz.age"])
    await ctx.files.put(key, new Uint8Array(1));
  const kept = async () => (await ctx.files.listOlderThan("backups/", Number.MAX_SAFE_INTEGER, undefined)).keys;
  const before = await kept();
  ctx.clock.advance(days(60));
  await sweepBackups(ctx);
  expect(await kept()).toEqual(before.filter((key) => key !== lost));
  expect(Math.max(...seen)).toBeGreaterThan(100);
  expect(seen.at(-1)).toBe(0);
  const { results } = await bindings.DB.prepare("SELECT * FROM backups").all<{
    id: string;
    rows: number;
    files: number;
  }>();
  expect(results).toHaveLength(1);
  const [backup] = results;
  const sealed = await bytesOf(`${BACKUPS_PREFIX}${backup?.id}/${MANIFEST_NAME}`);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const manifest = JSON.parse(await decrypter.decrypt(sealed, "text")) as Manifest;
  const lines: Record<string, string[]> = {};
  for (const entry of manifest.pages) {
    const page = await openPage(identity, entry, await bytesOf(`${BACKUPS_PREFIX}${manifest.id}/${entry.name}`));
    lines[entry.table] = [...(lines[entry.table] ?? []), ...page];
  }
  const counters = (lines.counters ?? []).map((line) => JSON.parse(line).name as string);
  expect(new Set(counters.filter((name) => name.startsWith("test."))).size).toBeGreaterThan(0);
  expect(new Set(counters).size).toBe(manifest.counts.counters);
  expect(lines.files?.map((line) => JSON.parse(line))).toMatchObject([{ key: "att/one" }, { key: "sent/two" }]);
});
