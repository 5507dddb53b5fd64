import { expect, test } from "vitest";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { type NewSubmission, submitContact } from "~/features/submissions/intake/submit-contact.server";
import { releaseSubmission, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { days } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, signedInAs } from "../../support/factories";
import { selectSubmissions } from "../../support/submission-list";

const nonce = () => crypto.randomUUID();

const complete = (held: NewSubmission["held"]): NewSubmission => ({
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
  held,
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
