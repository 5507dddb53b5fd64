import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import type { ValidationError } from "~/lib/form";
import * as verifyEmail from "~/routes/_auth.verify-email";
import { openBrowser } from "../support/browser";
import type { TestContext } from "../support/context";
import { makePerson, PASSWORD } from "../support/factories";
import { mailsTo } from "../support/mails";
import { liveSessionsOf } from "../support/sign-in-steps";
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
  const moved = await browser.openMail(verifyEmail.loader, email, "/verify-email");
  expect(moved.headers.get("Location")).toBe("/verify-email");
}
type Page = {
  isOpen: boolean;
  email: string;
  policy: string;
  typed: Record<string, string> | null;
  needsPassword: boolean;
  reader: string | null;
};
const page = (browser: Visitor["browser"], query = "") =>
  browser.read<Page>(verifyEmail.loader, `/verify-email${query}`);
const post = (browser: Visitor["browser"], fields: Record<string, string>) =>
  browser.submit(verifyEmail.action, "/verify-email", "link:verify-email", fields);
/** Presses the only button of the page, in the browser that signed up. */
const press = (browser: Visitor["browser"]) => post(browser, { intent: "confirm" });
const confirm = (browser: Visitor["browser"], fields: Record<string, string>) =>
  post(browser, { intent: "confirm_typed", ...fields });
const stored = async () => (await ctx.db.select().from(users).where(eq(users.email, email)))[0];
const destination = ({ status, headers }: Response) => [status, headers.get("Location")];

