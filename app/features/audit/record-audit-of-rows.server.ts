import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import type { Ctx } from "~/platform/context.server";
import type { AuditAction, AuditObjectType } from "./model";

/**
 * The statement that records one event for each row of a query, for changes of many records at once. The query gives
 * `object_id` and `meta_json`, and stands in the batch before the change it describes.
 */
export function recordAuditOfRows(
  ctx: Ctx,
  action: AuditAction,
  { objectType, rows }: { objectType: AuditObjectType; rows: SQL },
): Statement {
  const { signedIn, request } = ctx;
  // Every column in its order, as an insert from a query has them; the id is given by the table.
  return ctx.db.insert(auditEvents).select(sql`
    SELECT NULL, ${ctx.now()}, ${signedIn?.userId ?? null}, ${signedIn?.role ?? "visitor"}, NULL, ${action},
      ${objectType}, changed.object_id, NULL, ${request.ip || null}, ${request.id}, changed.meta_json
    FROM (${rows}) changed`);
}
