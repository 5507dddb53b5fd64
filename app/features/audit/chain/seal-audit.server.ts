import { sql } from "drizzle-orm";
import { commit, expectThat } from "~/db/client.server";
import { auditSeals } from "~/db/schema/audit";
import type { Ctx } from "~/platform/context.server";
import { CHAIN_CHUNK, FIRST_LINK, type Seal, type SealedEvent, sealedColumns, sealOf } from "./seals.server";

/** Limits the chunks of one run. */
const MAX_CHUNKS = 20;

/**
 * Seals the events that have no seal yet, in the order of their ids. The database commits one batch after the other and
 * gives ids in that order, so that no event can appear later below one that is sealed. Of two runs at the same time one
 * seals, because a chunk is written only while the chain still ends where it was read.
 */
export async function sealAudit(ctx: Pick<Ctx, "budget" | "config" | "db">): Promise<{ count: number; more: boolean }> {
  let count = 0;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const sealed = await sealChunk(ctx);
    count += sealed;
    if (sealed < CHAIN_CHUNK) return { count, more: false };
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

async function sealChunk(ctx: Pick<Ctx, "config" | "db">): Promise<number> {
  const [[head], events] = await Promise.all([
    ctx.db.all<Seal>(sql`SELECT event_id, hash FROM audit_seals ORDER BY event_id DESC LIMIT 1`),
    ctx.db.all<SealedEvent>(sql`SELECT ${sealedColumns} FROM audit_events e
      WHERE e.id > coalesce((SELECT max(event_id) FROM audit_seals), 0) ORDER BY e.id LIMIT ${CHAIN_CHUNK}`),
  ]);
  if (events.length === 0) return 0;
  const seals = chainOf(ctx, head?.hash ?? FIRST_LINK, events);
  const endsHere = sql`(SELECT max(event_id) FROM audit_seals) IS ${head?.event_id ?? null}`;
  const written = await commit(ctx.db, [
    expectThat(ctx.db, endsHere),
    ctx.db
      .insert(auditSeals)
      .select(sql`SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(seals)})`),
  ]);
  return written ? events.length : 0;
}

/** Computes the seals that continue a chain, each as the values of its columns. */
function chainOf(ctx: Pick<Ctx, "config">, head: string, events: readonly SealedEvent[]) {
  let previous = head;
  return events.map((event) => {
    const link = [event.id, previous, sealOf(ctx, previous, event)] as const;
    previous = link[2];
    return link;
  });
}
