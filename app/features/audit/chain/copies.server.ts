import { sql } from "drizzle-orm";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { CHAIN_CHUNK, type Seal, type SealedEvent, sealedColumns } from "./seals.server";

/** Describes a copy: when it was made, the last event in it, and the seal of that event. */
type Copy = { at: Instant; through: number; hash: string };

const PREFIX = "audit/";

/** Limits the copies of one run. */
const MAX_COPIES = 40;

const KEY = /^audit\/(\d{4}-\d{2}-\d{2})\/0*(\d+)\.([\w-]+)\.ndjson$/;

/** Names a copy by what it proves, so that a list of names is enough to compare it with the database. */
const keyOf = ({ at, through, hash }: Copy) =>
  `${PREFIX}${new Date(at).toISOString().slice(0, 10)}/${String(through).padStart(12, "0")}.${hash}.ndjson`;

/** Lists the copies in the file store, oldest first. */
export async function listCopies({ files }: Pick<Ctx, "files">): Promise<Copy[]> {
  const copies: Copy[] = [];
  let cursor: string | undefined;
  do {
    const page = await files.listOlderThan(PREFIX, Number.POSITIVE_INFINITY, cursor);
    for (const [, day, through, hash] of page.keys.map((key) => KEY.exec(key) ?? [])) {
      if (day && through && hash) copies.push({ at: Date.parse(day), through: Number(through), hash });
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
 * Copies the sealed events that the file store does not have yet. Who changes the database cannot change what lies
 * there, so that its newest copy proves all events before it. A copy is written once: its name says what is in it.
 */
export async function copyAudit(
  ctx: Pick<Ctx, "budget" | "db" | "files" | "now">,
): Promise<{ count: number; more: boolean }> {
  let through = Math.max(0, ...(await listCopies(ctx)).map((copy) => copy.through));
  let count = 0;
  for (let copies = 0; copies < MAX_COPIES; copies += 1) {
    const events = await ctx.db.all<SealedEvent & Seal>(sql`SELECT ${sealedColumns}, s.prev_hash, s.hash, s.event_id
      FROM audit_seals s JOIN audit_events e ON e.id = s.event_id
      WHERE s.event_id > ${through} ORDER BY s.event_id LIMIT ${CHAIN_CHUNK}`);
    const last = events.at(-1);
    if (!last) return { count, more: false };
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    const copy = { at: ctx.now(), through: last.event_id, hash: last.hash };
    await ctx.files.put(keyOf(copy), new TextEncoder().encode(lines), {});
    through = last.event_id;
    count += events.length;
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}
