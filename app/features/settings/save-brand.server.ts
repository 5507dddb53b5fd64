import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { claimKey, commit, expectNoRow, expectRow, findClaim } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { type BrandSettings, overridesOf } from "./brand";
import { BRAND_KEY } from "./model";
import { publishSettings } from "./publish-settings.server";
import { findSavedBrand } from "./queries.server";

type BrandChange = {
  brand: BrandSettings;
  /** The version the form was filled in against; 0 when nothing had been saved yet. */
  version: number;
  nonce: string;
};

/**
 * Saves what the site says about the provider, and publishes it: public pages show it within a minute. If someone saved
 * meanwhile, nothing is written and the caller gets `settings_changed`. The audit stores the values before and after.
 */
export async function saveBrand(
  ctx: Ctx,
  actor: Actor,
  { brand, version, nonce }: BrandChange,
): Promise<Result<null, "settings_forbidden" | "settings_changed">> {
  if (!can(actor, "settings.change")) return fail("settings_forbidden");
  const before = await findSavedBrand(ctx.db);
  const after = overridesOf(brand);
  const at = ctx.now();
  const isBrand = eq(settings.key, BRAND_KEY);
  const unchangedRow = and(isBrand, eq(settings.version, version));
  const value = { value_json: JSON.stringify(after), updated_at: at, updated_by: actor.userId };
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "settings-brand", resultLocation: BRAND_KEY, at }),
    version === 0 ? expectNoRow(ctx.db, settings, isBrand) : expectRow(ctx.db, settings, unchangedRow),
    ctx.db
      .insert(settings)
      .values({ key: BRAND_KEY, ...value })
      .onConflictDoUpdate({ target: settings.key, set: { ...value, version: sql`${settings.version} + 1` } }),
    recordAudit(ctx, "settings.brand_changed", {
      subject: { type: "settings", id: BRAND_KEY, label: null },
      meta: { before: before.brand, after },
    }),
  ]);
  if (!written && !(await findClaim(ctx.db, nonce, "settings-brand"))) return fail("settings_changed");
  await publishSettings(ctx);
  return ok(null);
}
