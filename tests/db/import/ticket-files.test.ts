import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { imports } from "~/db/schema/imports";
import { organizations } from "~/db/schema/organizations";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { workOn } from "~/features/import/work.server";
import { organizationTexts } from "~/features/organizations/model";
import { listZip, NEW_ZIP, zipWriter } from "~/platform/zip.server";
import { derive } from "../../support/context";
import { allTables, dryRun, importOf, movedTo, outcomesOf, uploaded } from "../../support/imports";
import { ticketWorld } from "../../support/tickets";

let ctx: Awaited<ReturnType<typeof ticketWorld>>["base"];
let here: string;
let files = 0;

beforeEach(async () => {
  const world = await ticketWorld();
  ctx = world.base;
  files += 1;
  here = `Larkspur files ${files}`;
  await ctx.db
    .update(organizations)
    .set(organizationTexts({ name: here, description: "" }))
    .where(eq(organizations.id, world.here.id));
});

const old = (number: number) => `F${files}-${number}`;

function zip(entries: Record<string, string | Uint8Array>): Buffer {
  const writer = zipWriter(NEW_ZIP, Date.parse("2026-01-01T00:00:00Z"));
  for (const [name, content] of Object.entries(entries)) writer.append(name, Buffer.from(content));
  writer.close();
  const all = writer.takeContent();
  writer.end(writer.takeDirectory());
  return Buffer.concat([...all, ...writer.takeContent()]);
}

const line = (number: number, more: object) =>
  `${JSON.stringify({ old_number: old(number), subject: "Scanner", organization: here, requester_email: "lea@scan.example", opened: "2025-01-02T10:00:00Z", ...more })}\n`;

const attached = () =>
  ctx.db.all<{ name: string; oldNumber: string; message: string | null; key: string }>(sql`
    SELECT a.name, t.old_number AS oldNumber, m.message, a.r2_key AS key FROM attachments a
    JOIN support_tickets t ON t.id = a.subject_id LEFT JOIN ticket_messages m ON m.id = a.message_id
    WHERE t.old_number LIKE ${`F${files}-%`} ORDER BY t.old_number, a.name`);

const names = async () => (await attached()).map(({ name, oldNumber, message }) => [oldNumber, name, message]);

test("files come with their messages, a second run adds only new ones, and the undo leaves none, in tables and store", async () => {
  while ((await measureTickets(ctx)).more);
  const before = await allTables(ctx);
  const client = { side: "client", at: "2025-01-02T11:00:00Z" };
  const log = { ...client, text: "See the log", files: [{ path: "a/2-log.txt", name: "log.txt" }] };
  const first = line(1, { files: ["a/1-scan.pdf"], messages: [log] });
  const content = { "data/tickets.ndjson": first, "a/1-scan.pdf": "%PDF-1.7 x", "a/2-log.txt": "one\ntwo" };
  const run = await dryRun(ctx, { kind: "tickets", content: zip(content) });
  expect(await outcomesOf(ctx, run.id)).toEqual([[1, "add", ""]]);
  expect(await allTables(ctx)).toEqual(before);
  const done = await movedTo(ctx, run.id, "running");
  expect([done.state, done.added, done.archive_key, done.file_key]).toEqual(["done", 1, "", ""]);
  expect(await names()).toEqual([
    [old(1), "1-scan.pdf", null],
    [old(1), "log.txt", "See the log"],
  ]);
  const [, stored] = await attached();
  expect(await new Response(await ctx.files.get(stored?.key ?? "")).text()).toBe("one\ntwo");

  const again = { ...client, at: "2025-01-03T11:00:00Z", text: "And again", files: ["a/3-again.txt"] };
  const longer = line(1, { files: ["a/1-scan.pdf"], messages: [log, again] });
  const later = await dryRun(ctx, {
    kind: "tickets",
    content: zip({ ...content, "data/tickets.ndjson": longer, "a/3-again.txt": "three" }),
  });
  await movedTo(ctx, later.id, "running");
  expect((await names()).map(([, name]) => name)).toEqual(["1-scan.pdf", "3-again.txt", "log.txt"]);

  const keys = (await attached()).map(({ key }) => key);
  await movedTo(ctx, later.id, "undoing");
  expect((await names()).map(([, name]) => name)).toEqual(["1-scan.pdf", "log.txt"]);
  const undone = await movedTo(ctx, run.id, "undoing");
  expect([undone.state, undone.removed, undone.kept]).toEqual(["undone", 1, 0]);
  await ctx.settle();
  while ((await measureTickets(ctx)).more);
  expect(await allTables(ctx)).toEqual(before);
  expect(await Promise.all(keys.map((key) => ctx.files.get(key)))).toEqual(keys.map(() => null));
});

