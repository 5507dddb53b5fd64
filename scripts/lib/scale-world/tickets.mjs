import { TICKET_CATEGORIES } from "~/features/tickets/model";
import { ticketSearchText } from "~/features/tickets/queries.server";
import { hours, minutes } from "~/lib/time";
import { writeMetrics } from "./metrics.mjs";
import { rowOf } from "./row-of.mjs";
import { FIRST_NAMES, LAST_NAMES, SENTENCES } from "./texts.mjs";

/** Sets how many messages a ticket has: one to five. */
const MESSAGES = { min: 1, max: 5 };

/** Says which of them staff write: the answer, and a note that only staff read. The others are the client's. */
const ANSWER = 1;
const INTERNAL = 3;

const TOPICS = "Printer|Scanner|Wi-Fi|Mailbox|Backup|Laptop|Phone|Invoice|Password|Server|Camera|Calendar".split("|");
const TROUBLES = "is offline|is slow|asks for a password|stopped after the update|needs a second user|is gone".split(
  "|",
);

/** Writes a ticket of an organization of the scale world with its conversation. Old ones are closed, few are active. */
export function writeTicket(world, index) {
  if (world.organizations === 0) throw new Error("Tickets need organizations: add --organizations=1000.");
  const { id, at, random } = rowOf(world, "tkt", index);
  const organizationId = rowOf(world, "org", random.between(0, world.organizations - 1)).id;
  const age = world.today - at;
  const share = random.next();
  const isActive = age < hours(24 * 30) ? share < 0.5 : share < 0.002;
  const status = isActive
    ? random.pick(["open", "open", "in_progress", "waiting_for_customer"])
    : share > 0.9
      ? "resolved"
      : "closed";
  const number = world.nextNumber("support_tickets");
  const title = `${random.pick(TOPICS)} ${random.pick(TROUBLES)}`;
  const description = `${random.pick(SENTENCES)} ${random.pick(SENTENCES)}`;
  const creator = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const endedAt = isActive ? null : Math.min(at + hours(random.between(1, 200)), world.today);
  const count = random.between(MESSAGES.min, MESSAGES.max);
  const priority = random.pick(["low", "medium", "medium", "high", "urgent"]);
  const owesReply = status === "open" || status === "in_progress";
  world.insert("support_tickets", {
    id,
    created_at: at,
    updated_at: endedAt ?? at,
    number,
    organization_id: organizationId,
    title,
    description,
    priority,
    category: random.pick(TICKET_CATEGORIES),
    status,
    creator_name: creator,
    resolved_at: endedAt,
    closed_at: status === "closed" ? endedAt : null,
    waiting_since: status === "waiting_for_customer" ? at : null,
    measured_version: 1,
    public_messages: count - (count > INTERNAL ? 1 : 0),
    last_message_at: at + minutes(count * 40),
    promise_json: "{}",
    due_at: owesReply && random.next() < 0.6 ? world.today + hours(random.between(-20, 40)) : null,
    viewers: "",
    search_text: ticketSearchText({ title, number, description, organization: world.searchNameOf(organizationId) }),
  });
  for (let place = 0; place < count; place += 1) {
    const written = at + minutes((place + 1) * 40);
    const isInternal = place === INTERNAL;
    const isOfStaff = place === ANSWER || isInternal;
    world.insert("ticket_messages", {
      id: `${id}-${place}`,
      created_at: written,
      updated_at: written,
      organization_id: organizationId,
      ticket_id: id,
      author_name: isOfStaff ? "Scale test" : creator,
      side: isOfStaff ? "staff" : "client",
      is_internal: isInternal ? 1 : 0,
      message: random.pick(SENTENCES),
      // As the trigger would have numbered it, apart from others: a ticket has fewer than eight messages.
      number: number * 8 + place,
    });
  }
  const answeredAt = count > ANSWER ? at + minutes((ANSWER + 1) * 40) : null;
  writeMetrics(world, { id, organizationId, status, priority, createdAt: at, endedAt, answeredAt });
}

const countOf = (status) => `sum(status = '${status}')`;
const STATUSES = ["open", "in_progress", "waiting_for_customer", "resolved", "closed"];

const sumOf = (names) => `coalesce(sum(n) filter (where name glob '${names}'), 0)`;

/** Sums days as the job does, all of them at once. */
const daysOf = (owner, source) => `
  insert into daily_metrics
    select owner, day, ${["created.*", "wall.*", "kept.*", "missed.*", "backlog.0", "backlog.1", "backlog.2", "backlog.3"].map(sumOf).join(", ")}, json_group_object(name, n)
    from (
      select ${owner} as owner, m.day, c.key as name, sum(c.value) as n
      from ${source} m cross join json_each(m.counts) c group by 1, 2, 3 having sum(c.value) <> 0)
    group by owner, day`;

/** Does what the triggers and the job of tickets would have done. */
export const TICKETS_RECOUNT = `
  update totals set value = (select count(*) from support_tickets where 'ticket.' || status = totals.name)
    where name like 'ticket.%';
  delete from ticket_counts;
  insert into ticket_counts(organization_id, ${STATUSES.join(", ")}, closed_after_resolved)
    select organization_id, ${STATUSES.map(countOf).join(", ")}, sum(status = 'closed' and resolved_at < closed_at) from support_tickets group by organization_id;
  update organizations set ticket_count = c.open + c.in_progress + c.waiting_for_customer + c.resolved + c.closed,
      active_ticket_count = c.open + c.in_progress + c.waiting_for_customer
    from ticket_counts c where c.organization_id = organizations.id;
  insert into ticket_search(ticket_search) values ('rebuild');
  insert into message_search(message_search) values ('rebuild');
  update counters set value = max(value, (select coalesce(max(number), 0) from support_tickets)) where name = 'ticket';
  delete from daily_metrics;
  ${daysOf("organization_id", "ticket_metrics")};
  ${daysOf("''", "daily_metrics")};
  update counters set value = 0 where name = 'range_metrics_until';`;
