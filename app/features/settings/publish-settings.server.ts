import { describeError } from "~/lib/describe-error";
import { type Duration, seconds } from "~/lib/time";
import { withTimeout } from "~/lib/with-timeout";
import type { Ctx } from "~/platform/context.server";
import {
  fetchPublishedSettings,
  type PublishedSettings,
  putPublishedSettings,
} from "~/platform/published-settings.server";
import { findSavedBrand } from "./queries.server";

/** Somebody waits for the page that says "saved". */
const PATIENCE: Duration = seconds(3);

/**
 * Writes the display copy after a save. It is made from what the database holds now and not from what this request has
 * saved, and looked at again afterwards: of two saves at once, the one that writes last sees the newer of them. When KV
 * refuses, the timetable writes it within a minute.
 */
export async function publishSettings(ctx: Ctx): Promise<void> {
  try {
    await withTimeout(PATIENCE, writeCopy(ctx));
  } catch (error) {
    ctx.log("error", { event: "settings_not_published", request_id: ctx.request.id, error: describeError(error) });
  }
}

/** Writes the display copy if it is not the one of the database. True: it was not. Throws when either does not answer. */
export async function repairPublishedSettings(ctx: Ctx): Promise<boolean> {
  const [saved, shown] = await Promise.all([findSavedBrand(ctx.db), fetchPublishedSettings(ctx.kv)]);
  if (saved.version === shown.version) return false;
  await writeCopy(ctx, saved);
  return true;
}

async function writeCopy(ctx: Ctx, saved?: PublishedSettings): Promise<void> {
  let current = saved ?? (await findSavedBrand(ctx.db));
  for (let written = -1; written !== current.version; current = await findSavedBrand(ctx.db)) {
    await putPublishedSettings(ctx.kv, current);
    written = current.version;
  }
}
