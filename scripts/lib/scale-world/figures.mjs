import { addCounts, countsOf } from "~/features/analytics/facts/counts";
import { dayRow } from "~/features/analytics/facts/day-row";
import { deriveFacts } from "~/features/analytics/facts/derive-facts";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { hours } from "~/lib/time";

const CALENDAR = siteCalendar(DEFAULT_SETTINGS);
const CALENDARS = { zone: CALENDAR.zone, at: () => CALENDAR };

/** Says how long after a ticket its promise falls due: what is urgent is answered too late. */
const dueAfter = (priority) => hours(priority === "urgent" ? 1 : 2);

/**
 * Writes what counts of a ticket, as the job would, and keeps what it adds to its days. Each answer has kept
 * or missed a promise.
 */
export function countTicket(world, { id, organizationId, status, priority, createdAt, endedAt, answeredAt }) {
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
  world.days ??= new Map();
  for (const fact of deriveFacts(history, CALENDARS)) {
    world.insert("ticket_facts", fact);
    for (const owner of [fact.organization_id, ""]) {
      const key = `${owner} ${fact.day}`;
      world.days.set(key, addCounts(world.days.get(key) ?? {}, countsOf(fact)));
    }
  }
}

/** Stores what tickets have added to their days since the last time. */
export function writeDays(world, database) {
  const find = database.prepare("select counts from daily_figures where organization_id = ? and day = ?");
  const store = database.prepare(`insert or replace into daily_figures values (${Array(11).fill("?").join(", ")})`);
  for (const [key, counts] of world.days) {
    const [organizationId, day] = [key.slice(0, -11), key.slice(-10)];
    const before = find.get(organizationId, day);
    if (before) addCounts(counts, JSON.parse(before.counts));
    store.run(...dayRow({ organizationId, day, counts }));
  }
  world.days.clear();
}
