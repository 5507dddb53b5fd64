import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { securityAlerts } from "~/db/schema/security";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isActiveAdmin } from "~/features/user-management/admin-guards.server";
import type { Ctx } from "~/platform/context.server";
import { KIND_LABELS } from "../copy";
import type { AlertKind } from "../model";

/**
 * Names what became of it. `already`: somebody was faster, perhaps the actor in another window; `over`: it had ended by
 * itself; `denied`: the actor is no administrator any more.
 */
type Acknowledgement =
  | { outcome: "acknowledged" | "over" | "not_found" | "denied" }
  | { outcome: "already"; by: string; isOwn: boolean };

type Stored = {
  kind: AlertKind;
  userId: string | null;
  fullName: string | null;
  closedAt: number | null;
  by: string | null;
  name: string | null;
};

/** Acknowledges an alert by name, with a note. Of two people who do it at once, one is told of the other. */
export async function acknowledgeAlert(
  ctx: Ctx,
  actor: StaffActor,
  { alertId, note }: { alertId: string; note: string },
): Promise<Acknowledgement> {
  const alert = await findAlert(ctx, alertId);
  if (!alert || alert.closedAt !== null) return closedOutcome(alert, actor);
  const { kind, userId, fullName } = alert;
  const written = await commit(ctx.db, [
    expectThat(ctx.db, isActiveAdmin(actor.userId)),
    ctx.db
      .update(securityAlerts)
      .set({
        closed_at: ctx.now(),
        acknowledged_by: actor.userId,
        acknowledged_name: actor.fullName,
        note: note || null,
      })
      .where(and(eq(securityAlerts.id, alertId), isNull(securityAlerts.closed_at))),
    expectChange(ctx.db),
    recordAudit(ctx, "security.alert_acknowledged", {
      subject: { type: "user", id: userId, label: fullName },
      meta: { alert: alertId, reason: KIND_LABELS[kind] },
    }),
  ]);
  return written ? { outcome: "acknowledged" } : closedOutcome(await findAlert(ctx, alertId), actor);
}

const findAlert = async ({ db }: Pick<Ctx, "db">, id: string): Promise<Stored | undefined> =>
  (
    await db.all<Stored>(sql`
      SELECT a.kind, u.id AS userId, u.full_name AS fullName, a.closed_at AS closedAt, a.acknowledged_by AS "by",
        a.acknowledged_name AS name
      FROM security_alerts a LEFT JOIN users u ON u.id = a.user_id WHERE a.id = ${id}`)
  )[0];

/** Says why an alert cannot be acknowledged. One that is still open was not for this actor. */
function closedOutcome(alert: Stored | undefined, { userId }: StaffActor): Acknowledgement {
  if (!alert) return { outcome: "not_found" };
  if (alert.closedAt === null) return { outcome: "denied" };
  return alert.by === null
    ? { outcome: "over" }
    : { outcome: "already", by: alert.name ?? "Someone", isOwn: alert.by === userId };
}
