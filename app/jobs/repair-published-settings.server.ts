import { republishSettings } from "~/features/settings/publish-settings.server";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Writes the published settings again after a save that failed to, or after the database was restored. */
export async function repairPublishedSettings(ctx: Pick<Ctx, "db" | "kv">): Promise<JobReport> {
  return { count: (await republishSettings(ctx)) ? 1 : 0 };
}
