import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { type NewSubmission, submitContact } from "~/features/submissions/intake/submit-contact.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { minutes } from "~/lib/time";
import { keyedHash } from "~/platform/crypto.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { pdf } from "../../support/documents";
import { storeFile } from "../../support/stored-files";
import { listSubmissions } from "../../support/submission-list";

/** Moves each test a minute after the one before, so that its own submission is the newest. */
let minute = 0;
function laterContext(): TestContext {
  const ctx = testContext();
  minute += 1;
  ctx.clock.advance(minutes(minute));
  return ctx;
}

function request(overrides: Partial<NewSubmission> = {}): NewSubmission {
  return {
    input: {
      first_name: "Priya",
      last_name: "Raman",
      email: "priya@larkspur.example",
      phone: null,
      company: "Larkspur Row",
      message: "Eleven laptops.",
      agreed_to_terms: "on",
    },
    file: null,
    nonce: crypto.randomUUID(),
    termsVersion: "2026-11-01",
    held: null,
    ...overrides,
  };
}

const stored = (ctx: TestContext) => listSubmissions(ctx.db);
const rowsIn = async (ctx: TestContext, table: typeof outbox | typeof liveEvents | typeof auditEvents) =>
  (await ctx.db.select().from(table)).length;

test("a submission is stored with its number, its mails, its audit event and its live event, all at once", async () => {
  const ctx = laterContext();
  const before = { mails: await rowsIn(ctx, outbox), notes: await rowsIn(ctx, liveEvents) };
  await submitContact(ctx, request());
  const [row] = await stored(ctx);
  expect(row).toMatchObject({ name: "Priya Raman", status: "new", company: "Larkspur Row" });
  expect(row?.number).toMatch(/^L-\d{4,}$/);
  expect(await rowsIn(ctx, outbox)).toBe(before.mails + 2);
  expect(await rowsIn(ctx, liveEvents)).toBe(before.notes + 1);
  await ctx.settle();
  expect(ctx.sent.map((mail) => mail.to).sort()).toEqual(["hello@wrenfield.example", "priya@larkspur.example"]);
  expect(ctx.notified).toEqual(["staff"]);
});

test("numbers follow each other without a gap, however many submissions arrive at once", async () => {
  const ctx = testContext();
  const given = async () => {
    const rows = await ctx.db.select({ number: contactSubmissions.number }).from(contactSubmissions);
    return rows.map((row) => row.number);
  };
  const before = new Set(await given());
  await Promise.all(Array.from({ length: 10 }, () => submitContact(ctx, request())));
  const numbers = (await given()).filter((number) => !before.has(number)).sort((a, b) => a - b);
  const [first = 0] = numbers;
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, place) => first + place));
});

test("the same form posted twenty times at once is one submission with one pair of mails", async () => {
  const ctx = testContext();
  const countBefore = (await countSubmissions(ctx.db)).all;
  const twice = request();
  await Promise.all(Array.from({ length: 20 }, () => submitContact(ctx, twice)));
  expect((await countSubmissions(ctx.db)).all).toBe(countBefore + 1);
  await ctx.settle();
  expect(ctx.sent).toHaveLength(2);
});

test("a file is stored byte for byte, and its row knows its size", async () => {
  const ctx = laterContext();
  const bytes = pdf("a plan of the network");
  await submitContact(ctx, request({ file: await storeFile(ctx, { name: "plan.pdf", kind: "pdf", bytes }) }));
  const [newest] = await stored(ctx);
  const details = await findSubmission(ctx.db, newest?.id ?? "");
  expect(details?.file).toMatchObject({ name: "plan.pdf", bytes: bytes.byteLength });
  const [file] = await ctx.db
    .select()
    .from(attachments)
    .where(eq(attachments.id, details?.file?.id ?? ""));
  const kept = await bindings.FILES.get(file?.r2_key ?? "");
  expect(new Uint8Array((await kept?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytes);
});

test("a held submission is kept but counted, mailed and announced nowhere", async () => {
  const ctx = testContext();
  const before = await countSubmissions(ctx.db);
  const mails = await rowsIn(ctx, outbox);
  const notes = await rowsIn(ctx, liveEvents);
  await submitContact(ctx, request({ held: "honeypot" }));
  await ctx.settle();
  expect(await countSubmissions(ctx.db)).toEqual({ ...before, held: before.held + 1 });
  expect(await rowsIn(ctx, outbox)).toBe(mails);
  expect(await rowsIn(ctx, liveEvents)).toBe(notes);
  expect(ctx.notified).toEqual([]);
});

test("a mail provider that rejects everything loses no submission, and the mail leaves later, once", async () => {
  const ctx = testContext();
  ctx.outcomes.push({ kind: "transient", reason: "503" }, { kind: "transient", reason: "503" });
  await submitContact(ctx, request());
  await ctx.settle();
  expect(ctx.sent).toEqual([]);
  ctx.clock.advance(minutes(20));
  const { deliverOutbox } = await import("~/features/mail/deliver-outbox.server");
  await deliverOutbox(ctx);
  await deliverOutbox(ctx);
  expect(ctx.sent).toHaveLength(2);
});

test("the visitor's network address is stored only as a keyed hash", async () => {
  const ctx = testContext();
  await submitContact(ctx, request());
  const rows = await ctx.db.select().from(contactSubmissions);
  expect(JSON.stringify(rows)).not.toContain(ctx.request.ip);
  const hash = keyedHash(ctx.config.LOG_HMAC_KEY, "submission-ip", ctx.request.ip);
  expect(new Set(rows.map(({ ip_hash }) => ip_hash))).toEqual(new Set([hash]));
  expect(keyedHash(ctx.config.FORM_KEY_1, "submission-ip", ctx.request.ip), "with another key").not.toBe(hash);
});
