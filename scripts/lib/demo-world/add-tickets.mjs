import { brand } from "~/content/brand";
import { ALLOWANCES, contractYearOf } from "~/features/tickets/model";
import { ticketSearchText } from "~/features/tickets/queries.server";
import { slaColumns } from "~/features/tickets/sla/clock";
import { slaRules } from "~/features/tickets/sla/rules";
import { calendarOf } from "~/lib/opening-hours";
import { hours } from "~/lib/time";
import { courseOf } from "./ticket-course.mjs";
import { BRIGHTSMILE_TICKETS } from "./tickets/brightsmile.mjs";
import { EVERYDAY_TICKETS } from "./tickets/everyday.mjs";
import { HARBOR_HOUSE_TICKETS } from "./tickets/harbor-house.mjs";
import { LITTLE_OAKS_TICKETS } from "./tickets/little-oaks.mjs";

const TICKETS = [...BRIGHTSMILE_TICKETS, ...HARBOR_HOUSE_TICKETS, ...LITTLE_OAKS_TICKETS, ...EVERYDAY_TICKETS];

/** Writes the tickets with the numbers the form would have given them, what became of each, and what was promised. */
export function addTickets(world, people) {
  const oldestFirst = TICKETS.toSorted((left, right) => right.hoursAgo - left.hoursAgo);
  const { value: last } = world.database.prepare("select value from counters where name = 'ticket'").get();
  oldestFirst.forEach((told, index) => {
    addTicket(world, people, { ...told, number: last + 1 + index });
  });
  world.database.prepare("update counters set value = ? where name = 'ticket'").run(last + oldestFirst.length);
}

function addTicket(world, people, told) {
  const at = world.now - Math.round(told.hoursAgo * hours(1));
  const organization = world.database
    .prepare("select id, name, plan, contract_started_at as contractStartedAt from organizations where slug = ?")
    .get(told.organization);
  const client = people.get(told.by);
  const assignee = told.has ? people.get(told.has) : null;
  const { title, description, priority, number } = told;
  const ticket = { id: world.newId("tkt", at), number, title, priority, organization, client, assignee, at };
  const { status, clock, ...course } = courseOf(world, people, {
    ticket,
    steps: told.course,
    rules: rulesOf(world, organization, at),
  });
  world.insert("support_tickets", {
    id: ticket.id,
    created_at: at,
    updated_at: course.movedAt,
    number,
    organization_id: organization.id,
    title,
    description,
    priority,
    category: told.category,
    impact: told.impact ?? null,
    status,
    created_by: client.id,
    creator_name: client.name,
    assigned_to: assignee?.id ?? null,
    is_private: told.isPrivate ? 1 : 0,
    resolution: course.resolution,
    resolved_at: course.resolvedAt,
    closed_at: course.closedAt,
    reminded_at: course.remindedAt,
    waiting_since: status === "waiting_for_customer" ? course.movedAt : null,
    last_message_at: at,
    ...slaColumns(clock),
    viewers: `~${client.id}.`,
    search_text: ticketSearchText({ title, number, description, organization: organization.name }),
  });
  for (const [table, row] of course.rows) world.insert(table, row);
}

/** Returns by what promises to an organization are counted at the moment a ticket is opened, with its contract year. */
function rulesOf(world, { id, plan, contractStartedAt }, at) {
  const zone = brand.timeZone;
  const contractYear = contractYearOf({ contractStartedAt, zone }, at);
  const { used } = world.database
    .prepare("select count(*) as used from allowance_entries where organization_id = ? and contract_year = ?")
    .get(id, contractYear);
  const afterHoursLeft = Math.max(0, (ALLOWANCES[plan].after_hours ?? 0) - used);
  const calendar = calendarOf({ zone, openingHours: brand.openingHours });
  return { ...slaRules({ calendar, plan, afterHoursLeft }), contractYear };
}
