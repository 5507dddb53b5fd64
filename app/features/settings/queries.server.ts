import { eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import type { Brand } from "~/content/brand";
import { type LegalText, PRIVACY_VERSION, privacyText, TERMS_VERSION, termsText } from "~/content/legal";
import type { Prices } from "~/content/plans-and-prices";
import type { Db } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import type { Holiday } from "~/lib/calendar";
import { HEX_COLOR } from "~/lib/color";
import { isEmailAddress } from "~/lib/email";
import { weekInWords } from "~/lib/opening-hours";
import type { Instant } from "~/lib/time";
import type { ListViewer } from "~/lists/criteria";
import { BulkForm, type Selection } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import type { PublishedSettings } from "~/platform/published-settings.server";
import type { PostedForm } from "~/platform/read-form.server";
import { mergedBrand } from "./brand-settings";
import { storedBrand } from "./forms.server";
import { readLegalText } from "./legal-markdown";
import {
  BRAND_KEY,
  type ClocksToMove,
  DEFAULT_RETENTION,
  DEFAULT_SETTINGS,
  DESCRIPTION_MAX,
  FILE_QUOTA_GB,
  FRAMES_MAX,
  HOLIDAYS_MAX,
  LOGO_SIDES,
  type LogoFile,
  logoImage,
  logoKey,
  type OpenTimes,
  PUBLIC_KEYS,
  RETENTION_DAYS,
  RETENTION_KEY,
  type ReplyTarget,
  SESSION_LIMITS,
  type ShortSettings,
  type SiteSettings,
  type StoredRetention,
  SUBMISSIONS_PER_DAY,
  TICKET_TIME_MAX,
  type TicketTimes,
} from "./model";

const END_OF_DAY = 1_440;
const minute = z.int().min(0).max(END_OF_DAY);

const Frames = z
  .array(z.object({ opens: minute, closes: minute }))
  .max(FRAMES_MAX)
  .refine((frames) =>
    frames.every(({ opens, closes }, index) => opens < closes && opens >= (frames[index - 1]?.closes ?? 0)),
  );

/** Describes a day off: "2026-11-27", or each year "12-25". */
const DayOff: z.ZodType<Holiday> = z.object({
  day: z.string().regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  name: z.string().min(1).max(100),
});

/** Reads when people work. A week without any open time is not accepted: nothing could be promised in it. */
const StoredOpenTimes: z.ZodType<OpenTimes> = z.object({
  week: z
    .array(Frames)
    .length(7)
    .refine((days) => days.some((frames) => frames.length > 0)),
  holidays: z.array(DayOff).max(HOLIDAYS_MAX),
});

/** Limits how far away a promised reply may be: 30 days. */
const Target: z.ZodType<ReplyTarget> = z.discriminatedUnion("unit", [
  z.object({ unit: z.literal("hours"), count: z.int().min(1).max(720) }),
  z.object({ unit: z.literal("working_days"), count: z.int().min(1).max(30) }),
]);

export const StoredReplyTargets = z.object({
  urgent: Target,
  high: Target,
  medium: Target,
  low: Target,
});

const StoredClocksToMove: z.ZodType<ClocksToMove> = z.object({ since: z.int(), doneUpTo: z.int() });

export const PRICE_MAX = 10_000_000;

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

const rule = { days: z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max), never: z.boolean() };

/** Describes the stored rule. One that cannot be read deletes nothing: what was meant is not known. */
const RetentionSetting = z
  .object({ ...rule, savedAt: z.int().nullable(), before: z.object(rule) })
  .catch({ ...DEFAULT_RETENTION, never: true, before: { ...DEFAULT_RETENTION.before, never: true } });

/** Version 0: nothing was saved yet. */
export async function findRetention(db: Db): Promise<{ version: number; retention: StoredRetention }> {
  const [row] = await db
    .select({ version: settings.version, value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, RETENTION_KEY))
    .limit(1);
  return row
    ? { version: row.version, retention: RetentionSetting.parse(JSON.parse(row.value)) }
    : { version: 0, retention: DEFAULT_RETENTION };
}

const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);
const daysOr = (key: keyof TicketTimes) => z.int().min(0).max(TICKET_TIME_MAX).catch(DEFAULT_SETTINGS[key]);

const logoSide = within(LOGO_SIDES);

export const StoredLogo: z.ZodType<LogoFile> = z.object({
  hash: z.string().regex(/^[0-9a-f]{32}$/),
  kind: z.enum(["png", "webp"]),
  width: logoSide,
  height: logoSide,
});