test("a file that tickets do not take is left out with its reason, and its ticket comes", async () => {
  const broken = zip({
    "data/tickets.ndjson": [
      line(1, { files: ["x/run.exe", "x/none.pdf", "x/empty.txt", "x/large.txt", "x/fine.txt"] }),
      line(2, { files: ["x/no.pdf", "x/broken.txt"] }),
      line(3, { files: Array.from({ length: 103 }, () => "x/fine.txt") }),
    ].join(""),
    "x/run.exe": "MZ",
    "x/empty.txt": "",
    "x/large.txt": "of which the directory says that it is large",
    "x/fine.txt": "fine",
    "x/no.pdf": "no PDF at all",
    "x/broken.txt": "these bytes are flipped",
  });
  const at = broken.indexOf("x/broken.txt");
  broken.writeUInt8(broken.readUInt8(at + 20) ^ 0xff, at + 20);
  broken.writeUInt32LE(10 * 1024 * 1024 + 1, broken.lastIndexOf("x/large.txt") - 46 + 24);
  const run = await dryRun(ctx, { kind: "tickets", content: broken });
  expect(await outcomesOf(ctx, run.id)).toEqual([
    [
      1,
      "noted",
      "“run.exe” is of a kind that tickets do not take. “x/none.pdf” is not in the ZIP. “empty.txt” is empty, or larger than 10 MB. “large.txt” is empty, or larger than 10 MB",
    ],
    [2, "add", ""],
    [3, "noted", "It has more than 100 files: 3 files behind them are left out"],
  ]);
  await movedTo(ctx, run.id, "running");
  expect((await outcomesOf(ctx, run.id))[1]).toEqual([
    2,
    "noted",
    "“broken.txt” is not what its name says, or is broken. “no.pdf” is not what its name says, or is broken",
  ]);
  const found = await names();
  expect(found.filter(([number]) => number !== old(3))).toEqual([[old(1), "fine.txt", null]]);
  expect(found).toHaveLength(101);
});

test("a message that is only a file comes with it, and one with neither text nor file does not", async () => {
  const at = "2025-01-02T11:00:00Z";
  const messages = [
    { text: "", at, files: ["x/photo.txt"] },
    { text: " ", at },
    { at, files: ["x/none.txt"] },
  ];
  const content = zip({ "data/tickets.ndjson": line(1, { messages }), "x/photo.txt": "seen" });
  const first = await dryRun(ctx, { kind: "tickets", content });
  expect((await movedTo(ctx, first.id, "running")).messages).toBe(1);
  expect(await names()).toEqual([[old(1), "photo.txt", ""]]);
  const again = await dryRun(ctx, { kind: "tickets", content });
  expect((await outcomesOf(ctx, again.id)).map(([, outcome]) => outcome)).toEqual(["exists"]);
});

test("a table of another product names files in its ZIP, and without a ZIP they are left out and said so", async () => {
  const table = `Number;Subject;Organization;Files\r\n${old(1)};Scanner;${here};files/7/a.txt|files/7/b, c.txt\r\n`;
  const run = await dryRun(ctx, {
    kind: "tickets",
    content: zip({ "export.csv": table, "files/7/a.txt": "a", "files/7/b, c.txt": "b", "files/7/list.csv": "c" }),
  });
  await movedTo(ctx, run.id, "running");
  expect((await names()).map(([, name]) => name)).toEqual(["a.txt", "b, c.txt"]);
  const alone = await dryRun(ctx, { kind: "tickets", content: table.replace(old(1), old(2)) });
  const [[, , reason] = []] = await outcomesOf(ctx, alone.id);
  expect(reason).toContain("Its files are left out: they come in a ZIP with this file");
});

