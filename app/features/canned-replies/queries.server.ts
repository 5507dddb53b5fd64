import { type SQL, sql } from "drizzle-orm";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { CANNED_LIMITS, type CannedReply } from "./model";

const COLUMNS = sql`id, title, message, category, status, owner_id IS NULL AS isShared, used, version`;

/** Null: those that all staff share. */
const ownedBy = (userId: string | null): SQL => (userId === null ? sql`owner_id IS NULL` : sql`owner_id = ${userId}`);

const seenBy = (userId: string): SQL => sql`(owner_id IS NULL OR owner_id = ${userId})`;

type Row = Omit<CannedReply, "isShared"> & { isShared: number };

const replyOf = (row: Row): CannedReply => ({ ...row, isShared: row.isShared === 1 });

export async function listCannedReplies(db: Db, userId: string): Promise<CannedReply[]> {
  const [shared, own] = await Promise.all([listOwned<Row>(db, null, COLUMNS), listOwned<Row>(db, userId, COLUMNS)]);
  return [...shared, ...own].map(replyOf);
}

const listOwned = <Found>(db: Db, userId: string | null, columns: SQL): Promise<Found[]> =>
  db.all<Found>(sql`
    SELECT ${columns} FROM canned_replies WHERE ${ownedBy(userId)} ORDER BY title, id LIMIT ${CANNED_LIMITS.replies}`);

/** Null: all staff share it. */
export const hasRoom = (userId: string | null): SQL =>
  sql`(SELECT count(*) FROM canned_replies WHERE ${ownedBy(userId)}) < ${CANNED_LIMITS.replies}`;

/** The name is as its owner reads it. */
export type OfferedReply = { value: string; label: string };

export async function offerCannedReplies(db: Db, userId: string): Promise<OfferedReply[]> {
  const [shared, own] = await Promise.all(
    [null, userId].map((owner) => listOwned<OfferedReply>(db, owner, sql`id AS value, title AS label`)),
  );
  return [...(shared ?? []), ...(own ?? []).map(({ value, label }) => ({ value, label: `${label} (yours)` }))];
}

export async function findCannedReply(db: Db, id: string, userId: string): Promise<CannedReply | null> {
  const [row] = await db.all<Row>(sql`SELECT ${COLUMNS} FROM canned_replies WHERE id = ${id} AND ${seenBy(userId)}`);
  return row ? replyOf(row) : null;
}

/** Shared ones are for those who may edit any. */
export const mayEdit = (actor: StaffActor, { isShared }: Pick<CannedReply, "isShared">): boolean =>
  can(actor, "canned_reply.edit", { ownerId: isShared ? null : actor.userId });
