import { sql } from "drizzle-orm";
import { counters } from "~/db/schema/infrastructure";
import type { Ctx } from "~/platform/context.server";
import { AUDIT_RETENTION } from "../retention";
import { COPIED_COUNTER, type Copy, copiesToFit, copyOfUnknownFuture, presentEpoch, readEpochs } from "./epochs.server";
import { CHAIN_CHUNK, type Seal, type SealedEvent, sealedColumns } from "./seals.server";

const PREFIX = "audit/";

/** Limits the copies of one run. */
const MAX_COPIES = 40;

const KEY = /^audit\/(\d{4}-\d{2}-\d{2})\/0*(\d+)\.0*(\d+)\.([\w-]+)\.ndjson$/;

/** Names a copy by what it proves, so that a list of names is enough to compare it with the database. */
const keyOf = ({ at, epoch, through, hash }: Copy) =>
  `${PREFIX}${new Date(at).toISOString().slice(0, 10)}/${String(epoch).padStart(13, "0")}.${String(through).padStart(12, "0")}.${hash}.ndjson`;

/** Lists the copies in the file store, oldest first. */
export async function listCopies({ files }: Pick<Ctx, "files">): Promise<Copy[]> {
  const copies: Copy[] = [];
  let cursor: string | undefined;
  do {
    const page = await files.listOlderThan(PREFIX, Number.POSITIVE_INFINITY, cursor);
    for (const [, day, epoch, through, hash] of page.keys.map((key) => KEY.exec(key) ?? [])) {
      if (day && hash) copies.push({ at: Date.parse(day), epoch: Number(epoch), through: Number(through), hash });
    }
    cursor = page.cursor;
  } while (cursor);
  return copies;
}

/** Deletes copies, a part of them where they are many. */
export async function deleteCopies({ files }: Pick<Ctx, "files">, copies: readonly Copy[]): Promise<void> {
  if (copies.length > 0) await files.delete(copies.slice(0, MAX_COPIES).map(keyOf));
}

/**
 * Returns the first of the copies that the chain in the database does not have as it was copied. Of those older than
 * the retention the events may have been deleted: nothing is asked of them.
 */
export async function findUnfitCopy(ctx: Pick<Ctx, "db" | "now">, copies: readonly Copy[]): Promise<Copy | undefined> {
  const asked = copies.filter(({ at }) => at > ctx.now() - AUDIT_RETENTION);
  const seals = await ctx.db.all<Pick<Seal, "event_id" | "hash">>(sql`SELECT event_id, hash FROM audit_seals
    WHERE event_id IN (SELECT value FROM json_each(${JSON.stringify(asked.map(({ through }) => through))}))`);
  const hashes = new Map(seals.map(({ event_id, hash }) => [event_id, hash]));
  return asked.find(({ through, hash }) => hashes.get(through) !== hash);
}

/**
 * Copies the sealed events that the file store does not have yet. Who changes the database cannot change what lies
 * there, so that its newest copy proves all events before it. A copy is written once: its name says what is in it.
 * After a restore it goes on from the state of the database, in the epoch of the restore; after one that nobody has
 * recorded it copies nothing, because what it wrote would look like part of what was lost.
 */
export async function copyAudit(
  ctx: Pick<Ctx, "budget" | "db" | "files" | "now">,
): Promise<{ count: number; more: boolean }> {
  const [copies, epochs] = await Promise.all([listCopies(ctx), readEpochs(ctx)]);
  const last = copiesToFit(copies, epochs).reduce<Copy | undefined>(
    (newest, copy) => (newest && newest.through > copy.through ? newest : copy),
    undefined,
  );
  const unfit = copyOfUnknownFuture(copies, epochs) ?? (await findUnfitCopy(ctx, last ? [last] : []));
  if (unfit) throw new Error(`The database does not have what was copied up to event ${unfit.through}`);
  const epoch = presentEpoch(epochs);
  let through = last?.through ?? 0;
  let count = 0;
  for (let written = 0; written < MAX_COPIES; written += 1) {
    const events = await ctx.db.all<SealedEvent & Seal>(sql`SELECT ${sealedColumns}, s.prev_hash, s.hash, s.event_id
      FROM audit_seals s JOIN audit_events e ON e.id = s.event_id
      WHERE s.event_id > ${through} ORDER BY s.event_id LIMIT ${CHAIN_CHUNK}`);
    const end = events.at(-1);
    if (!end) return { count, more: false };
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    const copy = { at: ctx.now(), epoch, through: end.event_id, hash: end.hash };
    await ctx.files.put(keyOf(copy), new TextEncoder().encode(lines), {});
    await noteCopied(ctx, copy);
    through = end.event_id;
    count += events.length;
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

/**
 * Notes in the database how far it was copied, so that a restored one knows which copies are of its own past. Only if
 * it has what was copied: it may have gone back in this moment.
 */
async function noteCopied({ db }: Pick<Ctx, "db">, { through, hash }: Copy): Promise<void> {
  await db
    .insert(counters)
    .select(sql`SELECT ${COPIED_COUNTER}, event_id FROM audit_seals WHERE event_id = ${through} AND hash = ${hash}`)
    .onConflictDoUpdate({ target: counters.name, set: { value: through } });
}
