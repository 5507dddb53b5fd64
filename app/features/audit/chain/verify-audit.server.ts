import { eq, sql } from "drizzle-orm";
import { counters } from "~/db/schema/infrastructure";
import type { Ctx } from "~/platform/context.server";
import { findUnfitCopy, listCopies } from "./copies.server";
import { copiesToFit, copyOfUnknownFuture, readEpochs, unrecordedRestore } from "./epochs.server";
import { CHAIN_CHUNK, type Seal, type SealedEvent, sealedColumns, sealOf } from "./seals.server";

/** Limits the chunks of one run: 20,000 events. The next run continues behind them. */
const MAX_CHUNKS = 40;

/** Names the counter that holds the id up to which the present round has verified the chain. */
const PROGRESS = "audit.verified";

/**
 * Tells that the audit is not what was recorded: an event was changed, deleted or put between others, or the whole
 * chain was computed anew. `eventId`: the first event that does not fit.
 */
export class BrokenAuditError extends Error {
  constructor(readonly eventId: number) {
    super(`The audit does not fit its seals at event ${eventId}`);
  }
}

type Verified = { count: number; more: boolean };
type VerifyContext = Pick<Ctx, "budget" | "config" | "db" | "files" | "now">;

/** Holds a seal with its event. All columns of the event are null if there is none. */
type Link = Seal & SealedEvent;

/**
 * Compares every sealed event with its seal and with the next one, and the chain with its copies in the file store. One
 * round may take several runs. Throws a `BrokenAuditError` when something does not fit.
 */
export async function verifyAudit(ctx: VerifyContext): Promise<Verified> {
  const [progress] = await ctx.db.select().from(counters).where(eq(counters.name, PROGRESS));
  let after = progress?.value ?? 0;
  let count = 0;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const verified = await verifyChunk(ctx, after);
    count += verified.count;
    if (verified.count < CHAIN_CHUNK) {
      await verifyCopies(ctx);
      await saveProgress(ctx, 0);
      return { count, more: false };
    }
    after = verified.through;
    if (ctx.budget.isUsedUp()) break;
  }
  await saveProgress(ctx, after);
  return { count, more: true };
}

async function verifyChunk(ctx: VerifyContext, after: number): Promise<{ count: number; through: number }> {
  const read = await ctx.db.all<Link>(sql`SELECT s.event_id, s.prev_hash, s.hash, ${sealedColumns}
    FROM audit_seals s LEFT JOIN audit_events e ON e.id = s.event_id
    WHERE s.event_id >= ${after} ORDER BY s.event_id LIMIT ${CHAIN_CHUNK + 1}`);
  const known = read[0]?.event_id === after ? read[0] : undefined;
  const links = known ? read.slice(1) : read.slice(0, CHAIN_CHUNK);
  // The oldest link has none before it, or one that was deleted with its event after the retention.
  let previous = known?.hash ?? links[0]?.prev_hash ?? "";
  for (const link of links) {
    const fits = link.id === link.event_id && link.prev_hash === previous && link.hash === sealOf(ctx, previous, link);
    if (!fits) throw new BrokenAuditError(link.event_id);
    previous = link.hash;
  }
  const through = links.at(-1)?.event_id ?? after;
  await expectNoneBetween(ctx, { after, through, count: links.length });
  return { count: links.length, through };
}

/** Throws if there are events between the sealed ones: nothing is recorded below an event that is sealed. */
async function expectNoneBetween({ db }: Pick<Ctx, "db">, range: { after: number; through: number; count: number }) {
  const [found] = await db.all<{ count: number; unsealed: number | null }>(sql`
    SELECT count(*) AS count, min(iif(s.event_id IS NULL, e.id, NULL)) AS unsealed
    FROM audit_events e LEFT JOIN audit_seals s ON s.event_id = e.id
    WHERE e.id > ${range.after} AND e.id <= ${range.through}`);
  if (found?.count !== range.count) throw new BrokenAuditError(found?.unsealed ?? range.through);
}

/**
 * Throws if the chain is not the one of which copies were made, but for what a recorded restore took away; and if a
 * restore is claimed of which the chain does not tell.
 */
async function verifyCopies(ctx: VerifyContext): Promise<void> {
  const [copies, epochs] = await Promise.all([listCopies(ctx), readEpochs(ctx)]);
  const untold = await unrecordedRestore(ctx, epochs);
  if (untold !== null) throw new BrokenAuditError(untold);
  const broken = copyOfUnknownFuture(copies, epochs) ?? (await findUnfitCopy(ctx, copiesToFit(copies, epochs)));
  if (broken) throw new BrokenAuditError(broken.through);
}

const saveProgress = async ({ db }: Pick<Ctx, "db">, value: number): Promise<void> => {
  await db
    .insert(counters)
    .values({ name: PROGRESS, value })
    .onConflictDoUpdate({ target: counters.name, set: { value } });
};
