import { inArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { HEX_COLOR } from "~/lib/color";
import { isEmailAddress } from "~/lib/email";
import type { PublishedSettings } from "~/platform/published-settings.server";
import { RetentionSetting } from "./find-submission-retention.server";
import { storedBrand } from "./forms.server";
import { LOGO_SIDES, type LogoFile } from "./logo/model";
import {
  BRAND_KEY,
  DEFAULT_SETTINGS,
  DESCRIPTION_MAX,
  FILE_QUOTA_GB,
  PUBLIC_KEYS,
  SESSION_LIMITS,
  type ShortSettings,
  type SiteSettings,
  SUBMISSIONS_PER_DAY,
  TICKET_TIME_MAX,
  type TicketTimes,
} from "./model";
import { StoredPrices } from "./prices.server";
import { StoredClocksToMove, StoredOpenTimes, StoredReplyTargets } from "./stored-calendar.server";

const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);
const daysOr = (key: keyof TicketTimes) => z.int().min(0).max(TICKET_TIME_MAX).catch(DEFAULT_SETTINGS[key]);

const logoSide = within(LOGO_SIDES);

/** Describes the stored logo. */
export const StoredLogo: z.ZodType<LogoFile> = z.object({
  hash: z.string().regex(/^[0-9a-f]{32}$/),
  kind: z.enum(["png", "webp"]),
  width: logoSide,
  height: logoSide,
});

/**
 * Describes the stored settings. A value that no longer fits its rule counts as absent: a page must not fail over an
 * old setting.
 */
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

/** Reads stored settings: their values over the defaults. */
export function settingsFrom(rows: readonly StoredRow[]): SiteSettings {
  const text = JSON.stringify(rows);
  if (lastRead?.text !== text) lastRead = { text, settings: Object.freeze(settingsOf(valuesOf(rows))) };
  return lastRead.settings;
}

/** Reads values of settings by their key, over the defaults. */
export function settingsOf(stored: Record<string, unknown>): SiteSettings {
  // Until somebody says otherwise, notices go to the address the site names.
  const adminEmail = storedBrand(stored[BRAND_KEY]).email ?? DEFAULT_SETTINGS.adminEmail;
  return Stored.parse({ ...DEFAULT_SETTINGS, adminEmail, ...stored });
}

export const SETTING_KEYS = Object.keys(DEFAULT_SETTINGS) as (keyof SiteSettings)[];

const LONG_TEXTS: readonly (keyof SiteSettings)[] = ["termsText", "privacyText"];
/** Lists these keys as one piece of SQL: as parameters they took longer to put together than the query itself. */
const LONG_KEYS = sql.raw(LONG_TEXTS.map((key) => `'${key}'`).join(", "));

/**
 * Returns the current settings: stored values over defaults. Goes through the rows there are, which are at most one for
 * each setting: asked for by their keys, those that nobody has changed would cost a row each too.
 */
export async function getSettings(db: Db): Promise<ShortSettings> {
  return settingsFrom(
    await db.all<StoredRow>(sql`SELECT key, value_json AS value FROM ${settings} WHERE key NOT IN (${LONG_KEYS})`),
  );
}

/**
 * Returns what public pages show of the settings, as the database has it. Its version grows with every save of one of
 * them; 0: nothing was saved yet.
 */
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

/**
 * Runs reads that depend on the site's time zone, such as "today", together with reading the settings, in the last
 * known zone, and again only if the zone has changed since. So they cost no round trip of their own.
 */
export async function readInSiteZone<Value>(
  db: Db,
  read: (zone: string) => Promise<Value>,
): Promise<{ settings: ShortSettings; value: Value }> {
  const zone = lastKnownZone;
  const [settings, value] = await Promise.all([getSettings(db), read(zone)]);
  lastKnownZone = settings.timeZone;
  return { settings, value: settings.timeZone === zone ? value : await read(settings.timeZone) };
}
