import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { liveEvents } from "~/db/schema/live";
import { notificationPreferences, notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { days, minutes } from "~/lib/time";
import { keyedHash } from "~/platform/crypto.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { pdf } from "../../support/documents";
import { makeSubmission } from "../../support/factories";
import { storeFile } from "../../support/stored-files";
import { listSubmissions } from "../../support/submission-list";
import { contactRequest, submissionStaff } from "../../support/submissions";
import { collectedMails, notifiedInProduct } from "../../support/ticket-announcements";

// Nobody else hears of submissions, and no mail waits.
beforeEach(async () => {
  for (const table of [userRoles, outbox, contactSubmissions]) await testContext().db.delete(table);
});

/** Moves each test a minute after the one before, so that its own submission is the newest. */
let minute = 0;

function laterContext(): TestContext {
  const ctx = testContext();
  minute += 1;
  ctx.clock.advance(minutes(minute));
  return ctx;
}

const rowsIn = async (ctx: TestContext, table: typeof outbox | typeof liveEvents) =>
  (await ctx.db.select().from(table)).length;

test("a submission is stored with its number, its mails, its audit event and its live event, all at once", async () => {
  const ctx = laterContext();
  const before = { mails: await rowsIn(ctx, outbox), notes: await rowsIn(ctx, liveEvents) };
  await submitContact(ctx, contactRequest());
  const [row] = await listSubmissions(ctx.db);
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
  await Promise.all(Array.from({ length: 10 }, () => submitContact(ctx, contactRequest())));
  const numbers = (await given()).filter((number) => !before.has(number)).sort((a, b) => a - b);
  const [first = 0] = numbers;
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, place) => first + place));
});

test("the same form posted twenty times at once is one submission with one pair of mails", async () => {
  const ctx = testContext();
  const countBefore = (await countSubmissions(ctx.db)).all;
  const twice = contactRequest();
  await Promise.all(Array.from({ length: 20 }, () => submitContact(ctx, twice)));
  expect((await countSubmissions(ctx.db)).all).toBe(countBefore + 1);
  await ctx.settle();
  expect(ctx.sent).toHaveLength(2);
});

test("a file is stored byte for byte, and its row knows its size", async () => {
  const ctx = laterContext();
  const bytes = pdf("a plan of the network");
  const sent = await storeFile(ctx, { name: "plan.pdf", kind: "pdf", bytes });
  await submitContact(ctx, contactRequest({}, { file: sent }));
  const [newest] = await listSubmissions(ctx.db);
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
  await submitContact(ctx, contactRequest({}, { moderationReason: "honeypot" }));
  await ctx.settle();
  expect(await countSubmissions(ctx.db)).toEqual({ ...before, held: before.held + 1 });
  expect(await rowsIn(ctx, outbox)).toBe(mails);
  expect(await rowsIn(ctx, liveEvents)).toBe(notes);
  expect(ctx.notified).toEqual([]);
});

test("a mail provider that rejects everything loses no submission, and the mail leaves later, once", async () => {
  const ctx = testContext();
  ctx.outcomes.push({ kind: "transient", reason: "503" }, { kind: "transient", reason: "503" });
  await submitContact(ctx, contactRequest());
  await ctx.settle();
  expect(ctx.sent).toEqual([]);
  ctx.clock.advance(minutes(20));
  await deliverOutbox(ctx);
  await deliverOutbox(ctx);
  expect(ctx.sent).toHaveLength(2);
});

test("the visitor's network address is stored only as a keyed hash", async () => {
  const ctx = testContext();
  await submitContact(ctx, contactRequest());
  const rows = await ctx.db.select().from(contactSubmissions);
  expect(JSON.stringify(rows)).not.toContain(ctx.request.ip);
  const hash = keyedHash(ctx.config.LOG_HMAC_KEY, "submission-ip", ctx.request.ip);
  expect(new Set(rows.map(({ ip_hash }) => ip_hash))).toEqual(new Set([hash]));
  expect(keyedHash(ctx.config.FORM_KEY_1, "submission-ip", ctx.request.ip), "with another key").not.toBe(hash);
});

const complete = (moderationReason: "content" | null) =>
  contactRequest(
    { email: "priya@announced.example", phone: "(555) 555-0177" },
    {
      file: { name: "plan.pdf", kind: "pdf", key: `att/${crypto.randomUUID()}`, size: 6, sha256: "" },
      estimate: estimate(defaultPriceList, { plan: "core", users: 12, lab: 4, addOns: ["secureStorage"] }),
      moderationReason,
    },
  );

async function mailsOf(ctx: TestContext) {
  await ctx.settle();
  const textTo = (address: string) => ctx.sent.find(({ to }) => to === address)?.text ?? "";
  return { visitor: textTo("priya@announced.example"), staff: textTo("hello@wrenfield.example") };
}