describe("the browser that signed up", () => {
  beforeEach(() => signUp(owner, "Priya Raman", OWNERS));

  test("needs one press and lands signed in, in its organization, with the password that was typed there once", async () => {
    await openLink(owner);
    expect(await page(owner)).toMatchObject({
      isOpen: true,
      email,
      typed: { fullName: "Priya Raman", organizationName: organization },
      needsPassword: false,
    });
    expect(await stored()).toMatchObject({ status: "unverified", auth_epoch: 0 });
    expect(destination(await press(owner))).toEqual([303, "/client"]);
    expect(await stored()).toMatchObject({ status: "active", auth_epoch: 1 });
    expect(await owner.whoAmI()).toMatchObject({ email, fullName: "Priya Raman", aal: 1 });
    expect((await owner.whoAmI())?.membership).toMatchObject({ organizationName: organization, role: "owner" });
    await stranger.password(email, OWNERS);
    expect(await stranger.whoAmI()).toMatchObject({ email });
  });

  test("never gets the password back, nor its hash", async () => {
    await openLink(owner);
    const { password_hash: hash } = (await stored()) ?? {};
    const shown = JSON.stringify([await page(owner), [...owner.cookies]]);
    const kept = await Promise.all(
      (await ctx.kv.list({ prefix: "sign-up:" })).keys.map(({ name }) => ctx.kv.get(name)),
    );
    for (const secret of [OWNERS, hash ?? ""]) expect(shown + JSON.stringify(kept)).not.toContain(secret);
  });

  test("may choose another password first, and then only that one counts", async () => {
    await openLink(owner);
    expect(await page(owner, "?password=new")).toMatchObject({
      needsPassword: true,
      typed: { fullName: "Priya Raman" },
    });
    const chosen = { full_name: "Priya R.", organization_name: "", password: "Another!Horse8" };
    expect(destination(await confirm(owner, chosen))).toEqual([303, "/client"]);
    expect(await owner.whoAmI()).toMatchObject({ fullName: "Priya R." });
    expect((await stranger.password(email, OWNERS)).status).toBe(400);
    expect((await stranger.password(email, "Another!Horse8")).status).toBe(303);
  });

  test("uses what it typed last for the address, of two sign-ups", async () => {
    await signUp(owner, "Priya R. Raman", "Another!Horse8");
    await openLink(owner);
    await press(owner);
    expect(await owner.whoAmI()).toMatchObject({ fullName: "Priya R. Raman" });
    expect((await stranger.password(email, OWNERS)).status).toBe(400);
  });

  test("opens nothing without the link, nor with the link of another address", async () => {
    expect((await press(owner)).status).toBe(400);
    const own = email;
    email = `another-${own}`;
    await signUp(stranger, "Another", STRANGERS);
    await openLink(owner);
    expect(await page(owner)).toMatchObject({ email, typed: null, needsPassword: true });
    expect((await press(owner)).status).toBe(400);
    expect(await stored()).toMatchObject({ status: "unverified" });
    email = own;
    expect(await stored()).toMatchObject({ status: "unverified" });
    expect(await owner.whoAmI()).toBeNull();
  });

  test("presses the button of a page that is over once: the second press, in another tab, changes nothing", async () => {
    await openLink(owner);
    const answers = await Promise.all([press(owner), press(owner)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(await ctx.db.$count(organizations, eq(organizations.name, organization))).toBe(1);
    expect(await page(owner)).toMatchObject({ isOpen: false, reader: email });
  });

  test("types name and password again when what it typed could not be kept", async () => {
    await openLink(owner);
    for (const { name } of (await ctx.kv.list({ prefix: "sign-up:" })).keys) await ctx.kv.delete(name);
    expect(await page(owner)).toMatchObject({ isOpen: true, typed: null, needsPassword: true });
    expect((await press(owner)).status).toBe(400);
    const typed = { full_name: "Priya Raman", organization_name: organization, password: OWNERS };
    expect(destination(await confirm(owner, typed))).toEqual([303, "/client"]);
  });

  test("confirms nothing by opening the link, as scanners do", async () => {
    for (let scan = 0; scan < 3; scan += 1) {
      await openLink(stranger);
      await page(stranger);
    }
    expect(await stored()).toMatchObject({ status: "unverified", auth_epoch: 0 });
    expect(await stranger.whoAmI()).toBeNull();
  });

  test("is told whose session ends when somebody else is signed in with it", async () => {
    const other = await makePerson(ctx, { withPassword: true });
    await owner.password(other.email, PASSWORD);
    await openLink(owner);
    expect(await page(owner)).toMatchObject({ reader: other.email });
    await press(owner);
    expect(await owner.whoAmI()).toMatchObject({ email });
    expect(await liveSessionsOf(ctx, other)).toEqual([]);
  });

  test("gets no session where the account has become one of staff meanwhile: the second factor comes first", async () => {
    const { id = "" } = (await stored()) ?? {};
    await ctx.db.insert(userRoles).values({ user_id: id, role: "moderator" });
    await openLink(owner);
    expect(destination(await press(owner))).toEqual([303, "/client/auth"]);
    expect(await owner.whoAmI()).toBeNull();
    expect((await owner.page("/client/auth")).state).toMatchObject({ at: "setup_required", email });
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
  const form = { full_name: "The Owner", organization_name: "", password: OWNERS };

  test("shows the owner nothing that was typed there", async () => {
    await signUp(stranger, "The Stranger", STRANGERS);
    await openLink(owner);
    const shown = await page(owner);
    expect(shown).toMatchObject({ isOpen: true, email, typed: null, needsPassword: true });
    expect(JSON.stringify(shown)).not.toContain("Stranger");
  });

  test.each([
    false,
    true,
  ])("opens nothing for the stranger once the owner confirms (owner signed up: %s)", async (too) => {
    if (too) await signUp(owner, "The Owner", OWNERS);
    await signUp(stranger, "The Stranger", STRANGERS);
    await openLink(owner);
    expect(destination(await confirm(owner, form))).toEqual([303, "/client"]);
    expect(await owner.whoAmI()).toMatchObject({ email, fullName: "The Owner" });
    expect((await stranger.password(email, STRANGERS)).status).toBe(400);
    expect(await stranger.whoAmI()).toBeNull();
    expect((await press(stranger)).status).toBe(400);
    expect(await ctx.db.$count(organizations, eq(organizations.name, organization))).toBe(0);
  });

  test("is not what the owner's press confirms in the browser in which they signed up too", async () => {
    await signUp(owner, "The Owner", OWNERS);
    await signUp(stranger, "The Stranger", STRANGERS);
    // The newest mail is that of the stranger's sign-up.
    await openLink(owner);
    expect(JSON.stringify(await page(owner))).not.toContain("Stranger");
    await press(owner);
    expect(await owner.whoAmI()).toMatchObject({ email, fullName: "The Owner" });
    expect((await stranger.password(email, STRANGERS)).status).toBe(400);
    expect(await stranger.whoAmI()).toBeNull();
  });

  test.each([
    [{ intent: "confirm" }, "form", "Password is required"],
    [{ password: "" }, "password", "Password must be at least 8 characters long"],
    [{ full_name: " " }, "full_name", "Full name is required"],
  ])("is not confirmed by %j in a browser that did not make it, and the link stays valid", async (fields, field, sentence) => {
    await signUp(stranger, "The Stranger", STRANGERS);
    await openLink(owner);
    const rejected = await confirm(owner, { ...form, ...fields });
    expect(rejected.status).toBe(400);
    const { errors, values } = (await rejected.json()) as ValidationError;
    expect(errors[field]).toBe(sentence);
    expect(JSON.stringify(values)).not.toContain(OWNERS);
    expect(await stored()).toMatchObject({ status: "unverified" });
    expect((await confirm(owner, form)).status).toBe(303);
  });
});

test("no mail tells the owner of their first sign-in in the browser that confirmed, but one tells of it in any other", async () => {
  await signUp(owner, "Priya Raman", OWNERS);
  await openLink(owner);
  const mails = (await mailsTo(ctx, email)).length;
  await press(owner);
  expect(await mailsTo(ctx, email)).toHaveLength(mails);
  owner.cookies.delete("__Host-sid");
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
  const rejected = await confirm(stranger, { full_name: "X", password: OWNERS });
  expect(rejected.status).toBe(400);
  expect(await page(stranger)).toMatchObject({ isOpen: false, email: "", typed: null });
});
