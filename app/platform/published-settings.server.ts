import * as z from "zod";
import { type Duration, type Instant, seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";

/**
 * Holds the public part of the site's settings, published to KV so that public pages need no database. For display
 * only. Version 0 means that nothing is saved yet: all values are defaults.
 */
export type PublishedSettings = {
  version: number;
  brand: unknown;
  /** Holds the other settings by their key. */
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

/** Publishes settings to KV. Rejects when KV does not respond. */
export async function putPublishedSettings(kv: KVNamespace, settings: PublishedSettings): Promise<void> {
  await kv.put(KEY, JSON.stringify(settings));
}

/**
 * Creates a reader with a cache. It reads KV at most twice a minute and never fails: while KV does not respond it
 * returns the last settings it has read, or the defaults if there are none.
 */
export function createSettingsCache() {
  let cached = { settings: NOTHING_SAVED, until: 0 };
  return async function readCached(kv: KVNamespace, now: Instant): Promise<PublishedSettings> {
    if (now < cached.until) return cached.settings;
    const settings = await withTimeout(READ_TIMEOUT, fetchPublishedSettings(kv)).catch(() => cached.settings);
    cached = { settings, until: now + LIFETIME };
    return settings;
  };
}

/** Reads through the cache of this isolate. */
const readCached = createSettingsCache();

/**
 * Returns the reader of one request. It reads on the first call and then always returns the same settings, so that a
 * page is never rendered with one version and cached under another.
 */
export function publishedSettingsReader(kv: KVNamespace, now: () => Instant): () => Promise<PublishedSettings> {
  let settings: Promise<PublishedSettings> | undefined;
  return () => {
    settings ??= readCached(kv, now());
    return settings;
  };
}
