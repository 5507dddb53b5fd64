import * as z from "zod";
import { withTimeout } from "~/lib/errors";
import { type Duration, type Instant, seconds } from "~/lib/time";

/** Published to KV so that public pages need no database. For display only. Version 0: nothing is saved yet. */
export type PublishedSettings = {
  version: number;
  brand: unknown;
  values: Record<string, unknown>;
};

const KEY = "site:current";
const AnyRecord = z.record(z.string(), z.unknown()).catch({});
const Stored = z.object({ version: z.number().int().nonnegative(), brand: z.unknown(), values: AnyRecord });
const NOTHING_SAVED: PublishedSettings = { version: 0, brand: {}, values: {} };

/**
 * Sets how long an isolate and KV's own cache reuse what they have read: a change is visible after a minute at most.
 */
const LIFETIME: Duration = seconds(30);
const READ_TIMEOUT: Duration = seconds(1);

/** Reads the published settings from KV. Unreadable ones count as missing. Throws when KV does not respond. */
export async function fetchPublishedSettings(kv: KVNamespace): Promise<PublishedSettings> {
  const found = await kv.get(KEY, { type: "json", cacheTtl: LIFETIME / 1000 });
  const stored = Stored.safeParse(found);
  return stored.success ? stored.data : NOTHING_SAVED;
}

export async function putPublishedSettings(kv: KVNamespace, settings: PublishedSettings): Promise<void> {
  await kv.put(KEY, JSON.stringify(settings));
}

/** Reads KV at most twice a minute and never fails: without KV it returns what it read last, or the defaults. */
export function createSettingsCache() {
  let cached = { settings: NOTHING_SAVED, until: 0 };
  return async function readCached(kv: KVNamespace, now: Instant): Promise<PublishedSettings> {
    if (now < cached.until) return cached.settings;
    const settings = await withTimeout(READ_TIMEOUT, fetchPublishedSettings(kv)).catch(() => cached.settings);
    cached = { settings, until: now + LIFETIME };
    return settings;
  };
}

const readCached = createSettingsCache();

/** The same settings for the whole request: no page is rendered with one version and cached under another. */
export function publishedSettingsReader(kv: KVNamespace, now: () => Instant): () => Promise<PublishedSettings> {
  let settings: Promise<PublishedSettings> | undefined;
  return () => {
    settings ??= readCached(kv, now());
    return settings;
  };
}
