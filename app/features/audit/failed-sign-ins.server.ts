import { and, eq, lt, sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { refusedSignIns } from "~/db/schema/audit";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type AuditActor, VISITOR } from "./model";
import { recordAudit, recordAuditIf } from "./record-audit.server";

const MAX_REPORTED = 100;

const subjectOf = (account: AuditActor | null) => ({
  type: "user" as const,
  id: account?.id ?? null,
  label: account?.name ?? null,
});

/**
 * The first of an account, a network and an hour is recorded at once, the rest as a number, so that guessing does not
 * fill the audit.
 */
export function recordFailedSignIn(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { account, reason }: { account: AuditActor | null; reason: string },
): Statement[] {
  const { account_id, network, hour, count } = refusedSignIns;
  const key = {
    account_id: account?.id ?? "",
    network: ctx.request.network,
    hour: Math.floor(ctx.now() / hours(1)) * hours(1),
    reason,
  };
  const isFirst = sql`(SELECT ${count} FROM ${refusedSignIns} WHERE ${account_id} = ${key.account_id}
    AND ${network} = ${key.network} AND ${hour} = ${key.hour} AND ${refusedSignIns.reason} = ${reason}) = 1`;
  return [
    ctx.db
      .insert(refusedSignIns)
      .values({ ...key, count: 1 })
      .onConflictDoUpdate({
        target: [account_id, network, hour, refusedSignIns.reason],
        set: { count: sql`${count} + 1` },
      }),
    recordAuditIf(ctx, "session.refused", {
      subject: subjectOf(account),
      actor: account ?? VISITOR,
      meta: { reason },
      onlyIf: isFirst,
    }),
  ];
}

/** Of two runs at the same time one records each count. */
export async function reportFailedSignIns(
  ctx: Pick<Ctx, "budget" | "db" | "now" | "request" | "signedIn">,
): Promise<{ count: number; more: boolean }> {
  const { account_id, network, hour, reason, count } = refusedSignIns;
  const rows = await ctx.db
    .select({ account_id, network, hour, reason, count, name: users.full_name, email: users.email })
    .from(refusedSignIns)
    .leftJoin(users, eq(users.id, account_id))
    .where(lt(hour, ctx.now() - hours(1)))
    .orderBy(hour)
    .limit(MAX_REPORTED);
  for (const [index, row] of rows.entries()) {
    if (index > 0 && ctx.budget.isUsedUp()) return { count: index, more: true };
    const account = row.email === null ? null : { id: row.account_id, role: "user", name: row.name, email: row.email };
    const key = [eq(account_id, row.account_id), eq(network, row.network), eq(hour, row.hour), eq(reason, row.reason)];
    const further = recordAudit({ ...ctx, request: { ...ctx.request, ip: row.network } }, "session.refused", {
      subject: subjectOf(account),
      actor: account ?? VISITOR,
      meta: { reason: row.reason, repeated: row.count - 1 },
    });
    await commit(ctx.db, [
      ctx.db.delete(refusedSignIns).where(and(...key)),
      expectChange(ctx.db),
      ...(row.count > 1 ? [further] : []),
    ]);
  }
  return { count: rows.length, more: rows.length === MAX_REPORTED };
}