/** A value that no longer fits its rule counts as absent: a page must not fail over an old setting. */
const Stored = z.object({
  adminEmail: z.string().refine(isEmailAddress).catch(DEFAULT_SETTINGS.adminEmail),
  // A stored "in_progress" means contacted.
  autoAssignStatus: z
    .preprocess((value) => (value === "in_progress" ? "contacted" : value), z.enum(["new", "contacted", "resolved"]))
    .catch(DEFAULT_SETTINGS.autoAssignStatus),
  timeZone: z.string().min(1).catch(DEFAULT_SETTINGS.timeZone),
  maxSubmissionsPerDay: within(SUBMISSIONS_PER_DAY).catch(DEFAULT_SETTINGS.maxSubmissionsPerDay),
  onlyInviteExistingAccounts: z.boolean().catch(DEFAULT_SETTINGS.onlyInviteExistingAccounts),
  fileQuotaGb: within(FILE_QUOTA_GB).catch(DEFAULT_SETTINGS.fileQuotaGb),
  signUpPolicy: z.enum(["open", "approval", "invite_only"]).catch(DEFAULT_SETTINGS.signUpPolicy),
  openTimes: StoredOpenTimes.catch(DEFAULT_SETTINGS.openTimes),
  replyTargets: StoredReplyTargets.catch(DEFAULT_SETTINGS.replyTargets),
  resolutionTargets: StoredReplyTargets.nullable().catch(null),
  clocksToMove: StoredClocksToMove.nullable().catch(null),
  remindWaitingAfter: daysOr("remindWaitingAfter"),
  resolveWaitingAfter: daysOr("resolveWaitingAfter"),
  announceClosingAfter: daysOr("announceClosingAfter"),
  closeResolvedAfter: daysOr("closeResolvedAfter"),
  brand: z.unknown().transform(storedBrand),
  brandColor: z.string().regex(HEX_COLOR).catch(DEFAULT_SETTINGS.brandColor),
  logo: StoredLogo.nullable().catch(DEFAULT_SETTINGS.logo),
  siteDescription: z.string().max(DESCRIPTION_MAX).catch(DEFAULT_SETTINGS.siteDescription),
  enableAnalytics: z.boolean().catch(DEFAULT_SETTINGS.enableAnalytics),
  enableNotifications: z.boolean().catch(DEFAULT_SETTINGS.enableNotifications),
  prices: StoredPrices.catch(DEFAULT_SETTINGS.prices),
  provenInboundDomain: z.string().nullable().catch(null),
  termsVersion: z.string().catch(DEFAULT_SETTINGS.termsVersion),
  privacyVersion: z.string().catch(DEFAULT_SETTINGS.privacyVersion),
  termsText: z.string().catch(""),
  privacyText: z.string().catch(""),
  companyDomain: z.string().max(253).catch(DEFAULT_SETTINGS.companyDomain),
  sessionLimits: z
    .object({
      staffIdleMinutes: within(SESSION_LIMITS.staffIdleMinutes),
      staffHours: within(SESSION_LIMITS.staffHours),
      clientIdleHours: within(SESSION_LIMITS.clientIdleHours),
      clientDays: within(SESSION_LIMITS.clientDays),
    })
    .catch(DEFAULT_SETTINGS.sessionLimits),
  mfaOfClientsSince: z.int().nullable().catch(DEFAULT_SETTINGS.mfaOfClientsSince),
  retention: RetentionSetting,
});

type StoredRow = { key: string; value: string };

const valuesOf = (rows: readonly StoredRow[]): Record<string, unknown> =>
  Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));

/** Remembers the settings that were read last, by their rows: every page reads them, and they hardly ever change. */
let lastRead: { text: string; settings: SiteSettings } | undefined;

export function settingsFrom(rows: readonly StoredRow[]): SiteSettings {
  const text = JSON.stringify(rows);
  if (lastRead?.text !== text) lastRead = { text, settings: Object.freeze(settingsOf(valuesOf(rows))) };
  return lastRead.settings;
}

export function settingsOf(stored: Record<string, unknown>): SiteSettings {
  // Until somebody says otherwise, notices go to the address the site names.
  const adminEmail = storedBrand(stored[BRAND_KEY]).email ?? DEFAULT_SETTINGS.adminEmail;
  return Stored.parse({ ...DEFAULT_SETTINGS, adminEmail, ...stored });
}

export const SETTING_KEYS = Object.keys(DEFAULT_SETTINGS) as (keyof SiteSettings)[];

const LONG_TEXTS: readonly (keyof SiteSettings)[] = ["termsText", "privacyText"];
const LONG_KEYS = sql.raw(LONG_TEXTS.map((key) => `'${key}'`).join(", "));

/** Goes through the rows there are: asked for by key, those that nobody has changed would cost a row each too. */
export async function getSettings(db: Db): Promise<ShortSettings> {
  return settingsFrom(
    await db.all<StoredRow>(sql`SELECT key, value_json AS value FROM ${settings} WHERE key NOT IN (${LONG_KEYS})`),
  );
}

/** Its version grows with every save of a public setting; 0: nothing was saved yet. */
export async function findPublicSettings(db: Db): Promise<PublishedSettings> {
  const rows = await db
    .select({ key: settings.key, version: settings.version, value: settings.value_json })
    .from(settings)
    .where(inArray(settings.key, [...PUBLIC_KEYS]));
  const { brand, ...values } = valuesOf(rows);
  return { version: rows.reduce((sum, row) => sum + row.version, 0), brand: storedBrand(brand), values };
}

