import { eq, type SQL, sql } from "drizzle-orm";
import { commit, expectThat } from "~/db/client.server";
import { auditSeals } from "~/db/schema/audit";
import { counters } from "~/db/schema/infrastructure";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { AUDIT_RETENTION } from "./retention";

export const CHAIN_CHUNK = 500;

/** The first event of all has no seal before it. */
const FIRST_LINK = "";

/** Not the name of the subject and the searchable text, which are cleared when it is deleted. */
const SEALED_COLUMNS = [
  "id",
  "at",
  "actor_id",
  "actor_role",
  "actor_name",
  "actor_email",
  "on_behalf_of",
  "action",
  "subject_type",
  "subject_id",
  "org_id",
  "ip",
  "request_id",
  "meta_json",
] as const;

type SealedEvent = Record<(typeof SEALED_COLUMNS)[number], string | number | null>;

type Seal = { event_id: number; prev_hash: string; hash: string };

const sealedColumns: SQL = sql.raw(SEALED_COLUMNS.map((column) => `e.${column}`).join(", "));

/** Keyed: who can write to the database alone cannot compute the chain again after a change. */
function sealOf({ config }: Pick<Ctx, "config">, previous: string, event: SealedEvent): string {
  const values = SEALED_COLUMNS.map((column) => event[column]);
  return keyedHash(config.LOG_HMAC_KEY, "audit-chain/v1", `${previous}\n${JSON.stringify(values)}`);
}

type Copy = { at: Instant; epoch: number; through: number; hash: string };

/**
 * From then on copies bear its number. `kept`: the last event copied before that state. Copies up to it must still
 * fit.
 */
type Epoch = { number: number; kept: number };

/** They stay when the event is deleted. */
export const EPOCH_COUNTER = "audit.epoch.";

/** A restored database has the one of its state. */
export const COPIED_COUNTER = "audit.copied";

/** The subject's id is the number of the epoch. */
export const RESTORED_SUBJECT = "database";

export async function readEpochs({ db }: Pick<Ctx, "db">): Promise<Epoch[]> {
  // In ASCII a colon follows the digits.
  const rows = await db.all<{ name: string; kept: number }>(sql`
    SELECT name, value AS kept FROM counters WHERE name > ${EPOCH_COUNTER} AND name < ${`${EPOCH_COUNTER}:`}`);
  return rows
    .map(({ name, kept }) => ({ number: Number(name.slice(EPOCH_COUNTER.length)), kept }))
    .sort((one, other) => one.number - other.number);
}

const presentEpoch = (epochs: readonly Epoch[]): number => epochs.at(-1)?.number ?? 0;

/** Those that no later restore has taken away. An unknown lower epoch was forgotten by a later restore. */
export function copiesToFit(copies: readonly Copy[], epochs: readonly Epoch[]): Copy[] {
  const known = [0, ...epochs.map(({ number }) => number)];
  return copies.filter(
    ({ epoch, through }) =>
      known.includes(epoch) && epochs.every(({ number, kept }) => number <= epoch || through <= kept),
  );
}

/** The database went back, and nobody has recorded it. */
const copyOfUnknownFuture = (copies: readonly Copy[], epochs: readonly Epoch[]): Copy | undefined =>
  copies.find(({ epoch }) => epoch > presentEpoch(epochs));

/**
 * The id of its event, or of the last event that it says was kept. Null: the events and what counts as restored agree.
 */
async function unrecordedRestore(ctx: Pick<Ctx, "db" | "now">, epochs: readonly Epoch[]): Promise<number | null> {
  const events = await ctx.db.all<{ id: number; epoch: string; kept: number | null }>(sql`
    SELECT id, subject_id AS epoch, meta_json ->> 'kept' AS kept FROM audit_events
    WHERE subject_type = ${RESTORED_SUBJECT} ORDER BY id`);
  const isSame = (epoch: Epoch, event: (typeof events)[number]) =>
    String(epoch.number) === event.epoch && epoch.kept === event.kept;
  const unexplained = events.find((event) => !epochs.some((epoch) => isSame(epoch, event)));
  if (unexplained) return unexplained.id;
  // The events of older ones may have been deleted. Of copies as old nothing is asked any more.
  const oldest = ctx.now() - AUDIT_RETENTION;
  const untold = epochs.find((epoch) => epoch.number > oldest && !events.some((event) => isSame(epoch, event)));
  return untold ? untold.kept : null;
}

/** Of the copies in the file store. */
export const COPIES_PREFIX = "audit/";

const MAX_COPIES = 40;

const KEY = /^audit\/(\d{4}-\d{2}-\d{2})\/0*(\d+)\.0*(\d+)\.([\w-]+)\.ndjson$/;

/** A list of names is enough to compare the copies with the database. */
const keyOf = ({ at, epoch, through, hash }: Copy) =>
  `${COPIES_PREFIX}${new Date(at).toISOString().slice(0, 10)}/${String(epoch).padStart(13, "0")}.${String(through).padStart(12, "0")}.${hash}.ndjson`;

