import type { Actor } from "~/access/model";
import type { ListRead } from "~/lists/model";
import type { PageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import { ACTIVITY_TYPES, type ActivityCounts, type ActivityType } from "../model";
import { countActivity, seesSecurityEvents } from "../queries.server";
import { type ActivityEntry, activityEntry } from "./activity-entry";
import type { ActivityFilter } from "./definition";
import { activityRows } from "./definition.server";

/** Reads everything the activity page shows, in one round trip. Lines link only to pages that this person may open. */
export async function readActivity(
  { db, now, subjects }: Pick<Ctx, "db" | "now" | "subjects">,
  actor: Actor,
  { filter, page, zone }: { filter: ActivityFilter; page: PageRequest; zone: string },
): Promise<ListRead<ActivityEntry> & { counts: ActivityCounts; types: ActivityType[] }> {
  const at = now();
  const [counts, read] = await Promise.all([
    countActivity(db, at, { withSecurity: seesSecurityEvents(actor) }),
    activityRows.read(db, { filter, page, viewer: { actor, zone, now: at } }),
  ]);
  const rows = read.page.rows.map((row) => activityEntry(row, (subject) => staffPathOf(subjects, actor, subject)));
  const types = ACTIVITY_TYPES.filter((type) => type !== "security" || seesSecurityEvents(actor));
  return { ...read, page: { ...read.page, rows }, counts, types };
}
