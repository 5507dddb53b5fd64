import { desc } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { contactSubmissions } from "~/db/schema/submissions";
import { CONTACT_PURPOSE, type ContactFormError } from "~/features/submissions/intake/actions.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { action, loader } from "~/routes/_site.contact";
import { CONTACT_FIELDS } from "../support/contact-fields";
import { type TestContext, testContext } from "../support/context";
import { agedToken, args, get, postMultipart } from "../support/requests";
import { visitorContext } from "../support/visitor";

let ctx: TestContext;

beforeEach(() => {
  ctx = visitorContext();
});

const chosen = { plan: "core", users: "12", lab: "4", secureStorage: "on" };

async function send(fields: Record<string, string>): Promise<Response> {
  const form_token = agedToken(ctx, CONTACT_PURPOSE);
  return (await action(args(ctx, postMultipart("/contact", { form_token, ...CONTACT_FIELDS, ...fields })))) as Response;
}

async function newest() {
  const [row] = await ctx.db
    .select({ id: contactSubmissions.id })
    .from(contactSubmissions)
    .orderBy(desc(contactSubmissions.number))
    .limit(1);
  return findSubmission(ctx.db, row?.id ?? "");
}

test("the page shows the estimate of its address, priced by us", async () => {
  const response = await loader(args(ctx, get("/contact?plan=core&users=12&lab=4&secureStorage=on&total=1")));
  expect((await response.json()).estimate).toMatchObject({ total: 209_660, rate: 14_900 });
});

test("without an estimate in the address there is none on the page", async () => {
  expect((await (await loader(args(ctx, get("/contact?sent=1")))).json()).estimate).toBeNull();
});

test("the estimate is stored with the submission, with the prices of the day, and staff see it", async () => {
  expect((await send(chosen)).status).toBe(303);
  expect((await newest())?.estimate).toEqual({
    choice: { plan: "core", users: 12, lab: 4, addOns: ["secureStorage"] },
    rate: 14_900,
    labPercent: 35,
    breakdown: { fullUsers: 178_800, labDevices: 20_860, addOns: 10_000 },
    total: 209_660,
  });
});

test("a submission without an estimate has none", async () => {
  await send({});
  expect((await newest())?.estimate).toBeNull();
});

test("nobody can send a price: only the choice is read, and it is brought within the limits", async () => {
  await send({ ...chosen, users: "9999", lab: "-3", plan: "free", total: "1", rate: "0", estimate_json: "{}" });
  const estimate = (await newest())?.estimate;
  expect(estimate?.choice).toEqual({ plan: "core", users: 50, lab: 0, addOns: ["secureStorage"] });
  expect(estimate?.total).toBe(50 * 14_900 + 10_000);
});

test("a rejected form keeps the estimate", async () => {
  const response = await send({ ...chosen, last_name: "" });
  expect(response.status).toBe(400);
  const failed = (await response.json()) as ContactFormError;
  expect(failed.errors).toEqual({ last_name: "Last name is required" });
  expect(failed.estimate?.total).toBe(209_660);
});

test("a note of another format is no estimate, and the submission can still be read", async () => {
  await send(chosen);
  await ctx.db.update(contactSubmissions).set({ estimate_json: '["core",12,4,[]]' });
  expect((await newest())?.estimate).toBeNull();
});

test("what led the visitor here travels with the form and is stored with the submission", async () => {
  const arrived = testContext({ facts: { referrer: "http://localhost:8787/pricing?utm_source=chamber" } });
  const page = await (await loader(args(arrived, get("/contact?utm_campaign=spring")))).json();
  expect(page.attribution).toEqual({ source: "chamber", campaign: "spring" });
  await send({ source: "chamber", campaign: "spring" });
  expect(await newest()).toMatchObject({ source: "chamber", campaign: "spring" });
});
