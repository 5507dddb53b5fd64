import type { Db } from "~/db/client.server";
import { type ActivityEntry, activityEntry } from "~/features/audit/activity/activity-entry";
import { activityList } from "~/features/audit/activity/definition";
import { activityRows } from "~/features/audit/activity/definition.server";
import { submissionPath } from "~/features/submissions/subject";
import { countInWords, type ListRead } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import { STAFF_VIEWER } from "./submission-list";

type Feed = ListRead<unknown>["page"] & { entries: ActivityEntry[]; total: string };

/** Reads the activity at an address, as administrators see it. */
export async function readFeed(db: Db, query = ""): Promise<Feed> {
  const params = new URLSearchParams(query);
  const { page, total } = await activityRows.read(db, {
    filter: activityList.readFilter(params),
    page: pageRequest(params),
    viewer: { ...STAFF_VIEWER, actor: { ...STAFF_VIEWER.actor, role: "admin" } },
  });
  const entries = page.rows.map((row) =>
    activityEntry(row, ({ type, id }) => (type === "submission" ? submissionPath(id) : null)),
  );
  return { ...page, entries, total: countInWords(total) };
}
