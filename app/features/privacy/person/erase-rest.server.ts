import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { personErasures } from "~/db/schema/privacy";
import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { listKeysOf } from "~/features/attachments/queries.server";
import { isOnHold } from "~/features/subjects/legal-hold.server";
import { FORMER_MEMBER } from "~/lib/person-name";
import { fold } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { eraseSubmissions } from "./erase-submissions.server";
import { NAME_PLACES, type NamePlace } from "./name-places";

/** Limits the rows that one statement changes or goes through, and the statements of a run. */
const CHANGED_AT_ONCE = 200;
const LOOKED_AT_ONCE = 5_000;
const MAX_STATEMENTS = 40;

type RestContext = Pick<Ctx, "budget" | "db" | "files">;
type Erasure = typeof personErasures.$inferSelect;

/**
 * Goes on erasing people: further submissions, then their name wherever it stands, a part at a time, and at last the
 * account itself. Each step may be repeated.
 */
export async function eraseRestOfPeople(ctx: RestContext): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  let count = 0;
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const [erasure] = await db.select().from(personErasures).orderBy(asc(personErasures.requested_at)).limit(1);
    if (!erasure) return { count, more: false };
    const place = NAME_PLACES[erasure.step];
    if (place) await replaceSome(ctx, erasure, place);
    else if (!(await eraseFurtherSubmissions(ctx, erasure))) {
      await finish(ctx, erasure);
      count += 1;
    }
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

/** Replaces the name in some rows of a place, and remembers how far it is. */
async function replaceSome({ db }: RestContext, erasure: Erasure, place: NamePlace): Promise<void> {
  const { user_id: userId, done_through: from } = erasure;
  const table = sql.raw(place.table);
  const { isTheirs, changes } = place.isAudit ? inAudit(erasure) : inRecords(erasure, place);
  const rows = place.isIndexed
    ? sql`rowid IN (SELECT rowid FROM ${table} WHERE ${isTheirs} LIMIT ${CHANGED_AT_ONCE})`
    : sql`rowid > ${from} AND rowid <= ${from + LOOKED_AT_ONCE} AND ${isTheirs} AND ${unlessShared(place, erasure)}`;
  const [last] = place.isIndexed
    ? await db.all<{ last: number }>(
        sql`SELECT 1 AS last FROM ${table} WHERE ${isTheirs} LIMIT 1 OFFSET ${CHANGED_AT_ONCE}`,
      )
    : await db.all<{ last: number }>(
        sql`SELECT 1 AS last FROM ${table} WHERE rowid > ${from + LOOKED_AT_ONCE} LIMIT 1`,
      );
  await db.run(sql`UPDATE ${table} SET ${changes} WHERE ${rows}`);
  await db
    .update(personErasures)
    .set(last ? { done_through: from + LOOKED_AT_ONCE } : { step: erasure.step + 1, done_through: 0 })
    // The run after the response and the job may do the same part at once. Whoever is late does not count it again.
    .where(
      and(
        eq(personErasures.user_id, userId),
        eq(personErasures.step, erasure.step),
        eq(personErasures.done_through, from),
      ),
    );
}

type Replacement = { isTheirs: SQL; changes: SQL };

function inRecords({ user_id: userId, name }: Erasure, place: NamePlace): Replacement {
  const changes = [
    ...(place.name ? [sql`${sql.raw(place.name)} = ${FORMER_MEMBER}`] : []),
    ...(place.cleared ?? []).map((column) => sql`${sql.raw(column)} = NULL`),
  ];
  return {
    isTheirs: place.person ? sql`${sql.raw(place.person)} = ${userId}` : sql`${sql.raw(place.name ?? "")} = ${name}`,
    changes: sql.join(changes, sql`, `),
  };
}

/** Takes name and address out of what is searched of events, behind the line with the name of the subject. */
function inAudit({ user_id: userId, name, email }: Erasure): Replacement {
  const behind = sql`instr(search_text, char(10))`;
  return {
    isTheirs: sql`(actor_id = ${userId}
      OR EXISTS (SELECT 1 FROM json_each(meta_json, '$.people') named WHERE named.value = ${userId}))`,
    changes: sql`search_text = substr(search_text, 1, ${behind}) || replace(replace(substr(search_text, ${behind} + 1),
      ${fold(name)}, ${fold(FORMER_MEMBER)}), ${fold(email)}, '')`,
  };
}

/**
 * Returns the condition that a name which stands alone is that of nobody else: a namesake keeps theirs. They are found
 * by the key that accounts are sorted by, which has an index.
 */
function unlessShared(place: NamePlace, { user_id: userId, name }: Erasure): SQL {
  if (place.person || place.isAudit) return sql`1`;
  const folded = fold(name);
  return sql`NOT EXISTS (SELECT 1 FROM users namesake
    WHERE namesake.name_key = iif(${folded} = '', char(1114111), substr(${folded}, 1, 60))
      AND namesake.full_name = ${name} AND namesake.id <> ${userId})`;
}

/**
 * Deletes submissions that came with the address and did not fit into the first batch. Returns whether there were some.
 * Who writes again after the erasure is somebody new: those submissions stay.
 */
async function eraseFurtherSubmissions(ctx: RestContext, { email, requested_at }: Erasure): Promise<boolean> {
  const { db } = ctx;
  if (!email) return false;
  const found = await db.all<{ id: string }>(
    sql`SELECT s.id FROM contact_submissions s WHERE s.email = ${email} AND s.created_at <= ${requested_at}
      AND NOT ${isOnHold("submission", sql`s.id`)} LIMIT ${CHANGED_AT_ONCE}`,
  );
  if (found.length === 0) return false;
  const ids = JSON.stringify(found.map(({ id }) => id));
  const keys = await listKeysOf(db, "submission", sql`SELECT value FROM json_each(${ids})`);
  await commit(db, eraseSubmissions(ctx, ids));
  await deleteOrphans(ctx, keys);
  return true;
}

/** Deletes the account, to which nothing refers any more. */
const finish = ({ db }: RestContext, { user_id: userId }: Erasure): Promise<boolean> =>
  commit(db, [
    db.delete(users).where(eq(users.id, userId)),
    db.delete(personErasures).where(eq(personErasures.user_id, userId)),
  ]);
