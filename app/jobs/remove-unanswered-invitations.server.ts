import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { invitations } from "~/db/schema/organizations";
import { removePendingAccounts, removePendingMemberships } from "~/features/invitations/targets.server";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Limits the invitations of one run; the next one continues. */
const MAX_INVITATIONS = 200;

/**
 * Deletes the accounts and memberships whose person has not answered, thirty days after the link has expired. Until
 * then those who invited see that it has, and can send it again. Links that were used are deleted with the other
 * tokens.
 */
export async function removeUnansweredInvitations(ctx: Pick<Ctx, "db" | "now">): Promise<JobReport> {
  const before = ctx.now() - days(30);
  const expired = await ctx.db.all<{ target: string }>(sql`
    select coalesce(user_id, membership_id) as target from invitations
    where expires_at < ${before} and consumed_at is null limit ${MAX_INVITATIONS}`);
  if (expired.length === 0) return { count: 0 };
  const targets = JSON.stringify(expired.map(({ target }) => target));
  // Somebody may send one of them again in this moment.
  const unanswered = (
    column: string,
  ) => sql`id in (select i.${sql.raw(column)} from json_each(${targets}) found cross join invitations i on i.${sql.raw(column)} = found.value and i.consumed_at is null
    and i.expires_at < ${before})`;
  await commit(ctx.db, [
    ...removePendingAccounts(ctx, unanswered("user_id")),
    ...removePendingMemberships(ctx, unanswered("membership_id")),
    // The link of somebody who is in already, and has not used it, is all that is left of those.
    ctx.db.delete(invitations).where(
      sql`consumed_at is null and expires_at < ${before} and (user_id in (select value from json_each(${targets}))
          or membership_id in (select value from json_each(${targets})))`,
    ),
  ]);
  return { count: expired.length, more: expired.length === MAX_INVITATIONS };
}
