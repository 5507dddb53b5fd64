import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { securityAlerts } from "~/db/schema/security";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/responses.server";
import {
  ACKNOWLEDGED,
  ALERT_GONE,
  ALERT_NOTE_TOO_LONG,
  acknowledgedAlready,
  KIND_LABELS,
  NOT_ACKNOWLEDGED,
} from "./labels";
import { ALERT_NOTE_MAX, type AlertKind, SECURITY_PATH } from "./model";

/**
 * `already`: somebody was faster, perhaps the actor in another window; `over`: it had ended by itself; `denied`: the
 * actor is no administrator any more.
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

/** Of two people who do it at once, one is told of the other. */
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

/** One that is still open was not for this actor. */
function closedOutcome(alert: Stored | undefined, { userId }: StaffActor): Acknowledgement {
  if (!alert) return { outcome: "not_found" };
  if (alert.closedAt === null) return { outcome: "denied" };
  return alert.by === null
    ? { outcome: "over" }
    : { outcome: "already", by: alert.name ?? "Someone", isOwn: alert.by === userId };
}

const ALERT_PURPOSE = "security-alert";

export type AlertAnswer = { rejection: string; id: string; note: string };

const AcknowledgeForm = absentAsEmpty(
  ["note"],
  z.object({
    id: z.string().refine((id) => isId("alr", id)),
    note: z.string().trim().max(ALERT_NOTE_MAX, ALERT_NOTE_TOO_LONG),
  }),
);

const answer = (rejection: string, { id = "", note = "" }: Record<string, string>): AlertAnswer => ({
  rejection,
  id,
  note,
});

export const securityActions = formActions<StaffActor, null, AlertAnswer>()({
  acknowledge: {
    ability: "security.acknowledge",
    purpose: ALERT_PURPOSE,
    failed: "Failed to acknowledge the alert",
    form: AcknowledgeForm,
    invalid: (problem) => {
      const reason = (problem.code === "fields" && problem.errors.note) || reasonOf(problem, NOT_ACKNOWLEDGED);
      return invalid(answer(reason, problem.values));
    },
    run: async (ctx, actor, { input: { id, note } }): Promise<ActionResult<AlertAnswer>> => {
      const result = await acknowledgeAlert(ctx, actor, { alertId: id, note });
      if (result.outcome === "acknowledged")
        return done({ to: SECURITY_PATH, flash: { kind: "success", ...ACKNOWLEDGED } });
      if (result.outcome === "not_found") return notFound();
      if (result.outcome !== "already")
        return conflict(answer(result.outcome === "over" ? ALERT_GONE : NOT_ACKNOWLEDGED, { id, note }));
      const message = acknowledgedAlready(result.isOwn ? "You" : result.by);
      if (result.isOwn)
        return done({ to: SECURITY_PATH, flash: { kind: "info", title: "No change", message }, unchanged: true });
      return conflict(answer(message, { id, note }));
    },
  },
});