test("a ZIP that cannot be read is refused before anything is written", async () => {
  const rows = { "data/tickets.ndjson": line(1, {}) };
  const whole = zip(rows);
  const locked = Buffer.from(whole);
  const directory = whole.lastIndexOf("PK\x01\x02", undefined, "latin1");
  locked.writeUInt16LE(0x0809, directory + 8);
  const huge = Buffer.from(whole);
  huge.writeUInt32LE(96 * 1024 * 1024, directory + 24);
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(60) ^ 0x55, 60);
  for (const [content, problem] of [
    [whole.subarray(0, -30), "The ZIP cannot be read"],
    [locked, "The ZIP cannot be read"],
    [flipped, "The ZIP cannot be read"],
    [zip({ "data/people.ndjson": "{}" }), "The ZIP has no rows of this kind"],
    [zip({ "a.csv": "x", "b.csv": "y" }), "The ZIP has no rows of this kind"],
    [huge, "larger than 95 MB"],
  ] as const) {
    const refused = await uploaded(ctx, { kind: "tickets", content });
    expect([refused.state, refused.problem]).toEqual(["failed", expect.stringContaining(problem)]);
  }
});

test("files that are all broken do not take an invocation beyond what the platform allows of requests", async () => {
  const files = Array.from({ length: 60 }, () => "x/no.pdf");
  const lines = Array.from({ length: 6 }, (_, at) => line(at + 1, { files }));
  const content = zip({ "data/tickets.ndjson": lines.join(""), "x/no.pdf": "no PDF at all" });
  const { id } = await dryRun(ctx, { kind: "tickets", content });
  await ctx.db.update(imports).set({ state: "running" }).where(eq(imports.id, id));
  const asked: number[] = [];
  for (let parts = 1; parts > 0; ) {
    let requests = 0;
    const getRange: typeof ctx.files.getRange = async (_, { offset, length }) => {
      requests += 1;
      return new Blob([new Uint8Array(content.subarray(offset, offset + length))]).stream();
    };
    parts = await workOn(derive(ctx, { files: { ...ctx.files, getRange } }), id);
    asked.push(requests);
  }
  expect((await importOf(ctx, id)).state).toBe("done");
  expect(Math.max(...asked)).toBeLessThan(300);
});

test("of a ZIP whose directory is said to be huge no more than its end is read", async () => {
  const end = zip({}).subarray(-22);
  end.writeUInt32LE(90 * 1024 * 1024, 12);
  const lengths: number[] = [];
  const read = async (_offset: number, length: number) => {
    lengths.push(length);
    return end;
  };
  expect(await listZip(read, 94 * 1024 * 1024)).toBeNull();
  expect(lengths).toHaveLength(1);
});

test("two runs at once give a ticket its files once", async () => {
  const content = zip({ "data/tickets.ndjson": line(1, { files: ["a.txt"] }), "a.txt": "a" });
  const { id } = await dryRun(ctx, { kind: "tickets", content });
  await ctx.db.update(imports).set({ state: "running" }).where(eq(imports.id, id));
  await Promise.allSettled([workOn(ctx, id), workOn(ctx, id), workOn(ctx, id)]);
  await movedTo(ctx, id, "running");
  expect((await importOf(ctx, id)).state).toBe("done");
  expect(await names()).toEqual([[old(1), "a.txt", null]]);
});

test("an organization that comes from two products is found by the old id of each", async () => {
  for (const preset of ["generic", "halo"] as const) {
    const content = `Name;Id\r\n${here};${preset}-${files}\r\n`;
    const run = await dryRun(ctx, { kind: "organizations", preset, content }, { fields: ["name", "old_id"] });
    await movedTo(ctx, run.id, "running");
    const people = `Organization;Email;Name\r\n${preset}-${files};${preset}@two.example;Lea\r\n`;
    const known = await dryRun(
      ctx,
      { kind: "people", preset, content: people },
      { fields: ["organization", "email", "name"] },
    );
    expect(await outcomesOf(ctx, known.id)).toEqual([[1, "add", ""]]);
  }
});
