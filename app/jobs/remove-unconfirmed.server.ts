import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { removeUnconfirmed } from "~/features/auth/address-claims.server";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Limits the accounts of one run; the next one continues. */
const MAX_ACCOUNTS = 200;

/**
 * Deletes accounts whose address nobody has confirmed: a day after the last sign-up with it, and when no link to
 * confirm it works any more.
 */
export async function removeUnconfirmedAccounts(ctx: Pick<Ctx, "db" | "now">): Promise<JobReport> {
  const now = ctx.now();
  const expired = await ctx.db.all<{ id: string }>(sql`
    select id from users where status = 'unverified' and updated_at <= ${now - days(1)}
      and not exists (select 1 from auth_tokens t where t.user_id = users.id and t.purpose = 'verify_email'
        and t.consumed_at is null and t.expires_at > ${now})
    limit ${MAX_ACCOUNTS}`);
  if (expired.length === 0) return { count: 0 };
  const ids = JSON.stringify(expired.map(({ id }) => id));
  // Somebody may have signed up with the address again in the meantime.
  const condition = sql`id in (select value from json_each(${ids})) and updated_at <= ${now - days(1)}`;
  await commit(ctx.db, removeUnconfirmed(ctx.db, condition));
  return { count: expired.length, more: expired.length === MAX_ACCOUNTS };
}
