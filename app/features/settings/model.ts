import type { LogoImage } from "~/content/brand";
import type { hero, switching } from "~/content/home";
import type { Industry, IndustrySlug } from "~/content/industries";
import type { Plan, PlanId } from "~/content/plans-and-prices";
import type { Feature, Service, ServiceId } from "~/content/services";
import { brandFilePath } from "~/lib/addresses";
import type { Calendar } from "~/lib/calendar";
import { days, type Instant } from "~/lib/time";

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

export type OpenTimes = Pick<Calendar, "week" | "holidays">;

/** Holds how soon a reply is promised. Around the clock, a working day is 24 hours. */
export type ReplyTarget = { unit: "hours" | "working_days"; count: number };

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

/** The pictures an owner may give the site: each is a setting of this name. */
export type PictureName = "logo" | "portrait";

type PictureKind = "png" | "webp" | "jpg";

/**
 * Limits the sides of a picture, in pixels, and its size, in bytes: enough for sharp screens, and little enough to be
 * shown at once.
 */
export const PICTURES = {
  logo: { kinds: ["png", "webp"], sides: { min: 32, max: 2_000 }, size: 512 * 1024 },
  portrait: { kinds: ["jpg", "png", "webp"], sides: { min: 200, max: 3_000 }, size: 1024 * 1024 },
} as const satisfies Record<
  PictureName,
  { kinds: readonly PictureKind[]; sides: { min: number; max: number }; size: number }
>;

/** Named by the hash of its content; width and height in pixels. */
export type PictureFile = { hash: string; kind: PictureKind; width: number; height: number };

const fileName = (name: PictureName, { hash, kind }: PictureFile) => `${name}-${hash}.${kind}`;

export const pictureKey = (fileName: string): string => `brand/${fileName}`;

export const keyOfPicture = (name: PictureName, file: PictureFile): string => pictureKey(fileName(name, file));

type Sides = { width: number; height: number };

/** Tells whether a logo is so wide that it is taken to say the name, which then is only read aloud. */
export const saysName = ({ width, height }: Sides): boolean => width / height > 2;

/** Returns the size in which a logo fits a room: as high as that, unless it is too wide. */
export function logoSize({ width, height }: Sides, room: Sides): Sides {
  const scale = Math.min(room.height / height, room.width / width);
  return { width: width * scale, height: height * scale };
}

export const pictureImage = (name: PictureName, file: PictureFile): LogoImage => ({
  src: brandFilePath(fileName(name, file)),
  width: file.width,
  height: file.height,
});

/** In days; 0: never. Where nothing is closed, or nothing after the announcement, there is nothing to announce. */
export function closingTimes({
  announceClosingAfter,
  closeResolvedAfter,
}: Record<"announceClosingAfter" | "closeResolvedAfter", number>): { announceAfter: number; closeAfter: number } {
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

/** `approval`: staff look at a new organization before it can be used. */
export type SignUpPolicy = "open" | "approval" | "invite_only";

export type GroupId =
  | "company"
  | "look"
  | "hours"
  | "promises"
  | "prices"
  | "terms"
  | "privacy"
  | "tickets"
  | "sign-up"
  | "mail"
  | "sign-in"
  | "retention";

export type ContentSectionId =
  | "home"
  | "switching"
  | "story"
  | "network"
  | "plans"
  | "questions"
  | `service-${ServiceId}`
  | `industry-${IndustrySlug}`;

/** Each section of the site's content is a group too, with a page of its own. */
export type ContentGroupId = `content-${ContentSectionId}`;

/** `list`: one thing on each line; `pairs`: titles with a text below, apart by blank lines. */
export type ContentFormat = "line" | "text" | "list" | "pairs" | "tick";

/** Reads titles with a text each: a title on a line, its text below it, then a blank line. */
export const readPairs = (given: string): Feature[] =>
  given.split(/\n\s*\n/).map((block) => {
    const [title = "", ...rest] = block.trim().split("\n");
    return { title: title.trim(), text: rest.join(" ").trim() };
  });

export const withNames = (text: string, names: Record<string, string>): string =>
  Object.entries(names).reduce((all, [name, value]) => all.replaceAll(name, value), text);

/** Holds what public pages say, written by the owner or by `content/`. */
export type SiteContent = {
  hero: typeof hero;
  switching: typeof switching & { isHidden: boolean };
  founderWords: string;
  /** Tells whether a page shows what was promised, kept and missed. */
  showsPromises: boolean;
  /** Other pages lead there, because there is something to show. */
  linksPromises: boolean;
  /** Holds the picture of the founder; null: none is given. */
  portrait: LogoImage | null;
  plans: readonly Plan[];
  questions: readonly Feature[];
  services: readonly SiteService[];
  industries: readonly Industry[];
};

/** What people read of a plan: the owner's name for it. */
export type PlanNames = Readonly<Record<PlanId | "none", string>>;

export const planNamesOf = (plans: readonly Pick<Plan, "id" | "name">[]): PlanNames => ({
  none: "No plan",
  ...(Object.fromEntries(plans.map(({ id, name }) => [id, name])) as Record<PlanId, string>),
});

export type SiteService = Omit<Service, "note"> & { note: Feature | null };

export type SettingChoice = { value: string; label: string; text?: string };

export type SettingField = {
  name: string;
  label: string;
  hint?: string;
  optional?: true;
  /** Stands above it, where a long form turns to something else. */
  heading?: string;
} & (
  | { kind: "text" | "email" | "number" | "amount" | "area" | "tick" }
  /** `times`: those of a day; `days`: days off; `color`: with a preview before it is saved. */
  | { kind: "times" | "days" | "color" }
  | { kind: "radio" | "select"; choices: readonly SettingChoice[] }
);

/** Reads the times of a day in pairs: as stored, "08:00-12:00, 13:00-18:00", or one a line, as a form has them. */
export function timePairs(text: string): [from: string, until: string][] {
  const lines = text.split("\n").map((line) => line.trim());
  const isForm = lines.length > 1 && lines.every((line) => /^(\d{2}:\d{2})?$/.test(line));
  const pairs = isForm
    ? lines.flatMap((from, index): [string, string][] => (index % 2 === 0 ? [[from, lines[index + 1] ?? ""]] : []))
    : text.split(/[,;\n]/).map((part): [string, string] => {
        const [from = "", until = ""] = part.split(/[-–]/);
        return [from.trim(), until.trim()];
      });
  return pairs.filter(([from, until]) => from || until);
}
