import type { Actor } from "~/access/model";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import { ACTIVITY_TYPES, type ActivityCounts, type ActivityType } from "../model";
import { countActivity, seesSecurityEvents } from "../queries.server";
import { type ActivityEntry, activityEntry } from "./activity-entry";
import type { ActivityFilter } from "./definition";
import { activityRows } from "./definition.server";

/** Reads everything the activity page shows, in one round trip. Lines link only to pages that this person may open. */
export async function readActivity(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  request: ListRequest<ActivityFilter>,
): Promise<ListRead<ActivityEntry> & { counts: ActivityCounts }> {
  const { actor, now } = request.viewer;
  const [counts, read] = await Promise.all([
    countActivity(db, now, { withSecurity: seesSecurityEvents(actor) }),
    activityRows.read(db, request),
  ]);
  const rows = read.page.rows.map((row) => activityEntry(row, (subject) => staffPathOf(subjects, actor, subject)));
  return { ...read, page: { ...read.page, rows }, counts };
}

/** Returns the types of events that somebody sees. */
export const visibleTypes = (actor: Actor): ActivityType[] =>
  ACTIVITY_TYPES.filter((type) => type !== "security" || seesSecurityEvents(actor));
