import { ADDRESS_LINES_MAX, type BrandSettings, brandSettings, overridesOf } from "~/features/settings/brand-settings";
import { BRAND_LABELS } from "~/features/settings/copy";
import { BrandForm } from "~/features/settings/forms.server";
import { weekInWords } from "~/lib/opening-hours";
import { settingsGroup } from "../group.server";
import type { SettingField } from "../model";

const HINTS: Partial<Record<keyof BrandSettings, string>> = {
  email: "Where visitors and clients write to.",
  legalName: "In the legal texts. Empty: the name.",
  supportEmail: "Where replies to mails go. Empty: the address above.",
  phone: "As people read it. Empty: shown nowhere.",
  address: `One line each, at most ${ADDRESS_LINES_MAX}.`,
  hours: "In words, for pages and mails. What promises are counted by stands under Hours.",
  founder: "Under the story on “Why Choose Us”.",
  story:
    "Why you started, in your own words: the first part of “Why Choose Us”. A blank line begins a paragraph. Empty: no story.",
  networkBrand: "Whose network gear new clients move to within 90 days. Empty: prices and terms don’t ask for it.",
};

const KINDS: Partial<Record<keyof BrandSettings, "email" | "area">> = {
  email: "email",
  supportEmail: "email",
  address: "area",
  story: "area",
};

const REQUIRED: readonly (keyof BrandSettings)[] = ["name", "email"];
const FIELDS = Object.keys(BRAND_LABELS) as (keyof BrandSettings)[];

/** Groups the settings of what the site says about the provider. What is empty appears nowhere. */
export const brandGroup = settingsGroup({
  fields: FIELDS.map(
    (name): SettingField => ({
      name,
      kind: KINDS[name] ?? "text",
      label: name === "address" ? "Address" : BRAND_LABELS[name],
      hint: HINTS[name],
      optional: REQUIRED.includes(name) ? undefined : true,
    }),
  ),
  keys: ["brand"],
  shows: ["openTimes"],
  action: "settings.brand_changed",
  schema: BrandForm,
  values: ({ brand, openTimes }) => {
    const { address, ...lines } = brandSettings(brand);
    return { ...lines, hours: brand.hours ?? weekInWords(openTimes.week), address: address.join("\n") };
  },
  apply: (input, { openTimes }) => {
    const { hours, ...brand } = overridesOf(input);
    // Words that only say the opening hours follow them.
    return { brand: input.hours === weekInWords(openTimes.week) ? brand : { ...brand, hours: input.hours } };
  },
});
