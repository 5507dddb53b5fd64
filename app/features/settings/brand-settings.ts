import { type Brand, brand as defaultBrand, type Phone } from "~/content/brand";
import { telHref } from "~/lib/email";
import { excerpt } from "~/lib/text";

export type BrandSettings = {
  name: string;
  email: string;
  legalName: string;
  supportEmail: string;
  tagline: string;
  /** Holds the number as it is read; what a telephone dials is made from it. */
  phone: string;
  address: readonly string[];
  hours: string;
  founder: string;
  story: string;
  networkBrand: string;
};

/** Holds what differs from the default. An empty value is one too: it says that nothing is shown. */
export type BrandOverrides = Partial<BrandSettings>;

export const BRAND_LIMITS: Record<keyof BrandSettings, number> = {
  name: 200,
  email: 254,
  legalName: 200,
  supportEmail: 254,
  tagline: 200,
  phone: 40,
  address: 200,
  hours: 200,
  founder: 200,
  story: 4_000,
  networkBrand: 60,
};
export const ADDRESS_LINES_MAX = 6;

/** It stands twice, percent-encoded, in a QR code of limited size beside a long address. */
const ISSUER_MAX = 40;

/** Returns a default, or nothing when it only repeats the name: then it follows a name that is changed. */
const unlessName = (text: string) => (text === defaultBrand.name ? "" : text);

const DEFAULTS: BrandSettings = {
  name: defaultBrand.name,
  email: defaultBrand.email,
  legalName: unlessName(defaultBrand.legalName),
  supportEmail: defaultBrand.supportEmail,
  tagline: defaultBrand.tagline,
  phone: defaultBrand.phone?.display ?? "",
  address: defaultBrand.address,
  hours: defaultBrand.hours,
  founder: defaultBrand.founder,
  story: defaultBrand.story,
  networkBrand: defaultBrand.networkBrand,
};

/** Whoever has an address of their own gets the replies there, not at an example. */
export const brandSettings = (overrides: BrandOverrides): BrandSettings => ({
  ...DEFAULTS,
  ...(overrides.email === undefined ? {} : { supportEmail: "" }),
  ...overrides,
});

/** Returns what is stored of a form. Unchanged defaults are not stored: the next version may have others. */
export function overridesOf(chosen: BrandSettings): BrandOverrides {
  const fields = Object.keys(DEFAULTS) as (keyof BrandSettings)[];
  const changed = fields.filter((field) => JSON.stringify(chosen[field]) !== JSON.stringify(DEFAULTS[field]));
  return Object.fromEntries(changed.map((field) => [field, chosen[field]]));
}

/** An empty legal name falls back to the name, an empty support address to `email`. */
export function mergedBrand(overrides: BrandOverrides): Brand {
  const chosen = brandSettings(overrides);
  return {
    ...defaultBrand,
    ...chosen,
    initial: unlessName(chosen.name) && [...chosen.name].slice(0, 1).join("").toUpperCase(),
    legalName: chosen.legalName || chosen.name,
    supportEmail: chosen.supportEmail || chosen.email,
    totpIssuer: excerpt(unlessName(defaultBrand.totpIssuer) || chosen.name, ISSUER_MAX),
    // A default number may be dialled differently than its digits say.
    phone: overrides.phone === undefined ? defaultBrand.phone : phoneFrom(overrides.phone),
  };
}

/** Tells whether a text is a phone number: digits with the usual marks between them, at most fifteen (ITU-T E.164). */
export function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return /^\+?[\d\s().\-/]+$/.test(text) && digits >= 5 && digits <= 15;
}

const NORTH_AMERICAN = /^1?([2-9]\d{9})$/;

export function phoneFrom(display: string): Phone | null {
  if (display === "") return null;
  const digits = display.replace(/\D/g, "");
  const [, local] = display.startsWith("+") ? [] : (NORTH_AMERICAN.exec(digits) ?? []);
  return { display, href: telHref(local ? `+1${local}` : display) };
}
