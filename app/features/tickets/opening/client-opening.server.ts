import { readFileRoom, shortRoomText } from "~/features/attachments/file-quota.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { weekInWords } from "~/lib/calendar";
import { plural } from "~/lib/text";
import { hours, zoneName } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { TICKET_PRIORITIES } from "../model";
import { startClock } from "../sla/clock";
import { coverageOf, type SlaRules, type Target } from "../sla/due-times";
import { targetBeforeSending } from "../sla/explain";
import { readSlaRules } from "../sla/targets.server";

export async function readNewTicket(
  ctx: Pick<Ctx, "db" | "now" | "publishedSettings">,
  { userId, membership, organizations }: MemberActor,
) {
  const now = ctx.now();
  const [{ rules }, { phone, planNames }, room] = await Promise.all([
    readSlaRules(ctx.db, membership.organizationId, now),
    effectiveBrand(ctx),
    readFileRoom(ctx, { userId, side: "client" }, membership.organizationId),
  ]);
  const { calendar, plan, afterHours } = rules;
  const context = { zone: calendar.zone, now, phone: phone?.display ?? null, planNames };
  return {
    organizationId: membership.organizationId,
    organizations: organizations
      .map(({ organizationId: id, organizationName: name }) => ({ id, name }))
      .sort((a, b) => Number(b.id === membership.organizationId) - Number(a.id === membership.organizationId)),
    plan: plan === "none" ? null : planNames[plan],
    previews: TICKET_PRIORITIES.toReversed().flatMap((priority) => {
      const { running: sla } = startClock({ by: "client", at: now, priority, rules }).state;
      if (!sla) return [];
      return [{ priority, words: targetBeforeSending(sla, context), within: withinText(rules, priority) }];
    }),
    room: shortRoomText(room),
    hours: `${weekInWords(calendar.week)}, ${zoneName(calendar.zone)} time`,
    incidents:
      coverageOf(plan) === "urgent_after_hours"
        ? `Outside these hours an urgent ticket uses one of your ${afterHours.perYear} after-hours incidents; ${afterHours.left} are left.`
        : null,
  };
}

export type NewTicketPage = Awaited<ReturnType<typeof readNewTicket>>;

/** Says how soon a reply is promised: "4 open hours", "1 business day", "2 open hours; when closed, 4 hours". */
function withinText({ plan, targets, afterHours }: SlaRules, priority: keyof SlaRules["targets"]): string {
  const coverage = coverageOf(plan);
  const target = targets[priority];
  if (coverage === "around_the_clock") return plural(hoursOf(target), "hour");
  const open = target.unit === "hours" ? plural(target.count, "open hour") : plural(target.count, "business day");
  const isUrgentAtNight = coverage === "urgent_after_hours" && priority === "urgent" && afterHours.left > 0;
  return isUrgentAtNight ? `${open}; when closed, ${plural(afterHours.response / hours(1), "hour")}` : open;
}

const hoursOf = ({ unit, count }: Target): number => (unit === "hours" ? count : count * 24);
