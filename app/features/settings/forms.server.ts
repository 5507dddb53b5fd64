import * as z from "zod";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { ADDRESS_LINES_MAX, BRAND_LIMITS, type BrandOverrides, type BrandSettings, isPhone } from "./brand-settings";
import { BRAND_COPY, BRAND_LABELS } from "./labels";

type Field = keyof BrandSettings;

const tooLong = (field: Field) => `${BRAND_LABELS[field]} can have at most ${BRAND_LIMITS[field]} characters`;

/** Tells whether a text has no line breaks or direction marks. In the subject of a mail they could do harm. */
const isOneLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);

const line = (field: Field) =>
  z.string().trim().refine(isOneLine, BRAND_COPY.not_one_line).max(BRAND_LIMITS[field], tooLong(field));

const required = (field: Field, message: string) => line(field).min(1, message);

const isAddressOrEmpty = (text: string) => text === "" || isEmailAddress(text);

const address = z
  .array(line("address"))
  .max(ADDRESS_LINES_MAX, `The address can have at most ${ADDRESS_LINES_MAX} lines`);

export const BrandFields = z.object({
  name: required("name", BRAND_COPY.name_required),
  email: required("email", BRAND_COPY.email_required)
    .refine(isAddressOrEmpty, BRAND_COPY.email_invalid)
    .transform(normalizeEmail),
  legalName: line("legalName"),
  supportEmail: line("supportEmail").refine(isAddressOrEmpty, BRAND_COPY.email_invalid).transform(normalizeEmail),
  tagline: line("tagline"),
  phone: line("phone").refine((text) => text === "" || isPhone(text), BRAND_COPY.phone_invalid),
  address,
  hours: line("hours"),
  founder: line("founder"),
  story: z
    .string()
    .trim()
    .transform((text) => text.replace(/\r\n?/g, "\n"))
    .refine((text) => isOneLine(text.replaceAll("\n", " ")), BRAND_COPY.not_plain)
    .refine((text) => text.length <= BRAND_LIMITS.story, tooLong("story")),
  networkBrand: line("networkBrand"),
});

/** The address is one text area with one line each. Missing fields count as emptied. */
export const BrandForm = z.preprocess(
  (fields: Record<string, string>) => ({
    ...Object.fromEntries(Object.keys(BrandFields.shape).map((field) => [field, ""])),
    ...fields,
    address: (fields.address ?? "").split(/\r?\n/).filter((text) => text.trim() !== ""),
  }),
  BrandFields,
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
