import { sql } from "drizzle-orm";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { AUDIT_RETENTION } from "../retention";

/** Describes a copy: when it was made and in which epoch, the last event in it, and the seal of that event. */
export type Copy = { at: Instant; epoch: number; through: number; hash: string };

/**
 * Describes a restore of the database to an earlier state. From then on copies bear its number, the time at which it
 * began; those of the first database of all bear 0. `kept`: the last event that was copied before the state to which
 * the database went back. Copies up to it must still fit, those after it tell of events that the restore took away.
 */
type Epoch = { number: number; kept: number };

/** Begins the names of the counters that hold `kept`, one for each restore. They stay when the event is deleted. */
export const EPOCH_COUNTER = "audit.epoch.";

/** Names the counter that holds the last event that was copied. A restored database has the one of its state. */
export const COPIED_COUNTER = "audit.copied";

/** Names what the event of a restore is about; its subject's id is the number of the epoch. */
export const RESTORED_SUBJECT = "database";

type EpochContext = Pick<Ctx, "db" | "now">;

/** Reads the restores that this database knows of, the oldest first. One that went back behind another forgets it. */
export async function readEpochs({ db }: Pick<Ctx, "db">): Promise<Epoch[]> {
  // In ASCII a colon follows the digits.
  const rows = await db.all<{ name: string; kept: number }>(sql`
    SELECT name, value AS kept FROM counters WHERE name > ${EPOCH_COUNTER} AND name < ${`${EPOCH_COUNTER}:`}`);
  return rows
    .map(({ name, kept }) => ({ number: Number(name.slice(EPOCH_COUNTER.length)), kept }))
    .sort((one, other) => one.number - other.number);
}

/** Returns the number that new copies bear. */
export const presentEpoch = (epochs: readonly Epoch[]): number => epochs.at(-1)?.number ?? 0;

/**
 * Returns the copies whose events the database must have: of each epoch those that no later restore has taken away. An
 * epoch that it does not know, below the present one, was forgotten by the restore that began a later one.
 */
export function copiesToFit(copies: readonly Copy[], epochs: readonly Epoch[]): Copy[] {
  const known = [0, ...epochs.map(({ number }) => number)];
  return copies.filter(
    ({ epoch, through }) =>
      known.includes(epoch) && epochs.every(({ number, kept }) => number <= epoch || through <= kept),
  );
}

/** Returns the first copy of an epoch that the database has never begun: it went back, and nobody has recorded it. */
export const copyOfUnknownFuture = (copies: readonly Copy[], epochs: readonly Epoch[]): Copy | undefined =>
  copies.find(({ epoch }) => epoch > presentEpoch(epochs));

/**
 * Returns where a restore is claimed that the chain does not tell of, or tells of otherwise: the id of its event, or of
 * the last event that it says was kept. Null: the events and what counts as restored agree.
 */
export async function unrecordedRestore(ctx: EpochContext, epochs: readonly Epoch[]): Promise<number | null> {
  const events = await ctx.db.all<{ id: number; epoch: string; kept: number | null }>(sql`
    SELECT id, subject_id AS epoch, meta_json ->> 'kept' AS kept FROM audit_events
    WHERE subject_type = ${RESTORED_SUBJECT} ORDER BY id`);
  const isSame = (epoch: Epoch, event: (typeof events)[number]) =>
    String(epoch.number) === event.epoch && epoch.kept === event.kept;
  const unclaimed = events.find((event) => !epochs.some((epoch) => isSame(epoch, event)));
  if (unclaimed) return unclaimed.id;
  // The events of older ones may have been deleted. Of copies as old nothing is asked any more.
  const oldest = ctx.now() - AUDIT_RETENTION;
  const untold = epochs.find((epoch) => epoch.number > oldest && !events.some((event) => isSame(epoch, event)));
  return untold ? untold.kept : null;
}
