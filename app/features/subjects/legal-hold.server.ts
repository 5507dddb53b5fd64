import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { legalHolds } from "~/db/schema/privacy";
import type { SubjectType } from "~/lib/subject";

export const isOnHold = (type: (typeof legalHolds.$inferSelect)["subject_type"], id: string | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM legal_holds hold WHERE hold.subject_type = ${type} AND hold.subject_id = ${id}
    AND hold.lifted_at IS NULL)`;

/** It, or the person who sent it. `id` and `email` are columns. */
export const isSubmissionOnHold = (id: SQL, email: SQL): SQL =>
  sql`(${isOnHold("submission", id)} OR EXISTS (SELECT 1 FROM users holder WHERE holder.email = ${email}
    AND ${isOnHold("user", sql`holder.id`)}))`;

export const HOLDS_IN_FORCE = sql`(SELECT subject_type, subject_id FROM legal_holds WHERE lifted_at IS NULL)`;

const hasTextsOnHold = (id: string): SQL => sql`EXISTS (SELECT 1 FROM ${HOLDS_IN_FORCE} h
  WHERE h.subject_type = 'user' AND (
    EXISTS (SELECT 1 FROM support_tickets t INDEXED BY tickets_by_creator
      WHERE t.created_by = h.subject_id AND t.organization_id = ${id})
    OR EXISTS (SELECT 1 FROM ticket_messages m INDEXED BY ticket_messages_by_author
      WHERE m.user_id = h.subject_id AND m.organization_id = ${id})))`;

/** It, a ticket or a member of it, or somebody who has written on its tickets, also after leaving it. */
export const isOrganizationOnHold = (id: string): SQL =>
  sql`(${isOnHold("organization", id)} OR EXISTS (SELECT 1 FROM ${HOLDS_IN_FORCE} h CROSS JOIN support_tickets t
      ON t.id = h.subject_id WHERE h.subject_type = 'ticket' AND t.organization_id = ${id})
    OR EXISTS (SELECT 1 FROM organization_memberships holder
    WHERE holder.organization_id = ${id} AND holder.user_id IS NOT NULL AND ${isOnHold("user", sql`holder.user_id`)})
    OR ${hasTextsOnHold(id)})`;

export async function isTrue(db: Db, condition: SQL): Promise<boolean> {
  const [row] = await db.all<{ isTrue: number }>(sql`SELECT ${condition} AS isTrue`);
  return row?.isTrue === 1;
}

/** Returns the statement that deletes the lifted holds of subjects with them. `ids`: a query for ids. */
export const eraseHolds = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db
    .delete(legalHolds)
    .where(
      sql`${legalHolds.subject_type} = ${type} AND ${legalHolds.subject_id} IN (${ids}) AND ${legalHolds.lifted_at} IS NOT NULL`,
    );
