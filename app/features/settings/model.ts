import { brand, type LogoImage } from "~/content/brand";
import { PRIVACY_VERSION, TERMS_VERSION } from "~/content/legal";
import { defaultPrices, type Prices } from "~/content/plans-and-prices";
import { brandFilePath } from "~/lib/addresses";
import type { Calendar } from "~/lib/calendar";
import { calendarOf } from "~/lib/opening-hours";
import { days, type Instant } from "~/lib/time";
import type { BrandOverrides } from "./brand-settings";

/** For submissions that are resolved or held for review; `never`: they are kept. */
export type RetentionRule = { days: number; never: boolean };

/** A rule that deletes more counts a day after it was saved, until then the one before it. Null: from the start. */
export type StoredRetention = RetentionRule & { savedAt: Instant | null; before: RetentionRule };

export const RETENTION_KEY = "retention";

export const RETENTION_DAYS = { min: 30, max: 3_650 } as const;

const DEFAULT_RULE: RetentionRule = { days: 365, never: false };

export const DEFAULT_RETENTION: StoredRetention = { ...DEFAULT_RULE, savedAt: null, before: DEFAULT_RULE };

/** Sets how long somebody has to notice a change before anything is deleted by it. */
const TIME_TO_NOTICE = days(1);

export const countsFrom = ({ savedAt }: StoredRetention): Instant => (savedAt === null ? 0 : savedAt + TIME_TO_NOTICE);

/** Returns the rule that counts now. What keeps more than before counts at once: nobody waits a day for protection. */
export function ruleInForce(stored: StoredRetention, now: Instant): RetentionRule {
  const { days, never, before } = stored;
  if (now >= countsFrom(stored)) return { days, never };
  return { days: Math.max(days, before.days), never: never || before.never };
}

export const isSameRule = (one: RetentionRule, other: RetentionRule): boolean =>
  one.never === other.never && (one.never || one.days === other.days);

/** Returns what is stored when a rule is saved: one that never counted is forgotten. */
export const savedRetention = (stored: StoredRetention, rule: RetentionRule, now: Instant): StoredRetention => ({
  ...rule,
  savedAt: now,
  before: ruleInForce(stored, now),
});

/** Holds when people work, without the time zone, which is a setting of its own. */
export type OpenTimes = Pick<Calendar, "week" | "holidays">;

/** Holds how soon a reply is promised. Around the clock, a working day is 24 hours. */
export type ReplyTarget = { unit: "hours" | "working_days"; count: number };

const { week, holidays } = calendarOf({ zone: brand.timeZone, openingHours: brand.openingHours });
export const DEFAULT_OPEN_TIMES: OpenTimes = { week, holidays };

export const HOLIDAYS_MAX = 60;
export const FRAMES_MAX = 4;

export type ReplyTargets = Record<"urgent" | "high" | "medium" | "low", ReplyTarget>;

export const DEFAULT_REPLY_TARGETS: ReplyTargets = {
  urgent: { unit: "hours", count: 2 },
  high: { unit: "hours", count: 4 },
  medium: { unit: "working_days", count: 1 },
  low: { unit: "working_days", count: 2 },
};

/** Promises that run follow the new hours: since when, and up to which ticket number that is done. */
export type ClocksToMove = { since: Instant; doneUpTo: number };

let lastKey = "";
let lastCalendar: Calendar = { zone: "UTC", week: [], holidays: [] };

/** The same object for the same hours: what it knows of days is cached by it. */
export function siteCalendar({ timeZone: zone, openTimes }: { timeZone: string; openTimes: OpenTimes }): Calendar {
  const key = JSON.stringify([zone, openTimes]);
  if (key === lastKey) return lastCalendar;
  lastKey = key;
  lastCalendar = { zone, week: openTimes.week, holidays: openTimes.holidays };
  return lastCalendar;
}

/** Limits the sides of a logo, in pixels: enough for sharp screens, and little enough to be shown at once. */
export const LOGO_SIDES = { min: 32, max: 2_000 };
/** In bytes. */
export const LOGO_SIZE = 512 * 1024;

