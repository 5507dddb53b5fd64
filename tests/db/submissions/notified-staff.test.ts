import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { notificationPreferences, notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { contactSubmissions } from "~/db/schema/submissions";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { bulkChangeStatus, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSubmission, type Person, signedInAs } from "../../support/factories";
import { selectSubmissions } from "../../support/submission-list";
import { collectedMails, notifiedInProduct } from "../../support/ticket-announcements";

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

const nonce = () => crypto.randomUUID();
const own = ({ id }: { id: string }) =>
  ctx.db.update(contactSubmissions).set({ owner_id: owner.id }).where(eq(contactSubmissions.id, id));
const asColleague = () => [as(ctx, colleague), signedInAs(colleague, ctx.now())] as const;

test("a new submission reaches staff as each has chosen; one that is held reaches nobody until it is released", async () => {
  await ctx.db
    .insert(notificationPreferences)
    .values({ user_id: colleague.id, event: "new_submission", by_mail: false, in_app: true });
  const input = {
    ...{ first_name: "Priya", last_name: "Raman", email: "priya@told.example", phone: "(555) 555-0199", company: null },
    ...{ message: "Eleven laptops.", agreed_to_terms: "on" as const },
  };
  await submitContact(ctx, { input, termsVersion: "2026-11-01", file: null, nonce: nonce(), held: null });
  await submitContact(ctx, { input, termsVersion: "2026-11-01", file: null, nonce: nonce(), held: "content" });
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
