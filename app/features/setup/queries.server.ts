import { sql } from "drizzle-orm";
import type { Ctx } from "~/platform/context.server";
import { type OpenStep, openSteps } from "./checklist";

/** Reads a handful of rows, however much there is. */
export async function listOpenSteps(ctx: Pick<Ctx, "config" | "db">): Promise<OpenStep[]> {
  const [row] = await ctx.db.all<{
    own_email: number;
    brand: number;
    look: number;
    staff: number;
    organization: number;
  }>(sql`
    SELECT EXISTS (SELECT 1 FROM settings WHERE key = 'adminEmail') AS own_email,
      EXISTS (SELECT 1 FROM settings WHERE key = 'brand' AND json_extract(value_json, '$.name') IS NOT NULL) AS brand,
      EXISTS (SELECT 1 FROM settings WHERE key IN ('brandColor', 'logo') AND value_json NOT IN ('""', 'null')) AS look,
      (SELECT count(*) FROM (SELECT 1 FROM user_roles WHERE role <> 'user' LIMIT 2)) AS staff,
      EXISTS (SELECT 1 FROM organizations) AS organization`);
  return openSteps({
    mailProvider: ctx.config.MAIL_PROVIDER,
    hasBotCheck: Boolean(ctx.config.TURNSTILE_SITE_KEY),
    hasOwnAdminEmail: row?.own_email === 1,
    hasOwnBrand: row?.brand === 1,
    hasOwnLook: row?.look === 1,
    staff: row?.staff ?? 0,
    hasOrganization: row?.organization === 1,
  });
}
