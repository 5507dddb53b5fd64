import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { notificationPreferences, notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { type NewSubmission, submitContact } from "~/features/submissions/intake/submit-contact.server";
import { bulkChangeStatus, releaseSubmission, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { days, minutes } from "~/lib/time";
import { keyedHash } from "~/platform/crypto.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { pdf } from "../../support/documents";
import { as, makePerson, makeSubmission, type Person, signedInAs } from "../../support/factories";
import { storeFile } from "../../support/stored-files";
import { listSubmissions, selectSubmissions } from "../../support/submission-list";
import { collectedMails, notifiedInProduct } from "../../support/ticket-announcements";

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
    moderationReason: null,
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
  await submitContact(ctx, request({ moderationReason: "honeypot" }));
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

const nonce = () => crypto.randomUUID();

const complete = (moderationReason: NewSubmission["moderationReason"]): NewSubmission => ({
  input: {
    first_name: "Priya",
    last_name: "Raman",
    email: "priya@announced.example",
    phone: "(555) 555-0177",
    company: "Larkspur Row",
    message: "Eleven laptops.",
    agreed_to_terms: "on",
  },
  file: { name: "plan.pdf", kind: "pdf", key: `att/${nonce()}`, size: 6, sha256: "" },
  estimate: estimate(defaultPriceList, { plan: "core", users: 12, lab: 4, addOns: ["secureStorage"] }),
  nonce: nonce(),
  termsVersion: "2026-11-01",
  moderationReason,
});

async function mailsOf(ctx: TestContext) {
  await ctx.settle();
  const textTo = (address: string) => ctx.sent.find(({ to }) => to === address)?.text ?? "";
  return { visitor: textTo("priya@announced.example"), staff: textTo("hello@wrenfield.example") };
}

/** Lists the ways in which a submission is made known. */
const WAYS = {
  "a submission that is accepted": (ctx: TestContext) => submitContact(ctx, complete(null)),
  "a held submission that is released": async (ctx: TestContext) => {
    const { staff, submissionId } = await held(ctx);
    await releaseSubmission(staff.ctx, staff.actor, { submissionId, nonce: nonce() });
  },
  "a held submission that is released with others": async (ctx: TestContext) => {
    const { staff, submissionId } = await held(ctx);
    await releaseSubmissions(staff.ctx, staff.actor, {
      selection: selectSubmissions([{ id: submissionId, version: 1 }]),
      nonce: nonce(),
    });
  },
};

async function held(ctx: TestContext) {
  let submissionId = "";
  const watched = {
    ...ctx,
    newId: (prefix: string) => {
      const id = ctx.newId(prefix);
      if (prefix === "sub") submissionId = id;
      return id;
    },
  };
  await submitContact(watched, complete("content"));
  const avery = await makePerson(ctx, { role: "admin" });
  return { submissionId, staff: { ctx: as(ctx, avery), actor: signedInAs(avery, ctx.now()) } };
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
  const { staff, submissionId } = await held(ctx);
  ctx.clock.advance(days(3));
  await releaseSubmission(staff.ctx, staff.actor, { submissionId, nonce: nonce() });
  const mails = await mailsOf(ctx);
  expect(mails.visitor).toContain("we reply within 1 business day.");
  expect(mails.visitor).not.toContain("November 19");
  expect(mails.staff).toContain("Reply by: Thursday, November 19, 9:00 AM CST");
});

describe("notices to staff", () => {
  let ctx: TestContext;

  let owner: Person;

  let colleague: Person;

  beforeEach(async () => {
    ctx = testContext();
    await ctx.db.delete(notifications);
    await ctx.db.delete(outbox);
    await ctx.db.run(sql`DELETE FROM user_roles`);
    [owner, colleague] = [await makePerson(ctx, { role: "admin" }), await makePerson(ctx, { role: "moderator" })];
  });

  const own = ({ id }: { id: string }) =>
    ctx.db.update(contactSubmissions).set({ owner_id: owner.id }).where(eq(contactSubmissions.id, id));

  const asColleague = () => [as(ctx, colleague), signedInAs(colleague, ctx.now())] as const;

  test("a new submission reaches staff as each has chosen; one that is held reaches nobody until it is released", async () => {
    await ctx.db
      .insert(notificationPreferences)
      .values({ user_id: colleague.id, event: "new_submission", by_mail: false, in_app: true });
    const input = {
      ...{
        first_name: "Priya",
        last_name: "Raman",
        email: "priya@told.example",
        phone: "(555) 555-0199",
        company: null,
      },
      ...{ message: "Eleven laptops.", agreed_to_terms: "on" as const },
    };
    await submitContact(ctx, { input, termsVersion: "2026-11-01", file: null, nonce: nonce(), moderationReason: null });
    await submitContact(ctx, {
      input,
      termsVersion: "2026-11-01",
      file: null,
      nonce: nonce(),
      moderationReason: "content",
    });
    expect((await notifiedInProduct(ctx)).map(([who, , label]) => [who, label]).sort()).toEqual(
      [owner.id, colleague.id].map((id) => [id, "Priya Raman"]).sort(),
    );
    await ctx.settle();
    const mails = (await collectedMails(ctx)).filter(({ to }) => to === owner.email || to === colleague.email);
    expect(mails.map(({ to }) => to)).toEqual([owner.email]);
    expect(mails[0]?.text).toContain("> Eleven laptops.");
    expect(mails[0]?.text).toMatch(/Reply by: \w+day, .*\nEmail: priya@told\.example\nPhone: \(555\) 555-0199/);

    const [held] = await ctx.db.select().from(contactSubmissions).where(sql`held_reason IS NOT NULL`);
    await ctx.db.delete(notifications);
    const selection = selectSubmissions([{ id: held?.id ?? "", version: held?.version ?? 0 }]);
    await releaseSubmissions(...asColleague(), { selection, nonce: nonce() });
    expect((await notifiedInProduct(ctx)).map(([who, , label]) => [who, label])).toEqual([
      [owner.id, "1, released from review"],
    ]);
  });

  test("the owner of a submission hears that a colleague moves it, and not of their own moves", async () => {
    const [one, other] = [await makeSubmission(ctx), await makeSubmission(ctx)];
    for (const each of [one, other]) await own(each);
    await changeSubmissionStatus(...asColleague(), {
      submissionId: one.id,
      status: "contacted",
      nonce: nonce(),
    });
    const [mail, ...more] = await collectedMails(ctx);
    expect([mail?.to, more]).toEqual([owner.email, []]);
    expect(mail?.text).toContain(`${colleague.fullName} set your submission to Contacted.`);
    const mine = [as(ctx, owner), signedInAs(owner, ctx.now())] as const;
    await changeSubmissionStatus(...mine, { submissionId: one.id, status: "resolved", nonce: nonce() });
    expect(await notifiedInProduct(ctx)).toHaveLength(1);

    const selection = selectSubmissions([
      { id: one.id, version: 3 },
      { id: other.id, version: 1 },
    ]);
    await bulkChangeStatus(...asColleague(), { selection, status: "contacted", nonce: nonce() });
    const told = (await notifiedInProduct(ctx)).slice(1);
    expect(told.map(([who, , label]) => [who, label])).toEqual([[owner.id, "2 submissions: Contacted"]]);
    expect(await collectedMails(ctx)).toEqual([]);
  });
});
