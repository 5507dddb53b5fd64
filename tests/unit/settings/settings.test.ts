import { expect, test } from "vitest";
import { brand as defaults } from "~/content/brand";
import { privacyText } from "~/content/legal";
import { rootBrand } from "~/features/settings/brand";
import { CompanyForm, storedBrand } from "~/features/settings/brand-fields.server";
import {
  type BrandSettings,
  brandSettings,
  mergedBrand,
  overridesOf,
  phoneFrom,
} from "~/features/settings/brand-settings";
import { closingTimes } from "~/features/settings/model";
import { HOLIDAY_COUNTRIES, publicHolidays } from "~/features/settings-management/public-holidays";
import { parseForm } from "~/lib/form";

const FORM = {
  ...{ site_name: "Acme IT", email: "hello@acme.example" },
  ...{ legalName: "", supportEmail: "", tagline: "", phone: "", hours: "" },
};

test.each([
  ["no name", { site_name: " " }, { site_name: "Please enter a name" }],
  ["a name that is too long", { site_name: "x".repeat(201) }, { site_name: "Name can have at most 200 characters" }],
  [
    "a name of two lines",
    { site_name: "Acme\r\nBcc: x@y.example" },
    { site_name: "Please use one line of plain text" },
  ],
  [
    "a name that turns the direction",
    { site_name: "Acme \u202eTI" },
    { site_name: "Please use one line of plain text" },
  ],
  ["no address to write to", { email: "" }, { email: "Please enter an email address" }],
  ["two addresses", { email: "a@b.example,c@d.example" }, { email: "Please enter a valid email address" }],
  ["a broken second address", { supportEmail: "support" }, { supportEmail: "Please enter a valid email address" }],
  ["a number in words", { phone: "1-800-CALL-ACME" }, { phone: "Please enter a phone number of 5 to 15 digits" }],
  ["a number without end", { phone: "+1234567890123456" }, { phone: "Please enter a phone number of 5 to 15 digits" }],
  ["a link for a number", { phone: "javascript:12345" }, { phone: "Please enter a phone number of 5 to 15 digits" }],
  ["seven lines of address", { address: "1\n2\n3\n4\n5\n6\n7" }, { address: "The address can have at most 6 lines" }],
  [
    "a line of address without end",
    { address: `1 Main St\n${"x".repeat(201)}` },
    { address: "A line of the address can have at most 200 characters" },
  ],
])("%s is rejected", (_, fields, errors) => {
  expect(parseForm(CompanyForm, { ...FORM, ...fields })).toMatchObject({ ok: false, errors });
});

test("what was typed is trimmed, and lines of the address are lines", () => {
  const typed = {
    ...FORM,
    site_name: "  Acme IT ",
    email: "Hello@ACME.example",
    address: "1 Main St\r\n\r\n Springfield \r\n",
  };
  expect(parseForm(CompanyForm, typed)).toEqual({
    ok: true,
    value: {
      name: "Acme IT",
      email: "hello@acme.example",
      legalName: "",
      supportEmail: "",
      tagline: "",
      phone: "",
      address: ["1 Main St", "Springfield"],
      hours: "",
    },
  });
});

test.each([
  ["(555) 555-0142", "tel:+15555550142"],
  ["1-555-555-0142", "tel:+15555550142"],
  ["+49 30 1234567", "tel:+49301234567"],
  ["030 1234567", "tel:0301234567"],
  ["0301 234567", "tel:0301234567"],
])("%s is dialled as %s", (display, href) => {
  expect(phoneFrom(display)).toEqual({ display, href });
});

test("replies to mails go to the company's own address as soon as it has one, unless it names another", () => {
  const email = "hello@acme.example";
  expect(mergedBrand({ email }).supportEmail).toBe(email);
  expect(mergedBrand({ email, supportEmail: "help@acme.example" }).supportEmail).toBe("help@acme.example");
});

test("without a setting the brand is the default one", () => {
  expect(mergedBrand({})).toEqual(defaults);
  expect(rootBrand([{ id: "root", data: { brand: mergedBrand({}) } }])).toEqual(defaults);
  expect(() => rootBrand([{ id: "root" }])).toThrow("brand");
});

test("a form that was sent as it came stores nothing, and one change stores only that", () => {
  const form = brandSettings({});
  expect(overridesOf(form)).toEqual({});
  expect(overridesOf({ ...form, address: [] })).toEqual({ address: [] });
});