/** Remembers the time zone of the last read: nearly always still the right one. */
let lastKnownZone = DEFAULT_SETTINGS.timeZone;

/** Reads with the last known zone and repeats if it has changed, so that the settings cost no round trip. */
export async function readInSiteZone<Value>(
  db: Db,
  read: (zone: string) => Promise<Value>,
): Promise<{ settings: ShortSettings; value: Value }> {
  const zone = lastKnownZone;
  const [settings, value] = await Promise.all([getSettings(db), read(zone)]);
  lastKnownZone = settings.timeZone;
  return { settings, value: settings.timeZone === zone ? value : await read(settings.timeZone) };
}

const brands = new WeakMap<object, Brand>();

/** Costs no database read and never fails. */
export async function effectiveBrand({ publishedSettings }: Pick<Ctx, "publishedSettings">): Promise<Brand> {
  const settings = await publishedSettings();
  // Every isolate keeps the settings it has read for a while, and each page asks for the brand several times.
  const known = brands.get(settings) ?? brandOf(settingsOf({ ...settings.values, brand: settings.brand }));
  brands.set(settings, known);
  return known;
}

export const brandOf = ({ brand, siteDescription, openTimes, prices, ...settings }: SiteSettings): Brand => ({
  ...mergedBrand(brand),
  description: siteDescription,
  color: settings.brandColor,
  logo: settings.logo && logoImage(settings.logo),
  prices,
  countsViews: settings.enableAnalytics,
  keepsRequests: settings.retention.never ? null : settings.retention.days,
  domain: settings.companyDomain,
  hours: brand.hours ?? weekInWords(openTimes.week),
});

const NAME = /^logo-([0-9a-f]{32})\.(png|webp)$/;

/** Says that nobody may keep an older file under this name: it holds a hash of the content. */
const FOR_EVER = "public, max-age=31536000, immutable";

export async function logoContent({ files }: Pick<Ctx, "files">, name: string) {
  const [, hash, kind] = NAME.exec(name) ?? [];
  return hash && kind ? files.get(logoKey({ hash, kind: kind as LogoFile["kind"] })) : null;
}

/** Browsers neither guess another type nor run anything in it. */
export async function logoFile(ctx: Pick<Ctx, "files">, name: string): Promise<Response | null> {
  const content = await logoContent(ctx, name);
  if (!content) return null;
  return new Response(content, {
    headers: {
      "Content-Type": `image/${name.slice(name.lastIndexOf(".") + 1)}`,
      "Cache-Control": FOR_EVER,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      // Mail programs in a browser show it on pages of theirs.
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}

export type LegalKind = "terms" | "privacy";

export const versionInForce = (settings: SiteSettings, kind: LegalKind): string =>
  kind === "terms"
    ? settings.termsText
      ? settings.termsVersion
      : TERMS_VERSION
    : settings.privacyText
      ? settings.privacyVersion
      : PRIVACY_VERSION;

/** Returns the version of the terms that visitors read now. Costs no read of the database. */
export const publishedTermsVersion = async (ctx: Pick<Ctx, "publishedSettings">): Promise<string> =>
  versionInForce(settingsOf((await ctx.publishedSettings()).values), "terms");

/** Returns a legal text as the site shows it: our own, or the default one. Costs no read of the database. */
export async function publishedLegalText(ctx: Pick<Ctx, "publishedSettings">, kind: LegalKind): Promise<LegalText> {
  const brand = await effectiveBrand(ctx);
  const standard = kind === "terms" ? termsText(brand) : privacyText(brand);
  const settings = settingsOf((await ctx.publishedSettings()).values);
  const written = readLegalText(kind === "terms" ? settings.termsText : settings.privacyText);
  if (!written) return standard;
  return { title: standard.title, version: versionInForce(settings, kind), ...written };
}

type Rows<Filter> = {
  list: { readFilter: (params: URLSearchParams) => Filter };
  selectPosted: (values: readonly string[], actor: Actor) => Selection;
  selectMatching: (
    db: Db,
    request: { filter: Filter; viewer: ListViewer; unchangedSince?: Instant },
  ) => Promise<Selection>;
};

/** Rows that were created or changed after the list was read are left out of those that match the filter. */
export async function readSelection<Filter>(
  ctx: Pick<Ctx, "db" | "now">,
  actor: Actor,
  { fields, lists }: PostedForm,
  { list, selectPosted, selectMatching }: Rows<Filter>,
): Promise<Selection> {
  const { target, query, readAt } = BulkForm.parse(fields);
  if (target === "selected") return selectPosted(lists.row ?? [], actor);
  const filter = list.readFilter(new URLSearchParams(query));
  const { value } = await readInSiteZone(ctx.db, (zone) =>
    selectMatching(ctx.db, { filter, viewer: { actor, zone, now: ctx.now() }, unchangedSince: readAt }),
  );
  return value;
}
