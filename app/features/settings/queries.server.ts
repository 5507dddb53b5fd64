import { inArray } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { DEFAULT_SETTINGS, type SiteSettings } from "./model";

/** A stored value that no longer fits its rule counts as absent: a page must not fail over an old setting. */
const Stored = z.object({
  adminEmail: z.email().catch(DEFAULT_SETTINGS.adminEmail),
  // An earlier version of the product knew "in_progress", which means contacted.
  autoAssignStatus: z
    .preprocess((value) => (value === "in_progress" ? "contacted" : value), z.enum(["new", "contacted", "resolved"]))
    .catch(DEFAULT_SETTINGS.autoAssignStatus),
  timeZone: z.string().min(1).catch(DEFAULT_SETTINGS.timeZone),
});

/** The settings as they stand: stored values over defaults. */
export async function getSettings(db: Db): Promise<SiteSettings> {
  const rows = await db
    .select({ key: settings.key, value: settings.value_json })
    .from(settings)
    .where(inArray(settings.key, Object.keys(DEFAULT_SETTINGS)));
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
  return Stored.parse({ ...DEFAULT_SETTINGS, ...stored });
}
