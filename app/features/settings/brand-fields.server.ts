import * as z from "zod";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { ADDRESS_LINES_MAX, BRAND_LIMITS, type BrandOverrides, type BrandSettings, isPhone } from "./brand-settings";
import type { SettingField } from "./model";

type Field = keyof BrandSettings;

/** What stands on the site's own pages, and is written with the rest of their content. */
export const CONTENT_BRAND_FIELDS = { story: ["founder", "story"], network: ["networkBrand"] } as const;

/** As the forms have them, in their order. */
export const BRAND_FIELDS: Record<Field, Omit<SettingField, "name" | "kind"> & { kind: "text" | "email" | "area" }> = {
  name: { kind: "text", label: "Name", hint: "In the header, in titles, and as the sender of mails." },
  email: { kind: "email", label: "Email", hint: "Where visitors and clients write to." },
  legalName: { kind: "text", label: "Legal name", hint: "In the legal texts. Empty: the name.", optional: true },
  supportEmail: {
    kind: "email",
    label: "Support email",
    hint: "Where replies to mails go. Empty: the email above.",
    optional: true,
  },
  tagline: { kind: "text", label: "Tagline", optional: true },
  phone: { kind: "text", label: "Phone", hint: "As people read it. Empty: shown nowhere.", optional: true },
  address: { kind: "area", label: "Address", hint: `One line each, at most ${ADDRESS_LINES_MAX}.`, optional: true },
  hours: {
    kind: "text",
    label: "Business hours",
    hint: "In words, for pages and mails. What promises are counted by stands under Hours.",
    optional: true,
  },
  founder: { kind: "text", label: "Founder", hint: "Under the story on “Why Choose Us”.", optional: true },
  story: {
    kind: "area",
    label: "Story",
    hint: "Why you started, in your own words: the first part of “Why Choose Us”. A blank line begins a paragraph. Empty: no story.",
    optional: true,
  },
  networkBrand: {
    kind: "text",
    label: "Network brand",
    hint: "Whose network gear new clients move to within 90 days. Empty: prices and terms don’t ask for it.",
    optional: true,
  },
};

const MESSAGES = {
  name_required: "Please enter a name",
  email_required: "Please enter an email address",
  email_invalid: "Please enter a valid email address",
  phone_invalid: "Please enter a phone number of 5 to 15 digits",
  not_one_line: "Please use one line of plain text",
  not_plain: "Please use plain text",
};

const tooLong = (field: Field) =>
  `${field === "address" ? "A line of the address" : BRAND_FIELDS[field].label} can have at most ${BRAND_LIMITS[field]} characters`;

/** Without line breaks and direction marks: in the subject of a mail they could do harm. */
const isOneLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);

const line = (field: Field) =>
  z.string().trim().refine(isOneLine, MESSAGES.not_one_line).max(BRAND_LIMITS[field], tooLong(field));

const required = (field: Field, message: string) => line(field).min(1, message);

const isAddressOrEmpty = (text: string) => text === "" || isEmailAddress(text);

const address = z
  .array(line("address"))
  .max(ADDRESS_LINES_MAX, `The address can have at most ${ADDRESS_LINES_MAX} lines`);

export const BrandFields = z.object({
  name: required("name", MESSAGES.name_required),
  email: required("email", MESSAGES.email_required)
    .refine(isAddressOrEmpty, MESSAGES.email_invalid)
    .transform(normalizeEmail),
  phone: line("phone").refine((text) => text === "" || isPhone(text), MESSAGES.phone_invalid),
  address,
  hours: line("hours"),
  tagline: line("tagline"),
  legalName: line("legalName"),
  supportEmail: line("supportEmail").refine(isAddressOrEmpty, MESSAGES.email_invalid).transform(normalizeEmail),
  founder: line("founder"),
  story: z
    .string()
    .trim()
    .transform((text) => text.replace(/\r\n?/g, "\n"))
    .refine((text) => isOneLine(text.replaceAll("\n", " ")), MESSAGES.not_plain)
    .refine((text) => text.length <= BRAND_LIMITS.story, tooLong("story")),
  networkBrand: line("networkBrand"),
});

const { name, founder: _founder, story: _story, networkBrand: _network, ...companyFields } = BrandFields.shape;

export const COMPANY_FIELDS = ["name", ...(Object.keys(companyFields) as (keyof typeof companyFields)[])] as const;

/** The address is one text area with one line each; `site_name` is a name from outside. */
export const CompanyForm = z.preprocess(
  (fields: Record<string, string>) => ({
    ...fields,
    address: (fields.address ?? "").split(/\r?\n/).filter((text) => text.trim() !== ""),
  }),
  z
    .object({ site_name: name, ...companyFields })
    .transform(({ site_name, ...fields }) => ({ name: site_name, ...fields })),
);

const AnyRecord = z.record(z.string(), z.unknown()).catch({});

/** A value that no longer fits its rule counts as absent: a page must not fail over an old setting. */
export function storedBrand(value: unknown): BrandOverrides {
  const fields = AnyRecord.parse(value);
  const fitting = Object.entries(BrandFields.shape).flatMap(([field, rule]) => {
    const parsed = rule.safeParse(fields[field]);
    return parsed.success ? [[field, parsed.data] as const] : [];
  });
  return Object.fromEntries(fitting);
}
