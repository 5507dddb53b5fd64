import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/settings";
import type { ValidationError } from "~/lib/form";
import * as verifyEmail from "~/routes/_auth.verify-email";
import { openBrowser } from "../support/browser";
import type { TestContext } from "../support/context";
import { linkIn, mailsTo } from "../support/mails";
import { newVisitor, type Visitor } from "../support/visitor";

const OWNERS = "Owner!Horse7battery";
const STRANGERS = "Attacker!Horse7";

let ctx: TestContext;
let owner: Visitor["browser"];
let stranger: Visitor["browser"];
let email: string;
let organization: string;

beforeEach(() => {
  let number: number;
  ({ ctx, browser: owner, number } = newVisitor());
  stranger = openBrowser(ctx);
  email = `owner${number}@larkspur.example`;
  organization = `Larkspur ${number}`;
});
afterEach(() => ctx.db.delete(settings));

const signUp = (browser: Visitor["browser"], full_name: string, password: string) =>
  browser.send(
    { intent: "sign-up", full_name, email, password, confirm_password: password, organization_name: organization },
    "/client/auth?tab=create",
  );

/** Opens the link of the newest mail. */
async function openLink(browser: Visitor["browser"]) {
  const link = linkIn((await mailsTo(ctx, email)).at(-1), "/verify-email");
  expect((await browser.visit(verifyEmail.loader, link)).headers.get("Location")).toBe("/verify-email");
}
const page = async (browser: Visitor["browser"]) =>
  (await (await browser.visit(verifyEmail.loader, "/verify-email")).json()) as {
    isOpen: boolean;
    email: string;
    policy: string;
    values: Record<string, string>;
  };
const confirm = (browser: Visitor["browser"], fields: Record<string, string>) =>
  browser.submit(verifyEmail.action, "/verify-email", "link:verify-email", fields);

test("the browser that signed up finds its name and organization on the page, and only the password is asked for again", async () => {
  await signUp(owner, "Priya Raman", OWNERS);
  await openLink(owner);
  expect(await page(owner)).toMatchObject({
    isOpen: true,
    email,
    values: { full_name: "Priya Raman", organization_name: organization },
  });
});

test("the page of the link promises an organization only as today's policy gives it, not as it was at the sign-up", async () => {
  await signUp(owner, "Priya Raman", OWNERS);
  await openLink(owner);
  expect((await page(owner)).policy).toBe("open");
  const stricter = { key: "signUpPolicy", value_json: JSON.stringify("approval"), updated_at: 0 };
  await ctx.db.insert(settings).values(stricter);
  expect((await page(owner)).policy).toBe("approval");
});

describe("somebody else's sign-up with the owner's address", () => {
  const form = { full_name: "The Owner", organization_name: "", password: OWNERS, confirm_password: OWNERS };

  test("shows the owner nothing that was typed there", async () => {
    await signUp(stranger, "The Stranger", STRANGERS);
    await openLink(owner);
    const shown = await page(owner);
    expect(shown).toMatchObject({ isOpen: true, email, values: {} });
    expect(JSON.stringify(shown)).not.toContain("Stranger");
  });

  test.each([
    false,
    true,
  ])("opens nothing for the stranger once the owner confirms (owner signed up: %s)", async (too) => {
    if (too) await signUp(owner, "The Owner", OWNERS);
    await signUp(stranger, "The Stranger", STRANGERS);
    await openLink(owner);
    const done = await confirm(owner, form);
    expect([done.status, done.headers.get("Location")]).toEqual([303, "/client/auth"]);
    expect((await stranger.password(email, STRANGERS)).status).toBe(400);
    expect(await stranger.whoAmI()).toBeNull();
    await owner.password(email, OWNERS);
    expect(await owner.whoAmI()).toMatchObject({ email, fullName: "The Owner" });
    expect(await ctx.db.$count(organizations, eq(organizations.name, organization))).toBe(0);
  });

  test.each([
    [{ password: "", confirm_password: "" }, "password", "Password must be at least 8 characters long"],
    [{ confirm_password: "Other!Horse7" }, "confirm_password", "Passwords do not match"],
    [{ full_name: " " }, "full_name", "Full name is required"],
  ])("is not opened by %j, and the link stays valid", async (fields, field, sentence) => {
    await signUp(stranger, "The Stranger", STRANGERS);
    await openLink(owner);
    const rejected = await confirm(owner, { ...form, ...fields });
    expect(rejected.status).toBe(400);
    const { errors, values } = (await rejected.json()) as ValidationError;
    expect(errors[field]).toBe(sentence);
    expect(JSON.stringify(values)).not.toContain(OWNERS);
    const [account] = await ctx.db.select().from(users).where(eq(users.email, email));
    expect(account?.status).toBe("unverified");
    expect((await confirm(owner, form)).status).toBe(303);
  });
});

test("no mail tells the owner of their first sign-in in the browser that confirmed, but one tells of it in any other", async () => {
  await signUp(owner, "Priya Raman", OWNERS);
  await openLink(owner);
  await confirm(owner, { full_name: "Priya Raman", organization_name: "", password: OWNERS, confirm_password: OWNERS });
  const mails = (await mailsTo(ctx, email)).length;
  await owner.password(email, OWNERS);
  expect(await owner.whoAmI()).toMatchObject({ email });
  expect(await mailsTo(ctx, email)).toHaveLength(mails);
  await stranger.password(email, OWNERS);
  expect((await mailsTo(ctx, email)).slice(mails).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^New sign-in/),
  ]);
});

test("a password without the link of the mail opens nothing", async () => {
  await signUp(stranger, "The Stranger", STRANGERS);
  const rejected = await confirm(stranger, { full_name: "X", password: OWNERS, confirm_password: OWNERS });
  expect(rejected.status).toBe(400);
  expect(await page(stranger)).toMatchObject({ isOpen: false, email: "", values: {} });
});
