import * as z from "zod";
import type { Brand } from "~/content/brand";
import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import { type AddOnId, addOns, ONBOARDING_HOURS, type PlanId, plans } from "~/content/plans-and-prices";
import {
  ADDRESS_LINES_MAX,
  type BrandOverrides,
  type BrandSettings,
  brandSettings,
  overridesOf,
} from "~/features/settings/brand-settings";
import { BrandFields, BrandForm } from "~/features/settings/forms.server";
import { BRAND_LABELS } from "~/features/settings/labels";
import { LEGAL_TEXT_MAX, legalMarkdown, readLegalText } from "~/features/settings/legal-markdown";
import { DESCRIPTION_MAX, FILE_QUOTA_GB, type SiteSettings, SUBMISSIONS_PER_DAY } from "~/features/settings/model";
import { LOGO_PATH } from "~/features/settings/paths";
import { brandOf, type LegalKind, PRICE_MAX, versionInForce } from "~/features/settings/queries.server";
import { brandColors, DARK_INK, LIGHT_SURFACE, MIN_CONTRAST } from "~/lib/brand-colors";
import { contrast, HEX_COLOR } from "~/lib/color";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { formatPrice } from "~/lib/money";
import { weekInWords } from "~/lib/opening-hours";
import { dayIn } from "~/lib/time";
import { orNothing, settingsGroup, tick, ticked, wholeNumber } from "./group.server";
import type { Preview, SettingField } from "./model";

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

const SIZE = { width: 480, height: 120 };

/** Returns a contrast as people compare it: "4.5:1". Rounded down, so that it promises nothing. */
const ratio = (one: string, other: string): string => `${(Math.floor(contrast(one, other) * 10) / 10).toFixed(1)}:1`;

/** Draws a button and a link in both themes, with how well they can be read. Loads nothing and needs no script. */
function colorPreview(color: string): Preview {
  const { light, dark } = brandColors(color).brand;
  const themes = [
    { x: 0, name: "Light", page: "#ffffff", ink: "#3e4d51", own: light, onOwn: "#ffffff" },
    { x: 240, name: "Dark", page: "#111f23", ink: "#b9c5c7", own: dark, onOwn: DARK_INK },
  ];
  const panels = themes.map(
    ({ x, name, page, ink, own, onOwn }) => `<g transform="translate(${x})"><path fill="${page}" d="M0 0h240v120H0z"/>
<text x="16" y="26" fill="${ink}">${name} theme</text><rect x="16" y="40" width="96" height="38" rx="4" fill="${own}"/>
<text x="64" y="64" fill="${onOwn}" font-weight="600" text-anchor="middle">Button</text>
<text x="130" y="64" fill="${own}" text-decoration="underline">A link</text>
<text x="16" y="104" fill="${ink}" font-size="13">${own}, text ${ratio(own, onOwn)}</text></g>`,
  );
  const { width, height } = SIZE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Arial,sans-serif" font-size="15">${panels.join("")}</svg>`;
  const alt = themes.map(({ name, own, onOwn }) => `${name} theme: ${own}, contrast of its text ${ratio(own, onOwn)}`);
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: alt.join(". "), ...SIZE };
}