/** Lists the ways in which a submission is made known. */
const WAYS = {
  "a submission that is accepted": (ctx: TestContext) => submitContact(ctx, complete(null)),
  "a held submission that is released": async (ctx: TestContext) => {
    const { release, submissionId } = await held(ctx);
    await release(submissionId);
  },
  "a held submission that is released with others": async (ctx: TestContext) => {
    const { releaseAll, submissionId } = await held(ctx);
    await releaseAll([{ id: submissionId }]);
  },
};

async function held(ctx: TestContext) {
  await submitContact(ctx, complete("content"));
  const [row] = await ctx.db.select().from(contactSubmissions).orderBy(sql`rowid DESC`).limit(1);
  return { submissionId: row?.id ?? "", ...(await submissionStaff(ctx)) };
}

test.each(Object.entries(WAYS))("staff hear all about %s, and the visitor gets it back", async (_, announce) => {
  const ctx = testContext();
  await announce(ctx);
  const { visitor, staff } = await mailsOf(ctx);
  for (const fact of [
    "Phone: (555) 555-0177",
    "File: plan. pdf",
    "Reply by: Thursday, November 19, 9:00 AM CST",
    "Monthly total: $2,096.60",
    "> Eleven laptops.",
  ]) {
    expect(staff).toContain(fact);
  }
  for (const fact of ["by Thursday, November 19, 9:00 AM CST", "Monthly total: $2,096.60", "> Eleven laptops."]) {
    expect(visitor).toContain(fact);
  }
});

test("a visitor whose submission was under review for too long is not promised a time that has passed", async () => {
  const ctx = testContext();
  const { release, submissionId } = await held(ctx);
  ctx.clock.advance(days(3));
  await release(submissionId);
  const mails = await mailsOf(ctx);
  expect(mails.visitor).toContain("we reply within 1 business day.");
  expect(mails.visitor).not.toContain("November 19");
  expect(mails.staff).toContain("Reply by: Thursday, November 19, 9:00 AM CST");
});

describe("notices to staff", () => {
  let ctx: TestContext;
  let owner: Awaited<ReturnType<typeof submissionStaff>>;
  let colleague: typeof owner;

  beforeEach(async () => {
    ctx = testContext();
    await ctx.db.delete(notifications);
    owner = await submissionStaff(ctx);
    colleague = await submissionStaff(ctx, { role: "moderator", fullName: "Jordan Vale" });
  });

  test("a new submission reaches staff as each has chosen; one that is held reaches nobody until it is released", async () => {
    await ctx.db
      .insert(notificationPreferences)
      .values({ user_id: colleague.person.id, event: "new_submission", by_mail: false, in_app: true });
    const input = { email: "priya@told.example", phone: "(555) 555-0199" };
    await submitContact(ctx, contactRequest(input));
    await submitContact(ctx, contactRequest(input, { moderationReason: "content" }));
    expect((await notifiedInProduct(ctx)).map(([who, , label]) => [who, label]).sort()).toEqual(
      [owner, colleague].map(({ person }) => [person.id, "Priya Raman"]).sort(),
    );
    await ctx.settle();
    const staff = [owner.person.email, colleague.person.email];
    const mails = (await collectedMails(ctx)).filter(({ to }) => staff.includes(to));
    expect(mails.map(({ to }) => to)).toEqual([owner.person.email]);
    expect(mails[0]?.text).toContain("> Eleven laptops.");
    expect(mails[0]?.text).toMatch(/Reply by: \w+day, .*\nEmail: priya@told\.example\nPhone: \(555\) 555-0199/);

    const [held] = await ctx.db.select().from(contactSubmissions).where(sql`held_reason IS NOT NULL`);
    await ctx.db.delete(notifications);
    await colleague.releaseAll(held ? [held] : []);
    expect((await notifiedInProduct(ctx)).map(([who, , label]) => [who, label])).toEqual([
      [owner.person.id, "1, released from review"],
    ]);
  });

  test("the owner of a submission hears that a colleague moves it, and not of their own moves", async () => {
    const [one, other] = [await makeSubmission(ctx), await makeSubmission(ctx)];
    await ctx.db.update(contactSubmissions).set({ owner_id: owner.person.id });
    await colleague.setStatus(one.id, "contacted");
    const [mail, ...more] = await collectedMails(ctx);
    expect([mail?.to, more]).toEqual([owner.person.email, []]);
    expect(mail?.text).toContain("Jordan Vale set your submission to Contacted.");
    await owner.setStatus(one.id, "resolved");
    expect(await notifiedInProduct(ctx)).toHaveLength(1);

    await colleague.setStatusOf([{ ...one, version: 3 }, other], "contacted");
    const told = (await notifiedInProduct(ctx)).slice(1);
    expect(told.map(([who, , label]) => [who, label])).toEqual([[owner.person.id, "2 submissions: Contacted"]]);
    expect(await collectedMails(ctx)).toEqual([]);
  });
});
