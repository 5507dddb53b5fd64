import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { BACKUPS_PREFIX } from "~/features/backup/model";
import { action, loader as list } from "~/routes/backups";
import { loader as object } from "~/routes/backups.$";
import { bindings, type TestContext, testContext } from "../support/context";
import { args } from "../support/requests";

const KEY = "fetch-key-of-the-machine-that-keeps-them";
const WHOLE = "2026-11-18T07-01-00";
const UNDER_WAY = "2026-11-19T07-01-00";
const HASH = "0".repeat(64);
const NAMES = [`${WHOLE}/manifest.json.age`, `${WHOLE}/users-02001.ndjson.gz.age`, `files/abcdefgh/00/${HASH}.age`];

beforeEach(async () => {
  await bindings.DB.prepare("DELETE FROM backups").run();
  await bindings.DB.prepare("DELETE FROM rate_limit_attempts").run();
  const add = bindings.DB.prepare(
    "INSERT INTO backups(id, started_at, version, recipient, progress, finished_at) VALUES (?, 1, 1, 'age1', ?, ?)",
  );
  await bindings.DB.batch([add.bind(WHOLE, null, 2), add.bind(UNDER_WAY, "{}", null)]);
  for (const name of [...NAMES, `${UNDER_WAY}/users-02001.ndjson.gz.age`, "stray"]) {
    await bindings.FILES.put(BACKUPS_PREFIX + name, `sealed ${name}`);
  }
  await bindings.FILES.put("att/secret", "what was sent");
  await bindings.FILES.put("erased/1-usr_1.json", "{}");
});

const site = (url: string, key: string | undefined = KEY, network = "203.0.113.7"): TestContext => {
  const ctx = testContext({ facts: { url: new URL(`http://localhost:8787${url}`), network } });
  return Object.assign(ctx, { config: { ...ctx.config, BACKUP_FETCH_KEY: key } });
};
const asked = (url: string, authorization?: string, body?: string) =>
  new Request(`http://localhost:8787${url}`, {
    headers: authorization ? { Authorization: authorization } : {},
    ...(body !== undefined && { method: "POST", body }),
  });

async function read(url: string, authorization = `Bearer ${KEY}`, ctx = site(url)) {
  const name = new URL(url, "http://localhost").pathname.slice("/backups/".length);
  const request = asked(url, authorization);
  const response = await (name ? object({ ...args(ctx, request), params: { "*": name } }) : list(args(ctx, request)));
  return { status: response.status, text: new TextDecoder().decode(await response.arrayBuffer()) };
}

test("the key lists and reads what is sealed of whole backups, and the notes of erasures, and nothing else", async () => {
  const names: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const { text } = await read(`/backups?after=${encodeURIComponent(after)}`);
    const page = JSON.parse(text) as { objects: { name: string }[]; next: string | null };
    names.push(...page.objects.map(({ name }) => name));
    after = page.next;
  }
  expect(names.toSorted()).toEqual([...NAMES, "erased/1-usr_1.json"].toSorted());
  for (const name of NAMES) expect(await read(`/backups/${name}`)).toEqual({ status: 200, text: `sealed ${name}` });
  for (const name of ["stray", "att/secret", "../att/secret", "..%2Fatt%2Fsecret", "erased/../att/secret", ""].filter(
    Boolean,
  )) {
    expect((await read(`/backups/${name}`)).status, name).toBe(404);
  }
  const ctx = testContext();
  const events = await ctx.db.select().from(auditEvents);
  expect(events.filter(({ action: name }) => name === "security.backups_fetched")).toHaveLength(1);
});

