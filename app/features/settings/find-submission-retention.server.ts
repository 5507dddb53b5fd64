import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { DEFAULT_RETENTION, RETENTION_DAYS, RETENTION_KEY, type StoredRetention } from "./submission-retention";

const rule = { days: z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max), never: z.boolean() };

/** Describes the stored rule. One that cannot be read deletes nothing: what was meant is not known. */
export const RetentionSetting = z
  .object({ ...rule, savedAt: z.int().nullable(), before: z.object(rule) })
  .catch({ ...DEFAULT_RETENTION, never: true, before: { ...DEFAULT_RETENTION.before, never: true } });

/** Returns the saved rule of the retention, with its version. Version 0: nothing was saved yet. */
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
