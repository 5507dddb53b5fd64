import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import type { SubjectType } from "~/lib/subject";
import { fold } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import type { AuditAction, AuditActor } from "./model";
import { actorOf } from "./record-audit.server";
import { auditSearchText } from "./search-text";

/** Pairs a subject with its name. */
type NamedRow = { id: string; name: string };

type Rows = {
  subjectType: SubjectType;
  /**
   * Holds a query for the columns `subject_id`, `meta_json`, and for the search `details`: the folded `detailWords`
   * of the meta.
   */
  rows: SQL;
  /**
   * Names the subjects; of those that are missing here the event keeps no name. SQL cannot fold names for the search.
   */
  subjects: readonly NamedRow[];
  /** Names who did it; by default the signed-in person. */
  actor?: AuditActor;
};

/**
 * Returns the statement that records one event for each row of a query, for changes of many records at once. It stands
 * in the batch before the change it describes.
 */
export function recordAuditOfRows(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  action: AuditAction,
  { subjectType, rows, subjects, actor = actorOf(ctx) }: Rows,
): Statement {
  const [, whoDidWhat = "", email = ""] = auditSearchText({ action, label: null, meta: {}, actor }).split("\n");
  const labels = JSON.stringify(Object.fromEntries(subjects.map(({ id, name }) => [id, name])));
  const foldedLabels = JSON.stringify(Object.fromEntries(subjects.map(({ id, name }) => [id, fold(name)])));
  // Every column in its order, as an insert from a query has them; the id is given by the table.
  return ctx.db.insert(auditEvents).select(sql`
    SELECT NULL, ${ctx.now()}, ${actor.id}, ${actor.role}, ${actor.name}, ${actor.email}, NULL, ${action},
      ${subjectType}, changed.subject_id, ${labels} ->> changed.subject_id, NULL, ${ctx.request.ip || null}, ${ctx.request.id},
      changed.meta_json, coalesce(${foldedLabels} ->> changed.subject_id, '') || char(10)
        || ${whoDidWhat} || char(10) || trim(changed.details || ' ' || ${email})
    FROM (${rows}) changed`);
}
