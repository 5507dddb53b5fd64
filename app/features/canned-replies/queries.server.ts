import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { CannedReply } from "./model";

/** Limits how many replies are listed and offered. */
const LISTED = 100;

const COLUMNS = sql`id, title, message, category, status, owner_id IS NULL AS isShared, used, version`;

const seenBy = (userId: string): SQL => sql`(owner_id IS NULL OR owner_id = ${userId})`;

type Row = Omit<CannedReply, "isShared"> & { isShared: number };

const replyOf = (row: Row): CannedReply => ({ ...row, isShared: row.isShared === 1 });

/** Lists the canned replies that somebody may use, shared ones first, by title. */
export async function listCannedReplies(db: Db, userId: string): Promise<CannedReply[]> {
  const listed = (owner: SQL) =>
    db.all<Row>(sql`SELECT ${COLUMNS} FROM canned_replies WHERE ${owner} ORDER BY title, id LIMIT ${LISTED}`);
  const [shared, own] = await Promise.all([listed(sql`owner_id IS NULL`), listed(sql`owner_id = ${userId}`)]);
  return [...shared, ...own].map(replyOf);
}

/** Holds a canned reply as a choice: its id, and its name as its owner reads it. */
export type OfferedReply = { value: string; label: string };

/** Lists the canned replies that somebody may insert, as choices. */
export async function offerCannedReplies(db: Db, userId: string): Promise<OfferedReply[]> {
  const rows = await db.all<{ id: string; title: string; isShared: number }>(sql`
    SELECT id, title, owner_id IS NULL AS isShared FROM canned_replies
    WHERE ${seenBy(userId)} ORDER BY owner_id IS NOT NULL, title LIMIT ${LISTED}`);
  return rows.map(({ id, title, isShared }) => ({ value: id, label: isShared === 1 ? title : `${title} (yours)` }));
}

/** Finds a canned reply that somebody may use. */
export async function findCannedReply(db: Db, id: string, userId: string): Promise<CannedReply | null> {
  const [row] = await db.all<Row>(sql`SELECT ${COLUMNS} FROM canned_replies WHERE id = ${id} AND ${seenBy(userId)}`);
  return row ? replyOf(row) : null;
}