test("without the key nothing is said, in words, and who goes on guessing is stopped, but not the machine", async () => {
  for (const wrong of ["", "Bearer", `Bearer ${KEY}x`, `Basic ${KEY}`, `Bearer ${KEY.slice(1)}`]) {
    const { status, text } = await read("/backups", wrong);
    expect([status, text], wrong).toEqual([401, expect.stringContaining("This key does not open the backups")]);
  }
  // A site that has none, or one that is too short to be one.
  expect((await read("/backups", "Bearer undefined", site("/backups", undefined))).status).toBe(401);
  expect((await read("/backups", "Bearer short", site("/backups", "short"))).status).toBe(401);
  const statuses = new Set<number>();
  for (let guess = 0; guess < 70; guess += 1)
    statuses.add((await read(`/backups/${NAMES[0]}`, `Bearer ${guess}`)).status);
  expect([...statuses]).toEqual([401, 429]);
  expect((await read("/backups")).status).toBe(200);
});

test("a proven restore is taken from who has the key, for a backup that there is", async () => {
  const prove = async (fields: string, authorization = `Bearer ${KEY}`) =>
    (await action(args(site("/backups"), asked("/backups", authorization, fields)))).status;
  const proof = () =>
    bindings.DB.prepare("SELECT proven_rows AS rows, proven_ms AS ms FROM backups WHERE id = ?").bind(WHOLE).first();
  expect(await prove(`backup=${WHOLE}&rows=52310&ms=41200`, "Bearer wrong")).toBe(401);
  expect(await prove(`backup=${WHOLE}&rows=many&ms=1`)).toBe(400);
  expect(await prove(`backup=${UNDER_WAY}&rows=1&ms=1`)).toBe(404);
  expect(await prove("backup=2020-01-01T00-00-00&rows=1&ms=1")).toBe(404);
  expect(await proof()).toEqual({ rows: null, ms: null });
  expect(await prove(`backup=${WHOLE}&rows=52310&ms=41200`)).toBe(204);
  expect(await proof()).toEqual({ rows: 52_310, ms: 41_200 });
});

test("a download that broke goes on where it was, of the same file only; what is no range is all of it", async () => {
  const path = `/backups/${NAMES[1]}`;
  const all = `sealed ${NAMES[1]}`;
  const part = async (headers: Record<string, string>) => {
    const request = new Request(`http://localhost:8787${path}`, {
      headers: { Authorization: `Bearer ${KEY}`, ...headers },
    });
    const response = await object({ ...args(site(path), request), params: { "*": NAMES[1] } });
    const text = new TextDecoder().decode(await response.arrayBuffer());
    return [response.status, response.headers.get("Content-Range"), text];
  };
  const whole = [200, null, all];
  const { httpEtag } = (await bindings.FILES.head(BACKUPS_PREFIX + NAMES[1])) ?? {};
  const rest = [206, `bytes 7-${all.length - 1}/${all.length}`, all.slice(7)];
  expect(await part({ Range: "bytes=7-" })).toEqual(rest);
  expect(await part({ Range: "bytes=7-", "If-Range": String(httpEtag) })).toEqual(rest);
  expect(await part({ Range: "bytes=7-", "If-Range": '"another"' })).toEqual(whole);
  expect(await part({ Range: "bytes=0-3" })).toEqual([206, `bytes 0-3/${all.length}`, "seal"]);
  expect(await part({ Range: "bytes=7-9999" })).toEqual(rest);
  expect(await part({ Range: "bytes=-3" })).toEqual([
    206,
    `bytes ${all.length - 3}-${all.length - 1}/${all.length}`,
    "age",
  ]);
  expect(await part({ Range: "bytes=-9999" })).toEqual([206, `bytes 0-${all.length - 1}/${all.length}`, all]);
  for (const beyond of [`bytes=${all.length}-`, "bytes=-0"])
    expect(await part({ Range: beyond }), beyond).toEqual([
      416,
      `bytes */${all.length}`,
      "The file ends before that.\n",
    ]);
  for (const none of ["bytes=-", "bytes=5-2", "bytes=0-1,3-4", "items=0-1", "bytes=x-"])
    expect(await part({ Range: none }), none).toEqual(whole);
});