export async function listCopies({ files }: Pick<Ctx, "files">): Promise<Copy[]> {
  const copies: Copy[] = [];
  let cursor: string | undefined;
  do {
    const page = await files.listOlderThan(COPIES_PREFIX, Number.POSITIVE_INFINITY, cursor);
    for (const [, day, epoch, through, hash] of page.keys.map((key) => KEY.exec(key) ?? [])) {
      if (day && hash) copies.push({ at: Date.parse(day), epoch: Number(epoch), through: Number(through), hash });
    }
    cursor = page.cursor;
  } while (cursor);
  return copies;
}

export async function deleteCopies({ files }: Pick<Ctx, "files">, copies: readonly Copy[]): Promise<void> {
  if (copies.length > 0) await files.delete(copies.slice(0, MAX_COPIES).map(keyOf));
}

/** Of those older than the retention the events may have been deleted: nothing is asked of them. */
async function findUnfitCopy(ctx: Pick<Ctx, "db" | "now">, copies: readonly Copy[]): Promise<Copy | undefined> {
  const asked = copies.filter(({ at }) => at > ctx.now() - AUDIT_RETENTION);
  const seals = await ctx.db.all<Pick<Seal, "event_id" | "hash">>(sql`SELECT event_id, hash FROM audit_seals
    WHERE event_id IN (SELECT value FROM json_each(${JSON.stringify(asked.map(({ through }) => through))}))`);
  const hashes = new Map(seals.map(({ event_id, hash }) => [event_id, hash]));
  return asked.find(({ through, hash }) => hashes.get(through) !== hash);
}

/**
 * Who changes the database cannot change the file store: its newest copy proves all events before it. After a restore
 * it goes on in the epoch of the restore; after one that nobody has recorded it copies nothing.
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
    await ctx.files.put(keyOf(copy), new TextEncoder().encode(lines));
    await noteCopied(ctx, copy);
    through = end.event_id;
    count += events.length;
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

/** Only if the database has what was copied: it may have gone back in this moment. */
async function noteCopied({ db }: Pick<Ctx, "db">, { through, hash }: Copy): Promise<void> {
  await db
    .insert(counters)
    .select(sql`SELECT ${COPIED_COUNTER}, event_id FROM audit_seals WHERE event_id = ${through} AND hash = ${hash}`)
    .onConflictDoUpdate({ target: counters.name, set: { value: through } });
}

const MAX_SEALED_CHUNKS = 20;

/**
 * In the order of ids: one batch commits after the other, so that no event appears later below a sealed one. Of two
 * runs one seals: a chunk is written only while the chain still ends where it was read.
 */
export async function sealAudit(ctx: Pick<Ctx, "budget" | "config" | "db">): Promise<{ count: number; more: boolean }> {
  let count = 0;
  for (let chunk = 0; chunk < MAX_SEALED_CHUNKS; chunk += 1) {
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

function chainOf(ctx: Pick<Ctx, "config">, head: string, events: readonly SealedEvent[]) {
  let previous = head;
  return events.map((event) => {
    const link = [event.id, previous, sealOf(ctx, previous, event)] as const;
    previous = link[2];
    return link;
  });
}

/** That is 20,000 events; the next run continues behind them. */
const MAX_VERIFIED_CHUNKS = 40;

const PROGRESS = "audit.verified";

/** `eventId`: the first that does not fit. */
export class BrokenAuditError extends Error {
  readonly eventId: number;

  constructor(eventId: number) {
    super(`The audit does not fit its seals at event ${eventId}`);
    this.eventId = eventId;
  }
}
type VerifyContext = Pick<Ctx, "budget" | "config" | "db" | "files" | "now">;

/** All columns of the event are null if there is none. */
type Link = Seal & SealedEvent;

/** One round may take several runs. */
export async function verifyAudit(ctx: VerifyContext): Promise<{ count: number; more: boolean }> {
  const [progress] = await ctx.db.select().from(counters).where(eq(counters.name, PROGRESS));
  let after = progress?.value ?? 0;
  let count = 0;
  for (let chunk = 0; chunk < MAX_VERIFIED_CHUNKS; chunk += 1) {
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

/** Nothing is recorded below an event that is sealed. */
async function expectNoneBetween({ db }: Pick<Ctx, "db">, range: { after: number; through: number; count: number }) {
  const [found] = await db.all<{ count: number; unsealed: number | null }>(sql`
    SELECT count(*) AS count, min(iif(s.event_id IS NULL, e.id, NULL)) AS unsealed
    FROM audit_events e LEFT JOIN audit_seals s ON s.event_id = e.id
    WHERE e.id > ${range.after} AND e.id <= ${range.through}`);
  if (found?.count !== range.count) throw new BrokenAuditError(found?.unsealed ?? range.through);
}

/** But for what a recorded restore took away; also if a restore is claimed of which the chain does not tell. */
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
