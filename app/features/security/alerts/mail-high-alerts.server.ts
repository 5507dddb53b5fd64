import { sql } from "drizzle-orm";
import { commit, expectThat } from "~/db/client.server";
import { securityAlerts } from "~/db/schema/security";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { withoutLinks } from "~/features/mail/templates/compose";
import { NOTIFICATION_EVENTS } from "~/features/notifications/preferences/default-preferences";
import { getSettings } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/time";
import { alertMessage } from "../copy";
import { ALERT_MAIL_INTERVAL, SECURITY_PATH, SHOWN_ALERTS } from "../model";
import { aboutText, partsOf } from "../subject.server";
import { personOf, type StoredAlert } from "./queries.server";

const EVENT = "security_alert";

/**
 * Mails the high alerts that are not mailed yet to every administrator who wants it, once and together. While alerts
 * come in quick succession a mail waits for the next ones, so that an attack does not fill the mailboxes.
 */
export async function mailHighAlerts(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const [alerts, lastMail] = await Promise.all([listUnmailed(ctx), lastMailedAt(ctx)]);
  if (alerts.length === 0 || (lastMail !== null && lastMail > now - ALERT_MAIL_INTERVAL)) return;
  const [administrators, { timeZone }] = await Promise.all([listReaders(ctx), getSettings(ctx.db)]);
  const lines = alerts.map((alert) => {
    const parts = partsOf(alert.subject);
    const person = personOf(alert);
    // People choose their names themselves; the address of a network stays as it is.
    const term = aboutText(person && { ...person, name: withoutLinks(person.name) }, parts);
    const time = formatInstant(alert.lastAt, timeZone, "datetime");
    return { term, detail: `${alertMessage({ ...alert, source: parts.source })}, last at ${time}` };
  });
  const unmailed = sql`id IN (SELECT value FROM json_each(${JSON.stringify(alerts.map(({ id }) => id))}))
    AND mailed_at IS NULL AND closed_at IS NULL`;
  const isMailed = await commit(ctx.db, [
    expectThat(ctx.db, sql`(SELECT count(*) FROM security_alerts WHERE ${unmailed}) = ${alerts.length}`),
    ctx.db.update(securityAlerts).set({ mailed_at: now }).where(unmailed),
    ...enqueueMails(
      ctx,
      "security-alert",
      administrators.map(({ id, email }) => ({
        to: email,
        reader: id,
        about: { type: "user" as const, id },
        data: { alerts: lines, path: SECURITY_PATH },
      })),
    ),
  ]);
  if (isMailed) ctx.after(deliverOutbox(ctx));
}

const listReaders = ({ db }: Pick<Ctx, "db">): Promise<{ id: string; email: string }[]> =>
  db.all<{ id: string; email: string }>(sql`
    SELECT u.id, u.email FROM user_roles r JOIN users u ON u.id = r.user_id AND u.status = 'active'
    LEFT JOIN notification_preferences p ON p.user_id = u.id AND p.event = ${EVENT}
    WHERE r.role = 'admin' AND coalesce(p.by_mail, ${NOTIFICATION_EVENTS[EVENT].byMail ? 1 : 0}) LIMIT 200`);

const listUnmailed = ({ db }: Pick<Ctx, "db">): Promise<StoredAlert[]> =>
  db.all<StoredAlert>(sql`
    SELECT a.id, a.kind, a.subject, a.severity, a.attempts, a.last_at AS lastAt, u.id AS userId, u.full_name AS name,
      u.email
    FROM security_alerts a INDEXED BY alerts_to_mail LEFT JOIN users u ON u.id = a.user_id
    WHERE a.severity = 'high' AND a.mailed_at IS NULL AND a.closed_at IS NULL AND a.opened_at > 0 ORDER BY a.opened_at
    LIMIT ${SHOWN_ALERTS}`);

async function lastMailedAt({ db }: Pick<Ctx, "db">): Promise<Instant | null> {
  const [row] = await db.all<{ at: Instant | null }>(
    sql`SELECT max(mailed_at) AS at FROM security_alerts WHERE mailed_at IS NOT NULL`,
  );
  return row?.at ?? null;
}
