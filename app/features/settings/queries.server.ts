import { eq, inArray } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { isEmailAddress } from "~/lib/email";
import type { BrandOverrides } from "./brand";
import { StoredClocksToMove, StoredOpenTimes, StoredReplyTargets } from "./calendar";
import { storedBrand } from "./forms.server";
import { BRAND_KEY, DEFAULT_SETTINGS, type SiteSettings, TICKET_TIME_MAX, type TicketTimes } from "./model";

const daysOr = (key: keyof TicketTimes) => z.int().min(0).max(TICKET_TIME_MAX).catch(DEFAULT_SETTINGS[key]);

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
  maxSubmissionsPerDay: z.int().min(1).max(10_000).catch(DEFAULT_SETTINGS.maxSubmissionsPerDay),
  onlyInviteExistingAccounts: z.boolean().catch(DEFAULT_SETTINGS.onlyInviteExistingAccounts),
  signUpPolicy: z.enum(["open", "approval", "invite_only"]).catch(DEFAULT_SETTINGS.signUpPolicy),
  openTimes: StoredOpenTimes.catch(DEFAULT_SETTINGS.openTimes),
  replyTargets: StoredReplyTargets.catch(DEFAULT_SETTINGS.replyTargets),
  clocksToMove: StoredClocksToMove.nullable().catch(null),
  remindWaitingAfter: daysOr("remindWaitingAfter"),
  resolveWaitingAfter: daysOr("resolveWaitingAfter"),
  announceClosingAfter: daysOr("announceClosingAfter"),
  closeResolvedAfter: daysOr("closeResolvedAfter"),
});

/** Returns the current settings: stored values over defaults. */
export async function getSettings(db: Db): Promise<SiteSettings> {
  const rows = await db
    .select({ key: settings.key, value: settings.value_json })
    .from(settings)
    .where(inArray(settings.key, [...Object.keys(DEFAULT_SETTINGS), BRAND_KEY]));
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
  // Until somebody says otherwise, notices go to the address the site names.
  const adminEmail = storedBrand(stored[BRAND_KEY]).email ?? DEFAULT_SETTINGS.adminEmail;
  return Stored.parse({ ...DEFAULT_SETTINGS, adminEmail, ...stored });
}

/** Returns the saved brand as the database has it. Version 0: nothing was saved yet. */
export async function findSavedBrand(db: Db): Promise<{ version: number; brand: BrandOverrides }> {
  const [row] = await db
    .select({ version: settings.version, value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, BRAND_KEY))
    .limit(1);
  return row ? { version: row.version, brand: storedBrand(JSON.parse(row.value)) } : { version: 0, brand: {} };
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
): Promise<{ settings: SiteSettings; value: Value }> {
  const zone = lastKnownZone;
  const [settings, value] = await Promise.all([getSettings(db), read(zone)]);
  lastKnownZone = settings.timeZone;
  return { settings, value: settings.timeZone === zone ? value : await read(settings.timeZone) };
}
