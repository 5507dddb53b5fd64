import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import type { SubjectType } from "~/lib/subject";

/**
 * Returns the statement that erases what is still stored of mails about subjects: recipient and text. It belongs in the
 * batch that deletes them. A waiting mail will not be sent; one that is being sent is not repeated. `ids` is a query
 * for the ids of the subjects.
 */
export const eraseMail = (db: Db, type: SubjectType, ids: SQL): Statement =>
  eraseWhere(db, sql`${outbox.subject_type} = ${type} AND ${outbox.subject_id} IN (${ids})`);

/**
 * Returns the statement that erases mails by their ids, which a query returns, when what they say is no longer true.
 */
export const eraseMails = (db: Db, ids: SQL): Statement => eraseWhere(db, sql`${outbox.id} IN (${ids})`);

const eraseWhere = (db: Db, condition: SQL): Statement =>
  db
    .update(outbox)
    .set({
      params_enc: null,
      status: sql`case ${outbox.status} when 'pending' then 'dead' else ${outbox.status} end`,
      last_error: "erased",
    })
    .where(sql`${condition} AND ${outbox.params_enc} IS NOT NULL`);
