import { sql } from "drizzle-orm";
import type { MailFact } from "~/features/mail/compose";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { NOTIFICATION_EVENTS, PREFERENCES_PATH } from "~/features/notifications/model";
import { unsubscribePath } from "~/features/notifications/unsubscribe.server";
import { getSettings } from "~/features/settings/queries.server";
import { countSubmissions } from "~/features/submissions/queries.server";
import { readWaiting } from "~/features/workspace/queue.server";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { ok } from "~/lib/errors";
import { cappedText } from "~/lib/numbers";
import { addDays, clockIn, dayIn, days } from "~/lib/time";
import { shortDay } from "~/lib/time-labels";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import type { JobReport } from "./job";

/** Of a morning on which nothing ran, none is sent in the afternoon. */
const FROM = "08:00";
const UNTIL = "12:00";

const EVENT = "daily_summary";

export async function sendDailySummary(ctx: Ctx): Promise<JobReport> {
  const { timeZone: zone, enableNotifications } = await getSettings(ctx.db);
  const now = ctx.now();
  const clock = clockIn(zone, now);
  if (!enableNotifications || clock < FROM || clock >= UNTIL) return { count: 0 };
  const today = dayIn(zone, now);
  let count = 0;
  const form = { scope: "daily-summary", key: `daily-summary:${today}` };
  await runCommand(ctx, form, {
    read: () => listReaders(ctx),
    plan: async (people): Promise<Planned<never>> => {
      if (people.length === 0) return ok({ resultId: today });
      const yesterday = addDays(today, -1);
      const data = {
        day: shortDay(yesterday),
        facts: await factsOf(ctx, yesterday),
        path: ADMIN_HOME_PATH,
        choicesPath: PREFERENCES_PATH,
      };
      const mails = people.map(({ id: userId, email }) => {
        const unsubscribe = unsubscribePath(ctx.config, { userId, event: EVENT });
        return {
          to: email,
          reader: userId,
          about: { type: "user" as const, id: userId },
          data: { ...data, unsubscribePath: unsubscribe },
        };
      });
      return ok({
        resultId: today,
        statements: enqueueMails(ctx, "daily-summary", mails),
        after: () => {
          count = people.length;
        },
      });
    },
  });
  return { count };
}

const listReaders = ({ db }: Pick<Ctx, "db">): Promise<{ id: string; email: string }[]> =>
  db.all<{ id: string; email: string }>(sql`
    SELECT u.id, u.email FROM user_roles r CROSS JOIN users u ON u.id = r.user_id
    LEFT JOIN notification_preferences p ON p.user_id = u.id AND p.event = ${EVENT}
    WHERE r.role <> 'user' AND u.status = 'active'
      AND coalesce(p.by_mail, ${NOTIFICATION_EVENTS[EVENT].byMail ? 1 : 0})`);

async function factsOf(ctx: Pick<Ctx, "db" | "now">, day: string): Promise<MailFact[]> {
  // Over an index: what is held stays for long, and may be much.
  const lately = ctx.now() - days(3);
  const [waiting, { held }, came] = await Promise.all([
    readWaiting(ctx, { userId: "" }, "all"),
    countSubmissions(ctx.db),
    ctx.db.get<{ received: number; overCap: number }>(sql`
      SELECT coalesce((SELECT new + contacted + resolved FROM submission_counts WHERE period = ${day}), 0) AS received,
        (SELECT count(*) FROM contact_submissions WHERE held_reason = 'over_cap' AND submitted_on = ${day}
          AND created_at >= ${lately}) AS overCap`),
  ]);
  const count = (value: number) => value.toLocaleString("en-US");
  return [
    { term: "New submissions", detail: count(came?.received ?? 0) },
    { term: "Held above the daily limit", detail: count(came?.overCap ?? 0) },
    { term: "Held for review, all", detail: count(held) },
    { term: "Waiting for an answer", detail: cappedText(waiting.counts.all) },
    { term: "Of these late", detail: cappedText(waiting.late) },
  ];
}
