import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { SiteSettings } from "~/features/settings/model";
import { SETTING_KEYS, settingsFrom } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import { retentionGroup, signUpGroup, staffMailGroup } from "./access-groups.server";
import type { SettingsGroup } from "./group.server";
import { GROUP_LABELS } from "./labels";
import { type GroupId, type GroupView, groupPath } from "./model";
import { signInRulesGroup } from "./sign-in-rules.server";
import { brandGroup, lookGroup, pricesGroup, privacyGroup, siteGroup, termsGroup } from "./site-groups.server";
import { hoursGroup, promisesGroup, quietTicketsGroup } from "./ticket-groups.server";

export const GROUPS: Record<GroupId, SettingsGroup<unknown>> = {
  site: siteGroup,
  brand: brandGroup,
  look: lookGroup,
  hours: hoursGroup,
  promises: promisesGroup,
  prices: pricesGroup,
  terms: termsGroup,
  privacy: privacyGroup,
  tickets: quietTicketsGroup,
  "sign-up": signUpGroup,
  mail: staffMailGroup,
  "sign-in": signInRulesGroup,
  retention: retentionGroup,
};

type StoredSetting = { key: string; value: string; version: number; at: Instant; by: string | null };

type StoredSettings = { settings: SiteSettings; rows: StoredSetting[] };

const listed = (keys: readonly string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;

export async function readSettings(db: Db): Promise<StoredSettings> {
  const rows = await db.all<StoredSetting>(sql`
    SELECT s.key, s.value_json AS value, s.version, s.updated_at AS at, u.full_name AS by
    FROM settings s LEFT JOIN users u ON u.id = s.updated_by WHERE s.key IN ${listed(SETTING_KEYS)}`);
  return { settings: settingsFrom(rows), rows };
}

const shownKeys = (id: GroupId): readonly string[] => [...GROUPS[id].keys, ...(GROUPS[id].shows ?? [])];

export const groupVersion = (id: GroupId): SQL =>
  sql`(SELECT coalesce(sum(version), 0) FROM settings WHERE key IN ${listed(shownKeys(id))})`;

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
