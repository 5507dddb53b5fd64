import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import type { Ctx } from "~/platform/context.server";

/**
 * The statement that erases what is still kept of mails about some records: recipient and text. It belongs into the
 * batch that deletes the records. What waits will not be sent; what is leaving at this moment leaves and is not repeated.
 * `objectIds`: a query for ids.
 */
export function eraseMail(ctx: Ctx, objectIds: SQL): Statement {
  return ctx.db
    .update(outbox)
    .set({
      params_enc: null,
      status: sql`case ${outbox.status} when 'pending' then 'dead' else ${outbox.status} end`,
      last_error: "erased",
    })
    .where(sql`${outbox.object_id} IN (${objectIds}) AND ${outbox.params_enc} IS NOT NULL`);
}
