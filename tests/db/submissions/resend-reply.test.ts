import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { mailAddressHolds, outbox } from "~/db/schema/outbox";
import { submissionReplies } from "~/db/schema/submissions";
import { ADDRESS_HELD, type MailStatus } from "~/features/mail/model";
import { replyToSubmission, resendReply } from "~/features/submissions/record/commands.server";
import { conversationView, readSubmissionEntries } from "~/features/submissions/record/read-record.server";
import type { Ctx } from "~/platform/context.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { mailsTo } from "../../support/mails";

const PRIYA = "priya@again.example";
const nonce = () => crypto.randomUUID();

let base: TestContext;
let ctx: Ctx;
let actor: ReturnType<typeof signedInAs>;
let submissionId: string;
let replyId: string;

/** Returns how many mails to the visitor have left so far. */
const mailsSent = async () => (await mailsTo(base, PRIYA)).length;

/** Gives the mail of the reply a state, as a provider or a worker that stopped would. */
const endMailAs = (status: Exclude<MailStatus, "delayed" | "held">) =>
  base.db
    .update(outbox)
    .set({ status, params_enc: null, lease_until: Number.MAX_SAFE_INTEGER })
    .where(eq(outbox.subject_id, submissionId));

const toldAgain = () =>
  base.db
    .select({ actor: auditEvents.actor_name })
    .from(auditEvents)
    .where(and(eq(auditEvents.action, "submission.reply_resent"), eq(auditEvents.subject_id, submissionId)));

const resend = (changes: Partial<Parameters<typeof resendReply>[1]> = {}) =>
  resendReply(ctx, { submissionId, replyId, nonce: nonce(), ...changes });

beforeEach(async () => {
  base = testContext();
  const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
  ctx = as(base, avery);
  ({ id: submissionId } = await makeSubmission(base, { email: PRIYA }));
  actor = signedInAs(avery, base.now());
  const reply = { submissionId, message: "Monday works.", contacted: false, nonce: nonce() };
  await replyToSubmission(ctx, actor, reply);
  await base.settle();
  const [stored] = await base.db
    .select({ id: submissionReplies.id })
    .from(submissionReplies)
    .where(eq(submissionReplies.submission_id, submissionId));
  replyId = stored?.id ?? "";
  expect(await mailsSent()).toBe(1);
});

for (const status of ["dead", "bounced", "uncertain"] as const) {
  test(`a reply whose mail is ${status} is sent again, and shows the state of the new mail`, async () => {
    await endMailAs(status);
    expect(await resend()).toEqual({ ok: true, value: { isSent: true } });
    await base.settle();
    const mails = await mailsTo(base, PRIYA);
    expect(mails).toHaveLength(2);
    expect(mails.every(({ text }) => text.includes("Monday works."))).toBe(true);
    const shown = await readSubmissionEntries(ctx.db, actor, {
      submissionId,
      ...conversationView(new URLSearchParams()),
    });
    expect(shown.entries).toMatchObject([{ kind: "reply", delivery: { status: "sent" } }]);
    expect(await toldAgain()).toEqual([{ actor: "Avery Quinn" }]);
  });
}

for (const status of ["pending", "sending", "sent", "delivered"] as const) {
  test(`a reply whose mail is ${status} is not sent again`, async () => {
    await endMailAs(status);
    expect(await resend()).toEqual({ ok: true, value: { isSent: false } });
    await base.settle();
    expect(await mailsSent()).toBe(1);
    expect(await toldAgain()).toEqual([]);
  });
}

test("a reply that waits because its address bounces is sent again at once, and once: the address is not held any more", async () => {
  const { db } = base;
  await db
    .update(outbox)
    .set({ status: "pending", last_error: ADDRESS_HELD, next_at: Number.MAX_SAFE_INTEGER })
    .where(eq(outbox.subject_id, submissionId));
  const [waiting] = await db.select().from(outbox).where(eq(outbox.subject_id, submissionId));
  const hold = { to_hash: waiting?.to_hash ?? "", reason: "returned", since: 0, until: Number.MAX_SAFE_INTEGER };
  await db.insert(mailAddressHolds).values(hold);
  expect((await Promise.all([resend(), resend()])).every(({ ok }) => ok)).toBe(true);
  await base.settle();
  expect(await mailsSent()).toBe(2);
  expect(await db.select().from(mailAddressHolds).where(eq(mailAddressHolds.to_hash, hold.to_hash))).toEqual([]);
  const mails = await db.select().from(outbox).where(eq(outbox.subject_id, submissionId));
  expect(mails.map(({ status }) => status)).toEqual(["sent"]);
  expect(await toldAgain()).toHaveLength(1);
});

test("two colleagues who send the same reply again send one mail, and so does a double click", async () => {
  await endMailAs("dead");
  const again = { nonce: nonce() };
  const [first, second, colleague] = [await resend(again), await resend(again), await resend()];
  expect([first, second, colleague].map((result) => result.ok && result.value.isSent)).toEqual([true, true, false]);
  expect(await mailsSent()).toBe(2);
  await endMailAs("dead");
  await Promise.all([resend(), resend()]);
  expect(await mailsSent()).toBe(3);
  expect(await toldAgain()).toHaveLength(2);
});

test("a reply whose second mail does not arrive either is sent again from a page that still has the token", async () => {
  const again = { nonce: nonce() };
  for (const sent of [2, 3]) {
    await endMailAs("bounced");
    for (let click = 0; click < 2; click += 1)
      expect(await resend(again)).toEqual({ ok: true, value: { isSent: true } });
    await base.settle();
    expect(await mailsSent()).toBe(sent);
  }
});

test("a reply of another submission, or none, is not found", async () => {
  await endMailAs("dead");
  const other = await makeSubmission(base, { email: "omar@again.example" });
  const notFound = { ok: false, code: "submission_not_found" };
  expect(await resend({ submissionId: other.id })).toMatchObject(notFound);
  expect(await resend({ replyId: "srp_none" })).toMatchObject(notFound);
  await base.settle();
  expect(await mailsSent()).toBe(1);
  expect(await mailsTo(base, "omar@again.example")).toEqual([]);
});
