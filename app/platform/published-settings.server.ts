import * as z from "zod";
import { type Duration, type Instant, seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";

/**
 * The site's settings as far as everybody sees them: a copy for display, in KV, so that public pages need no database.
 * It decides nothing. Version 0 stands for a site on which nothing was saved yet: all defaults.
 */
export type SiteCopy = { version: number; brand: unknown };

const KEY = "site:current";
const Stored = z.object({ version: z.number().int().nonnegative(), brand: z.unknown() });
const NOTHING_SAVED: SiteCopy = { version: 0, brand: {} };

/** How long an isolate goes by what it has read. With the same again in KV's own cache a change shows in a minute. */
const LIFETIME: Duration = seconds(30);
/** Pages wait for the copy: what has not come by then is not worth more waiting. */
const PATIENCE: Duration = seconds(1);

/** What is stored, straight from KV. What cannot be understood counts as absent; throws when KV does not answer. */
export async function fetchSiteCopy(kv: KVNamespace): Promise<SiteCopy> {
  const found = await kv.get(KEY, { type: "json", cacheTtl: LIFETIME / 1000 });
  const stored = Stored.safeParse(found);
  return stored.success ? stored.data : NOTHING_SAVED;
}

export async function putSiteCopy(kv: KVNamespace, copy: SiteCopy): Promise<void> {
  await kv.put(KEY, JSON.stringify(copy));
}

/**
 * Reads the copy at most twice a minute and never fails: without KV the last known copy stays, and an isolate that has
 * never seen one shows the defaults.
 */
export function createSiteCopyReader() {
  let known = { copy: NOTHING_SAVED, until: 0 };
  return async function readSiteCopy(kv: KVNamespace, now: Instant): Promise<SiteCopy> {
    if (now < known.until) return known.copy;
    const copy = await withTimeout(PATIENCE, fetchSiteCopy(kv)).catch(() => known.copy);
    known = { copy, until: now + LIFETIME };
    return copy;
  };
}

/** The reader of this isolate. */
export const readSiteCopy = createSiteCopyReader();

/**
 * The copy as one request sees it: read when somebody first asks, and then the same to the end, so that a page never
 * shows one version and is kept as another.
 */
export function siteCopyOf(kv: KVNamespace, now: () => Instant): () => Promise<SiteCopy> {
  let copy: Promise<SiteCopy> | undefined;
  return () => {
    copy ??= readSiteCopy(kv, now());
    return copy;
  };
}
