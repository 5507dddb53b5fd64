import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { settings as settingsTable } from "~/db/schema/site";
import { describeError, withTimeout } from "~/lib/errors";
import { type Duration, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { setCookie } from "~/platform/cookies.server";
import { readSigned, signed } from "~/platform/crypto.server";
import {
  fetchPublishedSettings,
  type PublishedSettings,
  putPublishedSettings,
} from "~/platform/published-settings.server";
import { findPublicSettings } from "./queries.server";
import type { SettingKey } from "./settings.server";

const COOKIE = "__Host-settings";
const SAVED_PURPOSE = "saved-settings/v1";

/** Sets how long the cookie lasts: as long as isolates and KV may still have the settings of before. */
const LIFETIME = seconds(90);

/** Remembers in this browser which version of the published settings it has saved. */
function rememberSavedVersion(ctx: Pick<Ctx, "config" | "setCookie">, version: number): void {
  setCookie(ctx, COOKIE, signed(ctx.config.FORM_KEY_1, SAVED_PURPOSE, String(version)), LIFETIME);
}

/**
 * Reads the database for a browser that has just saved newer settings than are published; everybody else follows within
 * a minute.
 */
export function settingsAsSaved(
  ctx: Pick<Ctx, "config" | "db" | "publishedSettings" | "request">,
): Ctx["publishedSettings"] {
  const version = savedVersionOf(ctx);
  if (version === null) return ctx.publishedSettings;
  const { db, publishedSettings } = ctx;
  const read = async () => {
    const published = await publishedSettings();
    return published.version >= version ? published : findPublicSettings(db).catch(() => published);
  };
  let settings: ReturnType<typeof read> | undefined;
  return () => {
    settings ??= read();
    return settings;
  };
}

/** Reads which version this browser has saved. Null: none lately, or the cookie is not ours. */
function savedVersionOf({ config, request }: Pick<Ctx, "config" | "request">): number | null {
  const version = readSigned(config.FORM_KEY_1, SAVED_PURPOSE, request.cookies.get(COOKIE) ?? "");
  return version === null ? null : Number(version);
}

const PUBLISH_TIMEOUT: Duration = seconds(3);

/**
 * Publishes what the database has and checks again: of two saves at once, the last writer sees the newer. The schedule
 * mends failures within a minute.
 */
export async function publishSettings(
  ctx: Pick<Ctx, "config" | "db" | "kv" | "log" | "request" | "setCookie">,
): Promise<void> {
  try {
    const saved = await findPublicSettings(ctx.db);
    rememberSavedVersion(ctx, saved.version);
    await withTimeout(PUBLISH_TIMEOUT, publishSaved(ctx, saved));
  } catch (error) {
    ctx.log("error", { event: "settings_not_published", request_id: ctx.request.id, error: describeError(error) });
  }
}

/** Returns whether it wrote. Throws when either does not respond. */
export async function republishSettings(ctx: Pick<Ctx, "db" | "kv">): Promise<boolean> {
  const [saved, published] = await Promise.all([findPublicSettings(ctx.db), fetchPublishedSettings(ctx.kv)]);
  if (saved.version === published.version) return false;
  await publishSaved(ctx, saved);
  return true;
}

async function publishSaved(ctx: Pick<Ctx, "db" | "kv">, saved?: PublishedSettings): Promise<void> {
  let current = saved ?? (await findPublicSettings(ctx.db));
  for (let written = -1; written !== current.version; current = await findPublicSettings(ctx.db)) {
    await putPublishedSettings(ctx.kv, current);
    written = current.version;
  }
}

export function saveSetting(
  { db, now, signedIn }: Pick<Ctx, "db" | "now" | "signedIn">,
  key: SettingKey,
  value: unknown,
): Statement {
  const row = { value_json: JSON.stringify(value), updated_at: now(), updated_by: signedIn?.userId ?? null };
  return db
    .insert(settingsTable)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: settingsTable.key, set: { ...row, version: sql`${settingsTable.version} + 1` } });
}
