import { eq, type SQL, sql } from "drizzle-orm";
import { commit, type Statement } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { counters } from "~/db/schema/infrastructure";
import { FORMER_MEMBER } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { factsOf, type StoredActivity } from "./activity/activity-entry";
import { WORDING_VERSION } from "./labels";
import { formerPeople } from "./queries.server";
import { auditSearchText } from "./record-audit.server";

/** About ten milliseconds each where the index is large, and meanwhile the database does nothing else. */
const REWORDED_AT_ONCE = 50;
export const REWORDED_PER_RUN = 200;

const PROGRESS = `audit.wording.${WORDING_VERSION}`;

type Stored = Pick<
  StoredActivity,
  "id" | "action" | "actor_id" | "actor_name" | "actor_email" | "meta_json" | "is_former" | "former_people"
> & { search_text: string };

/** Newest first, a part in each run, once for each wording. */
export async function rewordAudit({
  budget,
  db,
}: Pick<Ctx, "budget" | "db">): Promise<{ count: number; more: boolean }> {
  const [progress] = await db.select().from(counters).where(eq(counters.name, PROGRESS));
  let above = progress?.value ?? Number.MAX_SAFE_INTEGER;
  let count = 0;
  for (let read = 0; read < REWORDED_PER_RUN && above > 0; read += REWORDED_AT_ONCE) {
    const events = await findWorded(db, sql`t.id < CAST(${above} AS INTEGER) ORDER BY t.id DESC`);
    above = events.length === REWORDED_AT_ONCE ? (events.at(-1)?.id ?? 0) : 0;
    const changes = changesOf(events);
    // How far they are is stored together with the words.
    const saved = db
      .insert(counters)
      .values({ name: PROGRESS, value: above })
      .onConflictDoUpdate({ target: counters.name, set: { value: above } });
    await commit(db, [rewording(db, changes), saved]);
    count += changes.length;
    if (budget.isUsedUp()) break;
  }
  return { count, more: above > 0 };
}

/**
 * Words the next events that name somebody who is erased without them, whatever their name and address were at the
 * time. Returns the last of as many as are reworded at once; null if these were all.
 */
export async function rewordErased(db: Ctx["db"], names: SQL, after: number): Promise<number | null> {
  const events = await findWorded(db, sql`t.id > ${after} AND ${names} ORDER BY t.id`);
  await commit(db, [rewording(db, changesOf(events))]);
  return events.length === REWORDED_AT_ONCE ? (events.at(-1)?.id ?? null) : null;
}

const findWorded = (db: Ctx["db"], which: SQL): Promise<Stored[]> =>
  db.all(sql`
    SELECT t.id, t.action, t.actor_id, t.actor_name, t.actor_email, t.meta_json, t.search_text,
      ${sql.raw(formerPeople("t"))}
    FROM audit_events t WHERE ${which} LIMIT ${REWORDED_AT_ONCE}`);

type Change = readonly [id: number, before: string, after: string];

function changesOf(events: readonly Stored[]): Change[] {
  return events.flatMap((event) => {
    const words = searchTextOf(event);
    return words === event.search_text ? [] : [[event.id, event.search_text, words] as const];
  });
}

/** Only the text that was read is replaced: a name that is erased in between must not come back. */
function rewording(db: Ctx["db"], changes: readonly Change[]): Statement {
  const { id, search_text } = auditEvents;
  return db
    .update(auditEvents)
    .set({ search_text: sql`change.value ->> 2` })
    .from(sql`json_each(${JSON.stringify(changes)}) change`)
    .where(sql`${id} = change.value ->> 0 AND ${search_text} = change.value ->> 1`);
}

/**
 * With the subject's name as it is stored: it may be folded otherwise. Somebody who was erased is not found by name.
 */
function searchTextOf({ search_text, ...event }: Stored): string {
  const end = search_text.indexOf("\n");
  if (end < 0) return search_text;
  const { action, meta } = factsOf(event);
  const actor = event.is_former
    ? { name: FORMER_MEMBER, email: null }
    : { name: event.actor_name, email: event.actor_email };
  return search_text.slice(0, end) + auditSearchText({ action, label: null, meta, actor });
}
