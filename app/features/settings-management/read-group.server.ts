import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { SiteSettings } from "~/features/settings/model";
import { SETTING_KEYS, settingsFrom } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import { GROUP_LABELS } from "./copy";
import { GROUPS } from "./groups.server";
import { type GroupId, type GroupView, groupPath } from "./model";

type StoredSetting = { key: string; value: string; version: number; at: Instant; by: string | null };

/** Holds all settings, with who has saved which when. */
type StoredSettings = { settings: SiteSettings; rows: StoredSetting[] };

const listed = (keys: readonly string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;

/** Reads all settings, with who has saved which when. */
export async function readSettings(db: Db): Promise<StoredSettings> {
  const rows = await db.all<StoredSetting>(sql`
    SELECT s.key, s.value_json AS value, s.version, s.updated_at AS at, u.full_name AS by
    FROM settings s LEFT JOIN users u ON u.id = s.updated_by WHERE s.key IN ${listed(SETTING_KEYS)}`);
  return { settings: settingsFrom(rows), rows };
}

/** Returns the settings that a group's form shows. */
const shownKeys = (id: GroupId): readonly string[] => [...GROUPS[id].keys, ...(GROUPS[id].shows ?? [])];

/** Returns the sum of the versions of what a group's form shows, which grows whichever of it is saved. */
export const groupVersion = (id: GroupId): SQL =>
  sql`(SELECT coalesce(sum(version), 0) FROM settings WHERE key IN ${listed(shownKeys(id))})`;

/** Returns a group of settings for its form. */
export function groupView({ settings, rows }: StoredSettings, id: GroupId, now: Instant): GroupView {
  const { text = null, fields, keys, values, preview, link = null } = GROUPS[id];
  const own = rows.filter(({ key }) => keys.some((one) => one === key)).sort((one, other) => other.at - one.at);
  const [latest] = own;
  return {
    id,
    label: GROUP_LABELS[id],
    path: groupPath(id),
    text: typeof text === "function" ? text(settings, now) : text,
    fields,
    values: values(settings),
    link,
    preview: preview?.(settings) ?? null,
    version: rows.reduce((sum, { key, version }) => (shownKeys(id).includes(key) ? sum + version : sum), 0),
    lastChange: latest ? { at: latest.at, by: latest.by } : null,
  };
}
