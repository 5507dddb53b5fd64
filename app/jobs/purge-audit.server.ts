import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { auditEvents, auditSeals } from "~/db/schema/audit";
import { copiesToFit, deleteCopies, listCopies, readEpochs } from "~/features/audit/chain.server";
import { AUDIT_RETENTION } from "~/features/audit/retention";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

const DATABASE_NOW = sql`unixepoch() * 1000`;

const DELETED_AT_ONCE = 50;
const MAX_STATEMENTS = 4;

/**
 * Oldest first, each with its seal, so that the chain only loses its beginning. Events go when their copy is as old:
 * younger copies prove the chain and need them. The last seal stays, to which the next one is joined.
 */
export async function purgeAudit(ctx: Pick<Ctx, "budget" | "db" | "files" | "now">): Promise<JobReport> {
  const before = ctx.now() - AUDIT_RETENTION;
  const [found, epochs] = await Promise.all([listCopies(ctx), readEpochs(ctx)]);
  const copies = found.filter(({ at }) => at < before);
  // What a restore took away has ids that other events have now.
  const own = copiesToFit(copies, epochs);
  const through = Math.max(0, ...own.map((copy) => copy.through));
  let count = 0;
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const old = await ctx.db.all<{ id: number }>(sql`
      SELECT id FROM audit_events WHERE id <= ${through} AND id < (SELECT max(event_id) FROM audit_seals)
        AND at < ${before} AND at < ${DATABASE_NOW} - ${AUDIT_RETENTION} ORDER BY id LIMIT ${DELETED_AT_ONCE}`);
    const among = sql`(SELECT value FROM json_each(${JSON.stringify(old.map(({ id }) => id))}))`;
    const isDeleted = await commit(ctx.db, [
      ctx.db.delete(auditSeals).where(sql`${auditSeals.event_id} IN ${among}`),
      ctx.db.delete(auditEvents).where(sql`${auditEvents.id} IN ${among}`),
    ]);
    if (!isDeleted) return { count };
    count += old.length;
    if (old.length < DELETED_AT_ONCE) {
      const [oldest] = await ctx.db.all<{ id: number | null }>(sql`SELECT min(id) AS id FROM audit_events`);
      const first = oldest?.id ?? 0;
      await deleteCopies(
        ctx,
        copies.filter((copy) => copy.through < first || !own.includes(copy)),
      );
      return { count };
    }
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}