/** Named by the hash of its content; width and height in pixels. */
export type LogoFile = { hash: string; kind: "png" | "webp"; width: number; height: number };

const fileName = ({ hash, kind }: Pick<LogoFile, "hash" | "kind">) => `logo-${hash}.${kind}`;

export const logoKey = (logo: Pick<LogoFile, "hash" | "kind">): string => `brand/${fileName(logo)}`;

type Sides = { width: number; height: number };

/** Tells whether a logo is so wide that it is taken to say the name, which then is only read aloud. */
export const saysName = ({ width, height }: Sides): boolean => width / height > 2;

/** Returns the size in which a logo fits a room: as high as that, unless it is too wide. */
export function logoSize({ width, height }: Sides, room: Sides): Sides {
  const scale = Math.min(room.height / height, room.width / width);
  return { width: width * scale, height: height * scale };
}

export const logoImage = (logo: LogoFile): LogoImage => ({
  src: brandFilePath(fileName(logo)),
  width: logo.width,
  height: logo.height,
});

export type SiteSettings = {
  adminEmail: string;
  autoAssignStatus: "new" | "contacted" | "resolved";
  /** Holds the IANA name; decides where days begin, for everyone. */
  timeZone: string;
  /** Limits the submissions a day that are counted and announced; what exceeds it is held for review. 1 to 10,000. */
  maxSubmissionsPerDay: number;
  /** Tells whether only people who have an account already can be invited to an organization. */
  onlyInviteExistingAccounts: boolean;
  fileQuotaGb: number;
  signUpPolicy: SignUpPolicy;
  /** Promises that run keep the hours they were counted by, unless `clocksToMove` says otherwise. */
  openTimes: OpenTimes;
  /** Counts for what is promised from then on. */
  replyTargets: ReplyTargets;
  /** Says how soon tickets are resolved; null: that is not promised. */
  resolutionTargets: ReplyTargets | null;
  /** Null: they stay as they are. Stored with new hours; the job `move-clocks` clears it. */
  clocksToMove: ClocksToMove | null;
  /** Names the domain at which answers to our mails are known to arrive; null: none. */
  provenInboundDomain: string | null;
  brand: BrandOverrides;
  /** Holds the colour of buttons and links, such as "#0f5a66". Empty: the default. */
  brandColor: string;
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
  /** So that none is given twice; see `versionInForce`. */
  termsVersion: string;
  privacyVersion: string;
  sessionLimits: SessionLimits;
  /** Says since when every client must have a second factor; null: only those whose organization requires it. */
  mfaOfClientsSince: Instant | null;
  retention: StoredRetention;
} & TicketTimes &
  LongTexts;

/** Holds the legal texts where they are our own, in the Markdown of `legal-markdown.ts`. Empty: the default. */
type LongTexts = { termsText: string; privacyText: string };

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

/** In days; 0: never. Where nothing is closed, or nothing after the announcement, there is nothing to announce. */
export function closingTimes({
  announceClosingAfter,
  closeResolvedAfter,
}: Pick<TicketTimes, "announceClosingAfter" | "closeResolvedAfter">): { announceAfter: number; closeAfter: number } {
  const announceAfter = closeResolvedAfter > announceClosingAfter ? announceClosingAfter : 0;
  return { announceAfter, closeAfter: closeResolvedAfter === 0 ? 0 : closeResolvedAfter - announceAfter };
}

/** Limits sessions: how long they last without a request, and in total. A setting may only shorten them. */
export type SessionLimits = Record<"staffIdleMinutes" | "staffHours" | "clientIdleHours" | "clientDays", number>;

export const SESSION_LIMITS = {
  staffIdleMinutes: { min: 5, max: 30 },
  staffHours: { min: 1, max: 12 },
  clientIdleHours: { min: 1, max: 24 },
  clientDays: { min: 1, max: 14 },
} as const;

/** In days. */
export const TICKET_TIME_MAX = 90;

/** `approval`: staff look at a new organization before it can be used. */
export type SignUpPolicy = "open" | "approval" | "invite_only";

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
