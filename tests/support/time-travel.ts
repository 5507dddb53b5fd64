import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { copyAudit, sealAudit } from "~/features/audit/chain.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { days } from "~/lib/time";
import { recordOfRestore } from "../../scripts/lib/database-restore.mjs";
import { bindings, type TestContext } from "./context";
import { withoutTriggers } from "./without-triggers";

/** Names what the drill takes back in time: Time Travel takes all of it, and does not exist here. */
const AUDIT_TABLES = ["audit_events", "audit_seals", "counters", "sqlite_sequence"];

type State = { table: string; rows: Record<string, unknown>[] }[];

/** Returns what the drill can put back. */
export const stateOfNow = (): Promise<State> =>
  Promise.all(
    AUDIT_TABLES.map(async (table) => {
      const { results } = await bindings.DB.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>();
      // Computed by the table.
      return { table, rows: results.map(({ activity_type, ...row }) => row) };
    }),
  );

/** Puts the rows of a state back, as Time Travel does: no trigger notices. */
export const travelTo = (state: State) =>
  withoutTriggers(bindings.DB, AUDIT_TABLES, async () => {
    await bindings.DB.batch(
      state.flatMap(({ table, rows }) => [
        bindings.DB.prepare(`DELETE FROM ${table}`),
        ...rows.map((row) => {
          const names = Object.keys(row);
          const places = names.map(() => "?").join(", ");
          return bindings.DB.prepare(`INSERT INTO ${table}(${names.join(", ")}) VALUES (${places})`).bind(
            ...Object.values(row),
          );
        }),
      ]),
    );
    await bindings.DB.exec("INSERT INTO audit_search(audit_search) VALUES ('rebuild')");
  });

export const BOOKMARK = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

/** Runs what `npm run restore:bookmark` runs after the database has gone back. */
export async function recordRestore(ctx: TestContext, changes = {}) {
  const restore = {
    epoch: ctx.now(),
    bookmark: BOOKMARK,
    undo: null,
    state: "2026-11-18 15:00 UTC",
    lostThrough: null,
  };
  const statements = recordOfRestore({ ...restore, numbers: {}, host: null, ...changes }, ctx.now());
  await bindings.DB.batch(statements.map((statement) => bindings.DB.prepare(statement)));
}

export const record = (ctx: TestContext, name: string) =>
  commit(ctx.db, [
    recordAudit(ctx, "user.profile_changed", {
      subject: { type: "user", id: `usr_${name}`, label: name },
      meta: { name },
    }),
  ]);

/** Lets a day pass on which these people did something: events, seals and a copy. */
export async function dayOf(ctx: TestContext, ...names: string[]) {
  for (const name of names) await record(ctx, name);
  await sealAudit(ctx);
  const copied = await copyAudit(ctx);
  ctx.clock.advance(days(1));
  return copied;
}

/** Changes the tables as somebody with access to the database could, who drops the triggers first. */
export const tamper = (statement: string) =>
  withoutTriggers(
    bindings.DB,
    ["audit_events", "audit_seals"],
    async () => void (await bindings.DB.prepare(statement).run()),
  );

export const newestId = async (ctx: TestContext): Promise<number> =>
  (await ctx.db.get<{ id: number }>(sql`SELECT max(id) AS id FROM audit_events`)).id;

/** Deletes the audit, its copies, and what is known of both. */
export async function emptyAudit(ctx: TestContext): Promise<void> {
  await withoutTriggers(bindings.DB, AUDIT_TABLES, async () => {
    await ctx.db.run(sql`DELETE FROM audit_seals`);
    await ctx.db.run(sql`DELETE FROM audit_events`);
    await ctx.db.run(sql`DELETE FROM counters WHERE name LIKE 'audit.%'`);
  });
  const copies = await ctx.files.listOlderThan("audit/", Number.POSITIVE_INFINITY, undefined);
  if (copies.keys.length > 0) await ctx.files.delete(copies.keys);
}