/** Reads a colour as people write it: "#0F5A66", "0f5a66" or "#123". */
const color = z
  .string()
  .transform((text) => text.trim().toLowerCase().replace(/^#?/, "#"))
  .transform((text) => (text === "#" ? "" : text.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")))
  .refine((text) => text === "" || HEX_COLOR.test(text), "Brand color: write six digits, such as #0f5a66");

/**
 * Groups the settings of how it looks: the colour of pages, mails, files and icons. The logo has a page of its own,
 * because it is a file.
 */
export const lookGroup = settingsGroup({
  text: "The color of buttons, links and bands: on all pages, in mails, files and icons.",
  fields: [
    {
      name: "brand_color",
      kind: "text",
      label: "Brand color",
      hint: "Six digits, such as #0f5a66. Leave empty for the default. Where it could not be read, the nearest that can is used.",
      optional: true,
    },
  ],
  keys: ["brandColor"],
  action: "settings.brand_changed",
  schema: z.object({ brand_color: color }),
  values: ({ brandColor }) => ({ brand_color: brandColor }),
  link: { label: "Change the logo", to: LOGO_PATH },
  preview: ({ brandColor }) => colorPreview(brandColor),
  apply: ({ brand_color }) => ({ brandColor: brand_color }),
  question: async (_ctx, _stored, { brandColor }) => {
    const { light, dark } = brandColors(brandColor).brand;
    if (brandColor === "" || light === brandColor) return null;
    return {
      text: `Text needs a contrast of ${MIN_CONTRAST}:1. ${brandColor} has ${ratio(brandColor, LIGHT_SURFACE)} on our pages, so buttons and links are ${light} in the light theme and ${dark} in the dark one.`,
      preview: colorPreview(brandColor),
      choices: [{ value: `use-${brandColor}`, label: "Save this" }],
    };
  },
});

const CAP = "Hold for review above … a day";
const QUOTA = "Files of each organization, in GB";
const STATUSES = ["new", "contacted", "resolved"] as const;
const STATUS_LABELS = { new: "New", contacted: "Contacted", resolved: "Resolved" };

/** Returns the brand with another name; the one of the defaults is not stored. */
const withName = ({ name: _, ...brand }: BrandOverrides, name: string): BrandOverrides => ({
  ...overridesOf({ ...brandSettings({}), name }),
  ...brand,
});

/** Groups what the specification calls the settings of the site. */
export const siteGroup = settingsGroup({
  fields: [
    {
      name: "site_name",
      kind: "text",
      label: "Site name",
      hint: "In the header, in titles, and as the sender of mails.",
    },
    {
      name: "site_description",
      kind: "area",
      label: "Site description",
      hint: "What search engines and previews say about the home page. Leave empty for the default.",
      optional: true,
    },
    {
      name: "admin_email",
      kind: "email",
      label: "Admin email",
      hint: "Receives mail about new submissions.",
    },
    {
      name: "auto_assign_status",
      kind: "select",
      label: "Status of a new submission",
      choices: STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    },
    {
      name: "max_submissions_per_day",
      kind: "number",
      label: CAP,
      hint: "1 to 10,000. What comes on top is held for review; above ten times as many nothing is taken.",
    },
    {
      name: "file_quota",
      kind: "number",
      label: QUOTA,
      hint: "1 to 1,000. What the files of an organization's tickets may take together.",
    },
    {
      name: "enable_analytics",
      kind: "tick",
      label: "Count page views",
      hint: "Of public pages, by day, without cookies and without people. Shown under Data.",
    },
  ],
  keys: [
    "brand",
    "siteDescription",
    "adminEmail",
    "autoAssignStatus",
    "maxSubmissionsPerDay",
    "fileQuotaGb",
    "enableAnalytics",
  ],
  schema: z.object({
    site_name: BrandFields.shape.name,
    site_description: z
      .string()
      .transform((text) => text.replace(/\s+/g, " ").trim())
      .refine(
        (text) => [...text].length <= DESCRIPTION_MAX,
        `Site description can have at most ${DESCRIPTION_MAX} characters`,
      ),
    admin_email: z
      .string()
      .trim()
      .max(254, "Admin email can have at most 254 characters")
      .refine(isEmailAddress, "Please enter a valid admin email address")
      .transform(normalizeEmail),
    auto_assign_status: z.enum(STATUSES, "Choose the status of a new submission"),
    max_submissions_per_day: wholeNumber(CAP, SUBMISSIONS_PER_DAY),
    file_quota: wholeNumber(QUOTA, FILE_QUOTA_GB),
    enable_analytics: tick,
  }),
  values: (settings) => ({
    site_name: brandSettings(settings.brand).name,
    site_description: settings.siteDescription,
    admin_email: settings.adminEmail,
    auto_assign_status: settings.autoAssignStatus,
    max_submissions_per_day: String(settings.maxSubmissionsPerDay),
    file_quota: String(settings.fileQuotaGb),
    enable_analytics: ticked(settings.enableAnalytics),
  }),
  apply: (input, { brand, adminEmail }) => ({
    brand: withName(brand, input.site_name),
    siteDescription: input.site_description,
    // One that only follows the address of the site is not stored as a choice of its own.
    ...(input.admin_email === adminEmail ? {} : { adminEmail: input.admin_email }),
    autoAssignStatus: input.auto_assign_status,
    maxSubmissionsPerDay: input.max_submissions_per_day,
    fileQuotaGb: input.file_quota,
    enableAnalytics: input.enable_analytics,
  }),
});

type Kind = {
  kind: LegalKind;
  label: string;
  text: "termsText" | "privacyText";
  version: "termsVersion" | "privacyVersion";
  standardVersion: string;
  standard: (provider: Brand) => LegalText;
};

const standardOf = (kind: Kind, settings: SiteSettings): string => legalMarkdown(kind.standard(brandOf(settings)));

const normalized = (text: string) => text.replace(/\r\n?/g, "\n").trim();

const body = z
  .string()
  .transform(normalized)
  .refine(
    (text) => text.length <= LEGAL_TEXT_MAX,
    `The text can have at most ${LEGAL_TEXT_MAX.toLocaleString("en-US")} characters`,
  )
  .refine(
    (text) => text === "" || readLegalText(text) !== null,
    "Begin each section with “## ” and its title, and write something below it",
  );

function nextVersion(given: readonly string[], today: string): string {
  const numbers = given
    .map((version) => version.split("."))
    .filter(([day]) => day === today)
    .map(([, number = "1"]) => Number(number));
  return numbers.length === 0 ? today : `${today}.${Math.max(...numbers) + 1}`;
}

/** Builds the group of a legal text. Former versions stay in the activity, and consents name theirs. */
const legalGroup = (kind: Kind) =>
  settingsGroup({
    text: (settings) =>
      `Version ${versionInForce(settings, kind.kind)}. What stands before the first “## ” is the lead; “## ” begins a section, “- ” a line of a list. Leave empty for the default.`,
    fields: [{ name: "body", kind: "area", label: kind.label, optional: true }],
    keys: [kind.text, kind.version],
    schema: z.object({ body }),
    values: (settings) => ({ body: settings[kind.text] || standardOf(kind, settings) }),
    apply: (input, stored, now) => {
      const isStandard = input.body === "" || input.body === normalized(standardOf(kind, stored));
      const text = isStandard ? "" : input.body;
      if (text === stored[kind.text]) return {};
      // The version of a text that is taken back is kept: the next one of the day needs another.
      if (isStandard) return { [kind.text]: "" };
      const given = [stored[kind.version], kind.standardVersion];
      return { [kind.text]: text, [kind.version]: nextVersion(given, dayIn(stored.timeZone, now)) };
    },
  });

export const termsGroup = legalGroup({
  kind: "terms",
  label: "Terms",
  text: "termsText",
  version: "termsVersion",
  standardVersion: TERMS_VERSION,
  standard: termsText,
});

export const privacyGroup = legalGroup({
  kind: "privacy",
  label: "Privacy",
  text: "privacyText",
  version: "privacyVersion",
  standardVersion: PRIVACY_VERSION,
  standard: privacyText,
});

const PRICE = /^\$?\s*(\d{1,3}(?:,?\d{3})*|\d+)(?:\.(\d+))?$/;

const price = (label: string) => z.string().transform(amountReader(label));

function amountReader(label: string) {
  return (text: string, issues: z.RefinementCtx): number => {
    const [, dollars = "", cents = ""] = PRICE.exec(text.trim()) ?? [];
    const amount = Number(dollars.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
    const reject = (message: string) => {
      issues.addIssue({ code: "custom", message: `${label}: ${message}` });
      return z.NEVER;
    };
    if (dollars === "") return reject("enter an amount in dollars, such as 79 or 79.50");
    if (cents.length > 2)
      return reject(`prices are whole cents, with at most two decimals; ${text.trim()} has ${cents.length}`);
    if (amount < 1 || amount > PRICE_MAX) return reject(`enter an amount from $0.01 to ${formatPrice(PRICE_MAX)}`);
    return amount;
  };
}

const priceText = (cents: number) => formatPrice(cents).replace(/[$,]/g, "");
const RATE = "Onboarding, per hour";

const priced = [
  ...plans.map(({ id, name }) => ({ name: `plan_${id}`, label: `${name}, per user and month` })),
  ...addOns.map(({ id, name }) => ({ name: `addon_${id}`, label: `${name}, per month` })),
];

/** Groups the settings of what things cost. Estimates and quotes keep the prices of the day they were made. */
export const pricesGroup = settingsGroup({
  text: "In US dollars. The pricing page, the estimator and the texts that name a price follow within a minute; estimates that were sent keep theirs.",
  fields: [
    ...priced.map((field) => ({ ...field, kind: "amount" as const })),
    {
      name: "onboarding_rate",
      kind: "amount",
      label: RATE,
      hint: `At least ${ONBOARDING_HOURS} hours. Empty: pages say that the rate is in the proposal.`,
      optional: true,
    },
  ],
  keys: ["prices"],
  schema: z
    .object({
      ...Object.fromEntries(priced.map(({ name, label }) => [name, price(label)])),
      onboarding_rate: orNothing(amountReader(RATE)),
    })
    .transform((input) => ({
      plans: byId<PlanId>(plans, input, "plan"),
      addOns: byId<AddOnId>(addOns, input, "addon"),
      onboardingHourly: input.onboarding_rate,
    })),
  values: ({ prices }) => ({
    ...Object.fromEntries(plans.map(({ id }) => [`plan_${id}`, priceText(prices.plans[id])])),
    ...Object.fromEntries(addOns.map(({ id }) => [`addon_${id}`, priceText(prices.addOns[id])])),
    onboarding_rate: prices.onboardingHourly === null ? "" : priceText(prices.onboardingHourly),
  }),
  apply: (prices) => ({ prices }),
});

function byId<Id extends string>(priced: readonly { id: Id }[], input: object, prefix: string): Record<Id, number> {
  const read = input as Record<string, number>;
  return Object.fromEntries(priced.map(({ id }) => [id, read[`${prefix}_${id}`]])) as Record<Id, number>;
}
