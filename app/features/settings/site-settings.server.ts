import * as z from "zod";
import { type AddOnId, addOns } from "~/content/add-ons";
import { brand } from "~/content/brand";
import { PRIVACY_VERSION, TERMS_VERSION } from "~/content/legal";
import { defaultPrices, ONBOARDING_HOURS, type PlanId, type Prices, plans } from "~/content/plans-and-prices";
import { HEX_COLOR } from "~/lib/brand-colors";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { formatPrice } from "~/lib/numbers";
import { storedBrand } from "./brand-fields.server";
import { type ContentGroupId, PICTURES, type PictureFile, type PictureName } from "./model";
import { oneField, orNothing, type Setting, setting, tick, ticked, wholeNumber, within } from "./setting.server";
import { CONTENT_IDS, storedContent } from "./site-content.server";

export const storedPicture = (name: PictureName): z.ZodType<PictureFile> =>
  z.object({
    hash: z.string().regex(/^[0-9a-f]{32}$/),
    kind: z.enum(PICTURES[name].kinds),
    width: within(PICTURES[name].sides),
    height: within(PICTURES[name].sides),
  });

/** Reads a colour as people write it: "#0F5A66", "0f5a66" or "#123". */
const color = z
  .string()
  .transform((text) => text.trim().toLowerCase().replace(/^#?/, "#"))
  .transform((text) => (text === "#" ? "" : text.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")))
  .refine((text) => text === "" || HEX_COLOR.test(text), "Brand color: write six digits, such as #0f5a66");

const PRICE_MAX = 10_000_000;

const cents = z.int().min(1).max(PRICE_MAX);

const StoredPrices: z.ZodType<Prices> = z.object({
  plans: z.object({ basic: cents, core: cents, premium: cents }),
  addOns: z.object({
    webServices: cents,
    extraOnsiteVisits: cents,
    extraAfterHoursSupport: cents,
    additionalCameraSupport: cents,
    secureStorage: cents,
  }),
  onboardingHourly: cents.nullable(),
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

function byId<Id extends string>(priced: readonly { id: Id }[], input: object, prefix: string): Record<Id, number> {
  const read = input as Record<string, number>;
  return Object.fromEntries(priced.map(({ id }) => [id, read[`${prefix}_${id}`]])) as Record<Id, number>;
}

const DESCRIPTION_MAX = 300;
const CAP = "Hold for review above … a day";
const SUBMISSIONS_PER_DAY = { min: 1, max: 10_000 };
const QUOTA = "Files of each organization, in GB";
const FILE_QUOTA_GB = { min: 1, max: 1_000 };
const STATUSES = ["new", "contacted", "resolved"] as const;
const STATUS_LABELS = { new: "New", contacted: "Contacted", resolved: "Resolved" };

const contentSettings = Object.fromEntries(
  CONTENT_IDS.map((id) => [
    `content-${id}`,
    setting<Record<string, string>>({
      ...{ schema: storedContent(id), default: {}, isPublic: true },
      // Names of plans stand on many pages and in mails.
      ...(id === "plans" ? {} : { isLong: true }),
    }),
  ]),
) as Record<ContentGroupId, Setting<Record<string, string>>>;

/** What the site says, how it looks, what things cost, and what becomes of submissions. In the order of the forms. */
export const siteSettings = {
  brand: setting({ schema: z.unknown().transform(storedBrand), default: {}, isPublic: true }),
  siteDescription: setting({
    schema: z.string().max(DESCRIPTION_MAX),
    /** The sentence of the home page. */
    default: "",
    isPublic: true,
    form: oneField({
      group: "company",
      field: {
        name: "site_description",
        kind: "area",
        label: "Site description",
        heading: "Search engines and visits",
        hint: "What search engines and previews say about the home page. Leave empty for the default.",
        optional: true,
      },
      input: z
        .string()
        .transform((text) => text.replace(/\s+/g, " ").trim())
        .refine(
          (text) => [...text].length <= DESCRIPTION_MAX,
          `Site description can have at most ${DESCRIPTION_MAX} characters`,
        ),
      shown: (text) => text,
    }),
  }),
  enableAnalytics: setting({
    schema: z.boolean(),
    default: true,
    isPublic: true,
    form: oneField({
      group: "company",
      field: {
        name: "enable_analytics",
        kind: "tick",
        label: "Count page views",
        hint: "Of public pages, by day, without cookies and without people. Shown under Data.",
      },
      input: tick,
      shown: ticked,
    }),
  }),
  adminEmail: setting({
    schema: z.string().refine(isEmailAddress),
    default: brand.email,
    form: oneField({
      group: "company",
      field: {
        name: "admin_email",
        kind: "email",
        label: "Admin email",
        heading: "New submissions",
        hint: "Receives mail about new submissions.",
      },
      input: z
        .string()
        .trim()
        .max(254, "Admin email can have at most 254 characters")
        .refine(isEmailAddress, "Please enter a valid admin email address")
        .transform(normalizeEmail),
      shown: (email) => email,
    }),
  }),
  autoAssignStatus: setting({
    // A stored "in_progress" means contacted.
    schema: z.preprocess((value) => (value === "in_progress" ? "contacted" : value), z.enum(STATUSES)),
    default: "new",
    form: oneField({
      group: "company",
      field: {
        name: "auto_assign_status",
        kind: "select",
        label: "Status of a new submission",
        choices: STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
      },
      input: z.enum(STATUSES, "Choose the status of a new submission"),
      shown: (status) => status,
    }),
  }),
  /** What exceeds it is held for review, and neither counted nor announced. */
  maxSubmissionsPerDay: setting({
    schema: within(SUBMISSIONS_PER_DAY),
    default: 100,
    form: oneField({
      group: "company",
      field: {
        name: "max_submissions_per_day",
        kind: "number",
        label: CAP,
        heading: "Limits",
        hint: "1 to 10,000. What comes on top is held for review; above ten times as many nothing is taken.",
      },
      input: wholeNumber(CAP, SUBMISSIONS_PER_DAY),
      shown: String,
    }),
  }),
  fileQuotaGb: setting({
    schema: within(FILE_QUOTA_GB),
    default: 5,
    form: oneField({
      group: "company",
      field: {
        name: "file_quota",
        kind: "number",
        label: QUOTA,
        hint: "1 to 1,000. What the files of an organization's tickets may take together.",
      },
      input: wholeNumber(QUOTA, FILE_QUOTA_GB),
      shown: String,
    }),
  }),
  brandColor: setting({
    schema: z.string().regex(HEX_COLOR),
    default: brand.color,
    isPublic: true,
    form: oneField({
      group: "look",
      field: {
        name: "brand_color",
        kind: "color",
        label: "Brand color",
        hint: "Six digits, such as #0f5a66. Leave empty for the default. Where it could not be read, the nearest that can is used.",
        optional: true,
      },
      input: color,
      shown: (hex) => hex,
    }),
  }),
  logo: setting({ schema: storedPicture("logo").nullable(), default: null, isPublic: true }),
  portrait: setting({ schema: storedPicture("portrait").nullable(), default: null, isPublic: true }),
  prices: setting({
    schema: StoredPrices,
    default: defaultPrices(),
    isPublic: true,
    form: {
      group: "prices",
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
      input: z
        .object({
          ...Object.fromEntries(priced.map(({ name, label }) => [name, price(label)])),
          onboarding_rate: orNothing(amountReader(RATE)),
        })
        .transform((input) => ({
          plans: byId<PlanId>(plans, input, "plan"),
          addOns: byId<AddOnId>(addOns, input, "addon"),
          onboardingHourly: input.onboarding_rate,
        })),
      shown: (prices) => ({
        ...Object.fromEntries(plans.map(({ id }) => [`plan_${id}`, priceText(prices.plans[id])])),
        ...Object.fromEntries(addOns.map(({ id }) => [`addon_${id}`, priceText(prices.addOns[id])])),
        onboarding_rate: prices.onboardingHourly === null ? "" : priceText(prices.onboardingHourly),
      }),
    },
  }),
  // Markdown of our own (`legal-markdown.ts`); empty: the default text. Versions are kept, so that none is given twice.
  termsText: setting({ schema: z.string(), default: "", isPublic: true, isLong: true }),
  termsVersion: setting({ schema: z.string(), default: TERMS_VERSION, isPublic: true }),
  privacyText: setting({ schema: z.string(), default: "", isPublic: true, isLong: true }),
  privacyVersion: setting({ schema: z.string(), default: PRIVACY_VERSION, isPublic: true }),
  ...contentSettings,
};
