import { describeError } from "~/lib/describe-error";
import { type Duration, seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";
import type { Ctx } from "~/platform/context.server";
import {
  fetchPublishedSettings,
  type PublishedSettings,
  putPublishedSettings,
} from "~/platform/published-settings.server";
import { findPublicSettings } from "./queries.server";
import { rememberSavedVersion } from "./saved-settings.server";

/** Limits how long publishing may take: somebody waits for the page that says "saved". */
const PUBLISH_TIMEOUT: Duration = seconds(3);

/**
 * Publishes the settings to KV after a save. Publishes what the database has now, not what was just saved, and checks
 * it again afterwards: of two saves at once, the one that writes last sees the newer of them. When KV fails, the
 * schedule publishes them within a minute. The browser that has saved sees them at once.
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

/**
 * Publishes the settings again if KV does not have the version of the database. Returns whether it wrote. Throws when
 * either does not respond.
 */
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
