import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import type { SubjectType } from "~/lib/subject";

/**
 * Returns the statement that deletes the live events about subjects, because labels contain names. `ids` is a query for
 * the subjects' ids.
 */
export const eraseLiveEvents = (db: Db, type: SubjectType, ids: SQL): Statement =>
  db.delete(liveEvents).where(sql`${liveEvents.subject_type} = ${type} AND ${liveEvents.subject_id} IN (${ids})`);
