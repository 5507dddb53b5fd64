import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { CANNED_LIMITS, type CannedReply } from "./model";

const COLUMNS = sql`id, title, message, category, status, owner_id IS NULL AS isShared, used, version`;

/** Builds the condition of the replies of somebody; null: of those that all staff share. */
const ownedBy = (userId: string | null): SQL => (userId === null ? sql`owner_id IS NULL` : sql`owner_id = ${userId}`);

const seenBy = (userId: string): SQL => sql`(owner_id IS NULL OR owner_id = ${userId})`;

type Row = Omit<CannedReply, "isShared"> & { isShared: number };

const replyOf = (row: Row): CannedReply => ({ ...row, isShared: row.isShared === 1 });

/** Lists the canned replies that somebody may use, shared ones first, by title. */
export async function listCannedReplies(db: Db, userId: string): Promise<CannedReply[]> {
  const [shared, own] = await Promise.all([listOwned<Row>(db, null, COLUMNS), listOwned<Row>(db, userId, COLUMNS)]);
  return [...shared, ...own].map(replyOf);
}

const listOwned = <Found>(db: Db, userId: string | null, columns: SQL): Promise<Found[]> =>
  db.all<Found>(sql`
    SELECT ${columns} FROM canned_replies WHERE ${ownedBy(userId)} ORDER BY title, id LIMIT ${CANNED_LIMITS.replies}`);

/** Builds the condition that there is room for another reply of somebody, or, for null, that all staff share. */
export const hasRoom = (userId: string | null): SQL =>
  sql`(SELECT count(*) FROM canned_replies WHERE ${ownedBy(userId)}) < ${CANNED_LIMITS.replies}`;

/** Tells whether there is no such room. */
export async function isFull(db: Db, userId: string | null): Promise<boolean> {
  const [row] = await db.all<{ free: number }>(sql`SELECT ${hasRoom(userId)} AS free`);
  return row?.free === 0;
}

/** Holds a canned reply as a choice: its id, and its name as its owner reads it. */
export type OfferedReply = { value: string; label: string };

/** Lists the canned replies that somebody may insert, as choices. */
export async function offerCannedReplies(db: Db, userId: string): Promise<OfferedReply[]> {
  const [shared, own] = await Promise.all(
    [null, userId].map((owner) => listOwned<OfferedReply>(db, owner, sql`id AS value, title AS label`)),
  );
  return [...(shared ?? []), ...(own ?? []).map(({ value, label }) => ({ value, label: `${label} (yours)` }))];
}

/** Finds a canned reply that somebody may use. */
export async function findCannedReply(db: Db, id: string, userId: string): Promise<CannedReply | null> {
  const [row] = await db.all<Row>(sql`SELECT ${COLUMNS} FROM canned_replies WHERE id = ${id} AND ${seenBy(userId)}`);
  return row ? replyOf(row) : null;
}
