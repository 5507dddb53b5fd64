import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { adminNotes } from "~/db/schema/notes";
import type { SubjectType } from "~/lib/subject";

/** Returns the statement that deletes the notes on subjects. `ids`: a query for ids. */
export const eraseNotes = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db.delete(adminNotes).where(sql`${adminNotes.subject_type} = ${type} AND ${adminNotes.subject_id} IN (${ids})`);
