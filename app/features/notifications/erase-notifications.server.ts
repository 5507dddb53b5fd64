import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { mutedSubjects, notifications } from "~/db/schema/notifications";
import type { Subject, SubjectType } from "~/lib/subject";

/**
 * Returns the statements that delete what people were told about subjects, and who had muted them. `ids`: a query for
 * ids.
 */
export const eraseNotifications = (db: Db, type: SubjectType, ids: SQL): Statement[] => [
  db
    .delete(notifications)
    .where(sql`${notifications.subject_type} = ${type} AND ${notifications.subject_id} IN (${ids})`),
  db
    .delete(mutedSubjects)
    .where(sql`${mutedSubjects.subject_type} = ${type} AND ${mutedSubjects.subject_id} IN (${ids})`),
];

/** Returns the statement that deletes what the people of one organization were told about a subject. */
export const eraseNotificationsOf = (db: Db, { type, id }: Subject, organizationId: string): Statement =>
  db.delete(notifications).where(
    sql`${notifications.subject_type} = ${type} AND ${notifications.subject_id} = ${id}
        AND ${notifications.organization_id} = ${organizationId}`,
  );
