import { measureTicket } from "~/features/analytics/ticket-metrics";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { hours } from "~/lib/time";

const CALENDAR = siteCalendar(DEFAULT_SETTINGS);
const CALENDARS = { zone: CALENDAR.zone, at: () => CALENDAR };

/** Says how long after a ticket its promise falls due: what is urgent is answered too late. */
const dueAfter = (priority) => hours(priority === "urgent" ? 1 : 2);

/** Writes what is measured of a ticket, as the job would. Each answer has kept or missed a promise. */
export function writeMetrics(world, { id, organizationId, status, priority, createdAt, endedAt, answeredAt }) {
  const dueAt = createdAt + dueAfter(priority);
  const verdict = answeredAt !== null && {
    kind: answeredAt <= dueAt ? "promise_kept" : "promise_missed",
    from: "first_response",
    to: `${createdAt} ${dueAt} ${answeredAt}`,
    at: answeredAt,
  };
  if (verdict) {
    world.insert("ticket_events", {
      ...{ id: `${id}-promise`, organization_id: organizationId, ticket_id: id, kind: verdict.kind },
      ...{ from_value: verdict.from, to_value: verdict.to, actor_name: "", actor_side: "system", at: verdict.at },
    });
  }
  const history = {
    ...{ id, organizationId, status, priority, createdAt, resolvedAt: endedAt, events: verdict ? [verdict] : [] },
    ...{ clientWroteAt: null, staffWroteAt: answeredAt, staffAnsweredAt: null, isOpenedByStaff: false, votes: [] },
  };
  for (const metric of measureTicket(history, CALENDARS)) world.insert("ticket_metrics", metric);
}
