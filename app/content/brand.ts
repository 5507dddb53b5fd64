import { defaultPrices, type Prices } from "~/content/plans-and-prices";
import { type OpeningHours, openingHoursInWords } from "~/lib/calendar";

export type Phone = { display: string; href: string };

export type LogoImage = { src: string; width: number; height: number };

/**
 * Holds the facts about the provider that pages print. What is empty, and a phone that is null, appears nowhere.
 *
 * These are the defaults, and rebranding the product is editing this folder. Most of them can be changed in the
 * settings as well (`features/settings/brand-settings.ts`), so pages never read them from here but ask for the
 * effective brand.
 */
export type Brand = {
  name: string;
  legalName: string;
  /** Holds one sentence with its full stop, or empty. */
  tagline: string;
  /** Says what search engines and previews say of the home page. Empty: its own sentence. */
  description: string;
  /** Names the domain of the provider: e-mail addresses under it belong to its own people. */
  domain: string;
  email: string;
  supportEmail: string;
  phone: Phone | null;
  /** Holds the lines of the postal address. */
  address: readonly string[];
  /** Tells when people answer: promised times are counted by it. */
  openingHours: OpeningHours;
  /**
   * Holds the opening hours as pages and mails print them, without a full stop, or empty. Settings may word them
   * otherwise.
   */
  hours: string;
  /** Holds the IANA name; "today" and "this week" begin at midnight of this zone. */
  timeZone: string;
  /**
   * Holds the line under the story on "Why Choose Us", and the story: paragraphs apart by blank lines. May be empty.
   */
  founder: string;
  story: string;
  prices: Prices;
  /** Tells whether views of public pages are counted; the privacy notice says it. */
  countsViews: boolean;
  /**
   * Counts the days without activity after which a request that is done, or held for review, is deleted; null: never.
   * The privacy notice says it.
   */
  keepsRequests: number | null;
  /**
   * Names the maker whose network gear new clients move to: prices and terms say it before anybody signs. Empty: nobody
   * has to move.
   */
  networkBrand: string;
  /** Holds the name an authenticator app shows above a code. */
  totpIssuer: string;
  /** Holds the colour of buttons and links, such as "#0f5a66". Empty: that of `ui/styles/tokens.css`. */
  color: string;
  /** Holds the letter of icons. Empty: the default logo, two check marks. */
  initial: string;
  /** Holds the logo; null: the default one, two check marks. */
  logo: LogoImage | null;
};

const openingHours: OpeningHours = { workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 };

export const brand: Brand = {
  name: "Wrenfield",
  legalName: "Wrenfield",
  tagline: "Fixed, then checked.",
  description: "",
  domain: "wrenfield.example",
  email: "hello@wrenfield.example",
  supportEmail: "support@wrenfield.example",
  phone: { display: "(555) 555-0142", href: "tel:+15555550142" },
  address: ["100 Example Street, Suite 200", "Springfield, ST 00000"],
  openingHours,
  hours: openingHoursInWords(openingHours),
  timeZone: "America/Chicago",
  founder: "",
  story: "",
  prices: defaultPrices(),
  countsViews: true,
  keepsRequests: 365,
  networkBrand: "",
  totpIssuer: "Wrenfield",
  color: "",
  initial: "",
  logo: null,
};