test("what was saved is what the form shows again", () => {
  const chosen: BrandSettings = {
    ...brandSettings({}),
    name: "Acme IT",
    phone: "",
    founder: "Ada",
    address: ["1 Main St"],
  };
  expect(brandSettings(storedBrand(JSON.parse(JSON.stringify(overridesOf(chosen)))))).toEqual(chosen);
});

test("a new name stands wherever no other was given", () => {
  expect(mergedBrand({ name: "Acme IT" })).toMatchObject({ legalName: "Acme IT", totpIssuer: "Acme IT" });
  expect(mergedBrand({ name: "Acme IT", legalName: "Acme Inc." })).toMatchObject({ legalName: "Acme Inc." });
  expect(mergedBrand({ email: "hello@acme.example", supportEmail: "" }).supportEmail).toBe("hello@acme.example");
});

test("what was emptied is gone, and the legal texts read on without it", () => {
  const brand = mergedBrand({ name: "Acme IT", email: "hello@acme.example", phone: "", address: [] });
  expect(brand).toMatchObject({ phone: null, address: [] });
  const text = JSON.stringify(privacyText(brand));
  expect(text).toContain("Acme IT. For anything on this page");
  expect(text).toContain("reach us at hello@acme.example.");
  expect(text).not.toMatch(/Wrenfield|555|undefined|null/);
});

test.each([
  ["nothing", undefined, {}],
  ["a text", "Acme", {}],
  ["values of other kinds", { name: 7, phone: null, address: "1 Main St" }, {}],
  ["a value that no longer fits", { name: "Acme IT", email: "nobody" }, { name: "Acme IT" }],
  ["fields nobody knows", { name: "Acme IT", domain: "acme.example", totpIssuer: "x" }, { name: "Acme IT" }],
])("%s in the store fails no page", (_, value, overrides) => {
  expect(storedBrand(value)).toEqual(overrides);
});

test.each([
  ["announced on the fourth day, closed three days later", 4, 7, { announceAfter: 4, closeAfter: 3 }],
  ["closed without an announcement", 0, 7, { announceAfter: 0, closeAfter: 7 }],
  ["never closed, and so not announced", 4, 0, { announceAfter: 0, closeAfter: 0 }],
  ["closed before it would be announced", 7, 3, { announceAfter: 0, closeAfter: 3 }],
  ["closed on the day on which it would be announced", 7, 7, { announceAfter: 0, closeAfter: 7 }],
])("a resolved ticket is %s", (_, announceClosingAfter, closeResolvedAfter, expected) => {
  expect(closingTimes({ announceClosingAfter, closeResolvedAfter })).toEqual(expected);
});

const daysOf = (country: string, year: number) => publicHolidays(country, year).map(({ day }) => day.slice(5));

test("the federal holidays of the United States are those that its Office of Personnel Management publishes", () => {
  expect(daysOf("us", 2026)).toEqual("01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25".split(" "));
  // Juneteenth and Christmas fall on a Saturday, Independence Day on a Sunday.
  expect(daysOf("us", 2027)).toEqual("01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24".split(" "));
});

test("in England, Christmas on a weekend gives two working days after it", () => {
  expect(daysOf("gb", 2026)).toEqual("01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28".split(" "));
  expect(daysOf("gb", 2027)).toEqual("01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28".split(" "));
  expect(daysOf("gb", 2022).slice(-2)).toEqual(["12-26", "12-27"]);
});

test("feasts follow Easter, and Victoria Day is the Monday before May 25", () => {
  expect(daysOf("de", 2026)).toEqual("01-01 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26".split(" "));
  expect(daysOf("fr", 2038)).toContain("04-26");
  expect(daysOf("at", 2027)).toContain("05-27");
  expect([daysOf("ca", 2026)[3], daysOf("ca", 2027)[3]]).toEqual(["05-18", "05-24"]);
});

test("every preset has as many days as it says, each once, for ten years", () => {
  for (const { value, label } of HOLIDAY_COUNTRIES)
    for (let year = 2026; year < 2036; year += 1) {
      const days = daysOf(value, year);
      expect([value, year, new Set(days).size]).toEqual([value, year, Number(/\((\d+)\)$/.exec(label)?.[1])]);
    }
  expect(publicHolidays("constructor", 2026)).toEqual([]);
});
