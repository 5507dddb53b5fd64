import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import { seesSecurityEvents } from "../queries.server";
import { type ActivityEntry, activityEntry, type StoredActivity } from "./activity-entry";
import { ACTIVITY_COLUMNS } from "./definition.server";

/** Sets how many events are shown, and among how many they are looked for. */
const SHOWN = 15;
const SCANNED = 40;

/** Returns the latest events in an organization, as staff see them. */
export async function readOrganizationHistory(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  actor: Actor,
  organizationId: string,
): Promise<ActivityEntry[]> {
  const visible = seesSecurityEvents(actor) ? sql`1` : sql`t.activity_type <> 'security'`;
  const rows = await db.all<StoredActivity>(sql`
    SELECT ${sql.raw(ACTIVITY_COLUMNS)} FROM (
      SELECT * FROM audit_events INDEXED BY audit_by_organization
      WHERE org_id = ${organizationId} ORDER BY id DESC LIMIT ${SCANNED}) t
    WHERE ${visible} LIMIT ${SHOWN}`);
  return rows.map((row) => activityEntry(row, (subject) => staffPathOf(subjects, actor, subject)));
}
