import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { securityAlerts } from "~/db/schema/security";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { alertMessage, SEVERITY_LABELS } from "../copy";
import { SUSPICIOUS_WINDOW } from "../model";
import { aboutText, partsOf } from "../subject.server";
import { type DueAlert, isCovered, listFailedFactors, listLockouts, MAX_DUE } from "./due-alerts.server";
import { mailHighAlerts } from "./mail-high-alerts.server";

/**
 * Raises the alerts that are due, and tells administrators: open pages at once, and of high ones by mail. A second run,
 * or one at the same time, finds them raised.
 */
export async function raiseAlerts(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const now = ctx.now();
  const [factors, lockouts] = await Promise.all([listFailedFactors(ctx.db, now), listLockouts(ctx.db, now)]);
  let count = 0;
  let isCutShort = false;
  for (const due of [...factors, ...lockouts]) {
    if (await raise(ctx, due)) count += 1;
    isCutShort = ctx.budget.isUsedUp();
    if (isCutShort) break;
  }
  count += await endSingleFailures(ctx);
  await mailHighAlerts(ctx);
  if (count > 0) ctx.after(ctx.live.notify("staff"));
  return { count, more: isCutShort || factors.length === MAX_DUE || lockouts.length === MAX_DUE };
}

/** Opens an alert, or adds to the open one. Returns false if another run, or an administrator, was faster. */
function raise(ctx: Ctx, due: DueAlert): Promise<boolean> {
  const { kind, subject, userId, severity, attempts, lastAt, openAs } = due;
  const t = securityAlerts;
  const isNews = openAs === null || (openAs === "medium" && severity === "high");
  const covered = isCovered({
    kind: sql`${kind}`,
    subject: sql`${subject}`,
    lastAt: sql`${lastAt}`,
    attempts: sql`${attempts}`,
  });
  return commit(ctx.db, [
    expectThat(ctx.db, sql`NOT ${covered}`),
    ctx.db
      .insert(t)
      .values({
        id: ctx.newId("alr"),
        kind,
        subject,
        user_id: userId,
        severity,
        attempts,
        opened_at: ctx.now(),
        last_at: lastAt,
      })
      .onConflictDoUpdate({
        target: [t.kind, t.subject],
        targetWhere: isNull(t.closed_at),
        set: {
          severity: sql`iif(${t.severity} = 'high', 'high', excluded.severity)`,
          attempts: sql`max(${t.attempts}, excluded.attempts)`,
          last_at: sql`max(${t.last_at}, excluded.last_at)`,
        },
      }),
    expectChange(ctx.db),
    ...(kind === "suspicious_activity" ? [replaceSingleFailure(ctx, subject)] : []),
    ...(isNews ? notifyAdministrators(ctx, due) : []),
  ]);
}

/**
 * Returns the statements that tell administrators of an alert that is new, or worse than before: on open pages, and in
 * their lists, which do not say whom it is about. Of a single failed code only where it is staff's: clients mistype
 * every day.
 */
function notifyAdministrators(ctx: Ctx, { kind, subject, userId, fullName, email, severity, attempts }: DueAlert) {
  const parts = partsOf(subject);
  const person = userId && fullName && email ? { id: userId, name: fullName, email } : null;
  const message = alertMessage({ kind, attempts, source: parts.source });
  const isOfInterest =
    kind === "failed_mfa" ? sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND is_staff = 1)` : sql`1`;
  return [
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "mfa_event",
      subject: { type: "user", id: userId },
      label: `${SEVERITY_LABELS[severity]} alert, ${aboutText(person, parts)}: ${message}`,
      onlyIf: isOfInterest,
    }),
    ...notifyPeople(ctx, {
      subject: { type: "user", id: userId ?? "" },
      label: sql`${`${SEVERITY_LABELS[severity]}, ${message}`}`,
      itemId: "",
      recipients: [{ event: "security_alert", people: sql`${activeStaff} AND r.role = 'admin' AND ${isOfInterest}` }],
      actor: { userId: null, fullName: "" },
      mail: null,
    }),
  ];
}

const openFailure = eq(securityAlerts.kind, "failed_mfa");

/** Returns the statement that ends the alert of a single failed code, because a wider one tells of it too. */
const replaceSingleFailure = (ctx: Pick<Ctx, "db" | "now">, subject: string) =>
  ctx.db
    .update(securityAlerts)
    .set({ closed_at: ctx.now() })
    .where(and(openFailure, eq(securityAlerts.subject, subject), isNull(securityAlerts.closed_at)));

/** Ends the alerts of single failed codes that nothing followed within the hour: somebody had mistyped one. */
async function endSingleFailures(ctx: Pick<Ctx, "db" | "now">): Promise<number> {
  const t = securityAlerts;
  const isOver = and(openFailure, isNull(t.closed_at), lte(t.last_at, ctx.now() - SUSPICIOUS_WINDOW));
  const found = await ctx.db.select({ id: t.id }).from(t).where(isOver).limit(1);
  if (found.length === 0) return 0;
  const ended = await ctx.db.update(t).set({ closed_at: ctx.now() }).where(isOver);
  return ended.meta.changes;
}
