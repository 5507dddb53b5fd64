import { eq, sql } from "drizzle-orm";
import { claimKey, commit, expectThat, findClaim } from "~/db/client.server";
import { settings } from "~/db/schema/settings";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { type LogoFile, logoKey } from "~/features/settings/logo/model";
import { publishSettings } from "~/features/settings/publish-settings.server";
import { isActiveAdmin } from "~/features/user-management/admin-guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { saveSetting } from "../save-settings.server";
import type { Picture } from "./inspect-logo.server";

type LogoChange = {
  /** Holds the new logo; null: the default mark returns. */
  picture: Picture | null;
  /** Holds the version that the form has shown. */
  version: number;
  nonce: string;
};

const KEY = "logo";

/** Reads the logo, with its version. Version 0: none was ever saved. */
export async function findLogo(db: Ctx["db"]): Promise<{ version: number; logo: unknown }> {
  const [row] = await db
    .select({ version: settings.version, value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, KEY))
    .limit(1);
  return { version: row?.version ?? 0, logo: row ? JSON.parse(row.value) : null };
}

/**
 * Saves a logo, or takes it away, and publishes it. Its file is stored first, so that no page names one that is not
 * there. Former files stay: pages that were loaded before still show them. Fails with `settings_changed` when somebody
 * has saved another one meanwhile.
 */
export async function saveLogo(
  ctx: Ctx,
  actor: StaffActor,
  { picture, version, nonce }: LogoChange,
): Promise<Result<void, "settings_changed">> {
  const { db } = ctx;
  const logo: LogoFile | null = picture?.file ?? null;
  if (picture) await ctx.files.put(logoKey(picture.file), picture.bytes, {});
  const scope = "settings-logo";
  // Where the answer to a form was lost, its token comes again, perhaps with another file.
  const key = `${nonce}:${fingerprintOf(JSON.stringify(logo))}`;
  const at = ctx.now();
  const written = await commit(db, [
    ...claimKey(db, { key, scope, resultLocation: KEY, at }),
    expectThat(db, isActiveAdmin(actor.userId)),
    expectThat(db, sql`(SELECT coalesce(sum(version), 0) FROM settings WHERE key = ${KEY}) = ${version}`),
    saveSetting(ctx, KEY, logo),
    recordAudit(ctx, "settings.brand_changed", {
      subject: { type: "settings", id: KEY, label: null },
      meta: { after: { logo }, changed: [logo ? `Logo: ${logo.width} × ${logo.height} pixels` : "Logo: removed"] },
    }),
  ]);
  if (!written && !(await isStill(db, { key, scope, logo }))) return fail("settings_changed");
  await publishSettings(ctx);
  return ok(undefined);
}

/** Tells whether the first post of the same form has saved this logo, and nobody another one since. */
async function isStill(db: Ctx["db"], { key, scope, logo }: { key: string; scope: string; logo: LogoFile | null }) {
  const [claimed, stored] = await Promise.all([findClaim(db, key, scope), findLogo(db)]);
  return claimed !== null && JSON.stringify(stored.logo) === JSON.stringify(logo);
}
