import { brand } from "~/content/brand";
import { PRIVACY_VERSION, TERMS_VERSION } from "~/content/legal";
import { defaultPrices, type Prices } from "~/content/plans-and-prices";
import type { Instant } from "~/lib/time";
import type { BrandOverrides } from "./brand-settings";
import {
  type ClocksToMove,
  DEFAULT_OPEN_TIMES,
  DEFAULT_REPLY_TARGETS,
  type OpenTimes,
  type ReplyTargets,
} from "./calendar";
import type { LogoFile } from "./logo/model";
import { DEFAULT_RETENTION, type StoredRetention } from "./submission-retention";

/** Holds what an administrator may change about the site; every key has a default. */
export type SiteSettings = {
  /** Holds the address that gets notices about new submissions. */
  adminEmail: string;
  /** Names the first status of a new submission. */
  autoAssignStatus: "new" | "contacted" | "resolved";
  /** Holds the IANA name; decides where days begin, for everyone. */
  timeZone: string;
  /** Limits the submissions a day that are counted and announced; what exceeds it is held for review. 1 to 10,000. */
  maxSubmissionsPerDay: number;
  /** Tells whether only people who have an account already can be invited to an organization. */
  onlyInviteExistingAccounts: boolean;
  /** Limits the files of an organization's tickets together, in gigabytes. */
  fileQuotaGb: number;
  signUpPolicy: SignUpPolicy;
  /**
   * Says when people work. Promises that run keep the hours they were counted by, unless `clocksToMove` says otherwise.
   */
  openTimes: OpenTimes;
  /** Says how soon a reply is promised; counts for what is promised from then on. */
  replyTargets: ReplyTargets;
  /** Says how soon tickets are resolved; null: that is not promised. */
  resolutionTargets: ReplyTargets | null;
  /**
   * Says since when promises that run follow new hours; null: they stay as they are. Stored in the batch that saves new
   * hours; the job `move-clocks` clears it.
   */
  clocksToMove: ClocksToMove | null;
  /** Names the domain at which answers to our mails are known to arrive; null: none. */
  provenInboundDomain: string | null;
  /** Holds what the provider says about itself, where it differs from the defaults. */
  brand: BrandOverrides;
  /** Holds the colour of buttons and links, such as "#0f5a66". Empty: the default. */
  brandColor: string;
  /** Holds the provider's logo; null: the default mark. */
  logo: LogoFile | null;
  /** Says what search engines and previews say of the site. Empty: the sentence of the home page. */
  siteDescription: string;
  /** Tells whether views of public pages are counted by path and day, without cookies. */
  enableAnalytics: boolean;
  /** Tells whether staff get mail about what happens. About their own accounts they always do. */
  enableNotifications: boolean;
  prices: Prices;
  /** Names the domain of the provider's own people. Empty: after signing in only the role counts. */
  companyDomain: string;
  /**
   * Holds the versions of the legal texts that were written last, so that none is given twice; see `versionInForce`.
   */
  termsVersion: string;
  privacyVersion: string;
  sessionLimits: SessionLimits;
  /** Says since when every client must have a second factor; null: only those whose organization requires it. */
  mfaOfClientsSince: Instant | null;
  /** Says how long submissions are kept that are resolved or held for review. */
  retention: StoredRetention;
} & TicketTimes &
  LongTexts;

/** Holds the legal texts where they are our own, in the Markdown of `legal-markdown.ts`. Empty: the default. */
type LongTexts = { termsText: string; privacyText: string };

/** Holds the settings without the long texts, which hardly any page needs. */
export type ShortSettings = Omit<SiteSettings, keyof LongTexts>;

/** Says when tickets on which nothing happens move on by themselves. 0: never. */
export type TicketTimes = {
  /** Counts the working days of waiting for the client after which they are reminded, and after that is resolved. */
  remindWaitingAfter: number;
  resolveWaitingAfter: number;
  /** Counts the days after a ticket was resolved when its end is announced, and when it is closed. */
  announceClosingAfter: number;
  closeResolvedAfter: number;
};

/**
 * Returns after how many days the end of a resolved ticket is announced, 0: it is not, and after how many more it is
 * closed, 0: never. Where nothing is closed, or nothing after the announcement, there is nothing to announce.
 */
export function closingTimes({
  announceClosingAfter,
  closeResolvedAfter,
}: Pick<TicketTimes, "announceClosingAfter" | "closeResolvedAfter">): { announceAfter: number; closeAfter: number } {
  const announceAfter = closeResolvedAfter > announceClosingAfter ? announceClosingAfter : 0;
  return { announceAfter, closeAfter: closeResolvedAfter === 0 ? 0 : closeResolvedAfter - announceAfter };
}

/** Limits sessions: how long they last without a request, and in total. A setting may only shorten them. */
export type SessionLimits = Record<"staffIdleMinutes" | "staffHours" | "clientIdleHours" | "clientDays", number>;

/** Limits each of these times; the longest is the default. */
export const SESSION_LIMITS = {
  staffIdleMinutes: { min: 5, max: 30 },
  staffHours: { min: 1, max: 12 },
  clientIdleHours: { min: 1, max: 24 },
  clientDays: { min: 1, max: 14 },
} as const;

/** Limits each of these times, in days. */
export const TICKET_TIME_MAX = 90;

/**
 * Says who may create an account: everybody; everybody, but staff look at a new organization before it can be used; or
 * only those who were invited.
 */
export type SignUpPolicy = "open" | "approval" | "invite_only";

/** Names the setting with what the provider says about itself, see `brand-settings.ts`. */
export const BRAND_KEY = "brand" satisfies keyof SiteSettings;

/** Lists the settings that public pages show: they are published for them, see `publish-settings.server.ts`. */
export const PUBLIC_KEYS = [
  "brand",
  "brandColor",
  "logo",
  "siteDescription",
  "openTimes",
  "prices",
  "companyDomain",
  "termsVersion",
  "privacyVersion",
  "termsText",
  "privacyText",
  "enableAnalytics",
  "retention",
] as const satisfies readonly (keyof SiteSettings)[];

export const DESCRIPTION_MAX = 300;
export const FILE_QUOTA_GB = { min: 1, max: 1_000 } as const;
export const SUBMISSIONS_PER_DAY = { min: 1, max: 10_000 } as const;

export const DEFAULT_SETTINGS: SiteSettings = {
  adminEmail: brand.email,
  autoAssignStatus: "new",
  timeZone: brand.timeZone,
  maxSubmissionsPerDay: 100,
  onlyInviteExistingAccounts: false,
  fileQuotaGb: 5,
  signUpPolicy: "open",
  openTimes: DEFAULT_OPEN_TIMES,
  replyTargets: DEFAULT_REPLY_TARGETS,
  resolutionTargets: null,
  clocksToMove: null,
  provenInboundDomain: null,
  remindWaitingAfter: 5,
  resolveWaitingAfter: 5,
  announceClosingAfter: 4,
  closeResolvedAfter: 7,
  brand: {},
  brandColor: brand.color,
  logo: null,
  siteDescription: "",
  enableAnalytics: true,
  enableNotifications: true,
  prices: defaultPrices(),
  companyDomain: "",
  termsVersion: TERMS_VERSION,
  privacyVersion: PRIVACY_VERSION,
  termsText: "",
  privacyText: "",
  sessionLimits: { staffIdleMinutes: 30, staffHours: 12, clientIdleHours: 24, clientDays: 14 },
  mfaOfClientsSince: null,
  retention: DEFAULT_RETENTION,
};
