import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { beginEnrollment, findEnrollment } from "~/features/auth/factor-commands.server";
import { BRAND_LIMITS } from "~/features/settings/brand-settings";
import { settingsAsSaved } from "~/features/settings/publish-settings.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { CONTACT_PURPOSE } from "~/features/submissions/intake/actions.server";
import { loader as root } from "~/root";
import { action as downloadCodes } from "~/routes/_account.profile.backup-codes";
import { action as contact } from "~/routes/_site.contact";
import { loader as exampleLetter } from "~/routes/examples.letter[.]pdf";
import { staffMember } from "../support/admin-area";
import { testContext } from "../support/context";
import { agedToken, args, get, post } from "../support/requests";
import { settingsForm } from "../support/settings";

const publishedSettings = (brand: object) => async () => ({ version: 1, brand, values: {} });
const acme = { publishedSettings: publishedSettings({ name: "Acme IT", email: "hello@acme.example", phone: "" }) };

test("every page is given the effective brand", async () => {
  const response = await root(args(testContext(acme), get("/")));
  expect(await response.json()).toMatchObject({ brand: { name: "Acme IT", totpIssuer: "Acme IT", phone: null } });
});

test("whoever has saved a name sees it on the next page, before it is published everywhere", async () => {
  const { send, base } = await settingsForm("company");
  // A whole document: the name stands around the page too.
  expect((await send({ site_name: "Acme IT" })).headers.get("X-Remix-Reload-Document")).toBe("true");
  const cookie = /__Host-settings=([^;]+)/.exec(base.cookiesSet.join("\n"))?.[1] ?? "";
  const published = async () => ({ version: 0, brand: {}, values: {} });
  const nameFor = async (value: string) => {
    const cookies = new Map([["__Host-settings", value]]);
    const next = testContext({ publishedSettings: published, facts: { cookies } });
    return (await effectiveBrand({ publishedSettings: settingsAsSaved(next) })).name;
  };
  expect(await nameFor(cookie)).toBe("Acme IT");
  expect(await nameFor(cookie.replace(/^1/, "2"))).toBe("Wrenfield");
});

test("mails name the company of the day they leave", async () => {
  const ctx = testContext(acme);
  const fields = {
    form_token: agedToken(ctx, CONTACT_PURPOSE),
    first_name: "Priya",
    last_name: "Raman",
    email: "priya@larkspur.example",
    agreed_to_terms: "on",
    website: "",
  };
  await contact(args(ctx, post("/contact", fields)));
  await ctx.settle();
  const mail = ctx.sent.find(({ to }) => to === "priya@larkspur.example");
  expect(mail?.text).toContain("Acme IT · hello@acme.example");
  expect(mail?.text).not.toContain("Wrenfield");
});

test.each([
  ["Acme IT", "acme-it-backup-codes.txt"],
  ['Ångström "IT"', "angstrom-it-backup-codes.txt"],
  ["東京", "backup-codes.txt"],
])("backup codes of %s are a file called %s", async (name, file) => {
  const { ctx } = await staffMember();
  Object.assign(ctx, { publishedSettings: publishedSettings({ name }) });
  const request = post("/profile/backup-codes", { form_token: agedToken(ctx, ACCOUNT_PURPOSE), codes: "" });
  const response = await downloadCodes(args(ctx, request));
  expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="${file}"`);
  expect(await response.text()).toContain(`${name} backup codes for`);
});

test("the longest name in the longest script still fits into the code that authenticator apps scan", async () => {
  const { ctx, person } = await staffMember();
  Object.assign(ctx, { publishedSettings: publishedSettings({ name: "語".repeat(BRAND_LIMITS.name) }) });
  await commit(ctx.db, [beginEnrollment(ctx, person.id)]);
  const email = `${"x".repeat(242)}@acme.example`;
  expect((await findEnrollment(ctx, { userId: person.id, email }))?.qr).toBeTruthy();
});

test("the example of a letter is a PDF under the company's name, and written once for all who open it", async () => {
  const { ctx } = await settingsForm("company");
  const open = async () => await exampleLetter(args(ctx, get("/examples/letter.pdf")));
  const [first, second] = [await open(), await open()];
  expect([first.status, first.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  expect(first.headers.get("Cache-Control")).toMatch(/^public/);
  const bytes = Buffer.from(await first.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(bytes.equals(Buffer.from(await second.arrayBuffer()))).toBe(true);
});
