import { brand } from "~/content/brand";
import { SYSTEM as SYSTEM_IN_AUDIT } from "~/features/audit/model";
import { shortened } from "~/features/contacts/queries.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { ALLOWANCES, contractYearOf } from "~/features/tickets/model";
import { ticketSubject } from "~/features/tickets/paths";
import { ticketSearchText } from "~/features/tickets/queries.server";
import { advance, outcomeEvent, slaColumns, startClock } from "~/features/tickets/sla/clock";
import { slaRules } from "~/features/tickets/sla/due-times";
import { calendarOf } from "~/lib/calendar";
import { days, hours, minutes } from "~/lib/time";
import { TICKETS } from "./tickets.mjs";

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
    impact: told.impact,
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

/** Says which status a step leads to; the others keep it. An answer reopens what waited for it. */
const STATUS_AFTER = {
  start: () => "in_progress",
  wait: () => "waiting_for_customer",
  answer: (status) => (status === "waiting_for_customer" ? "open" : status),
  resolve: () => "resolved",
  solved: () => "resolved",
  close: () => "closed",
};

const SYSTEM = { id: null, name: "", side: "system" };

/**
 * Returns what became of a ticket: its status, times and clock at the end, and, as `[table, row]`, the rows that refer
 * to it and must be written after it.
 */
function courseOf(world, people, { ticket, steps, rules }) {
  const { client, assignee, at } = ticket;
  const written = recorder(world, ticket);
  const opened = startClock({ by: "client", at, priority: ticket.priority, rules });
  const course = {
    status: "open",
    clock: opened.state,
    movedAt: at,
    resolution: null,
    resolvedAt: null,
    closedAt: null,
    remindedAt: null,
  };
  written.event(at, { ...client, side: "client" }, "opened", null, "open");
  written.audit(at, client, "ticket.opened");
  if (opened.usesAllowance) written.use(rules.contractYear);
  if (assignee) {
    // Taken a few minutes later, and before anything else.
    const taken = Math.min(at + minutes(4), world.now);
    written.event(taken, { ...assignee, side: "staff" }, "assignee", null, assignee.name);
    written.audit(taken, assignee, "ticket.assigned", { from: "nobody", to: assignee.name });
  }
  const technician = assignee ?? people.get("tech@wrenfield.example");
  for (const [, after, what, text] of steps) {
    const isOfClient = ["answer", "solved", "copy"].includes(what);
    const author = isOfClient ? { ...client, side: "client" } : { ...technician, side: "staff" };
    take(course, written, { at: at + Math.round(Number(after) * hours(1)), what, text, author, rules });
  }
  tellOfPromise(course, written, { now: world.now, rules });
  answerIfAsked(course, written, { now: world.now, ticket });
  endIfResolved(course, written, world.now);
  return { ...course, rows: written.rows };
}

function take(course, written, { at, what, text, author, rules }) {
  const from = course.status;
  const to = STATUS_AFTER[what]?.(from) ?? from;
  for (const happened of promiseEvents(what, { from, to, at, by: author.side })) {
    moveClock(course, written, happened, rules);
  }
  if (["reply", "answer", "note"].includes(what)) {
    written.message(at, author, text, what === "note");
    written.audit(at, author, what === "note" ? "ticket.note_added" : "ticket.replied");
  }
  if (to !== from) {
    written.event(at, author, "status", from, to, what === "resolve" ? text : null);
    written.audit(at, author, "ticket.status_changed", { from, to });
  }
  if (what === "copy") written.copy(at, author, text);
  if (what === "resolve") course.resolution = text;
  if (to === "resolved" || to === "closed") course.resolvedAt ??= at;
  if (to === "closed") course.closedAt ??= at;
  course.status = to;
  course.movedAt = at;
}

/** Tells the clock what has happened, and the history how promises ended by that. */
function moveClock(course, written, happened, rules) {
  const step = advance(course.clock, happened, rules);
  course.clock = step.state;
  for (const { kind, from_value, to_value } of step.outcomes.map(outcomeEvent)) {
    written.event(happened.at, SYSTEM, kind, from_value, to_value);
  }
}

// The jobs have done their part before the demo begins: otherwise its first minute would be full of their news.

/** Tells what the job would have told of the promise that runs: that its time is near, or over. */
function tellOfPromise(course, written, { now, rules }) {
  const { running } = course.clock;
  if (!running) return;
  const { kind, dueAt, warnAt } = running;
  if (dueAt !== null && dueAt < now) {
    moveClock(course, written, { type: "miss-told", at: Math.min(dueAt + minutes(1), now) }, rules);
  } else if (warnAt !== null && warnAt <= now) {
    moveClock(course, written, { type: "warned", at: warnAt }, rules);
    written.event(warnAt, SYSTEM, "promise_warned", kind, String(dueAt));
  }
}

/** Lets every second client answer the question whether it is solved, some hours after it was asked. */
function answerIfAsked(course, written, { now, ticket: { number, client } }) {
  const at = (course.resolvedAt ?? now) + hours(3);
  if (course.status !== "resolved" || number % 2 === 1 || at > now) return;
  written.vote(at, client);
}

/** Announces the end of a resolved ticket and closes it, as far as time has come for that. */
function endIfResolved(course, written, now) {
  if (course.status !== "resolved") return;
  const announceAt = course.resolvedAt + days(DEFAULT_SETTINGS.announceClosingAfter);
  const closeAt = course.resolvedAt + days(DEFAULT_SETTINGS.closeResolvedAfter);
  if (announceAt > now) return;
  written.event(announceAt, SYSTEM, "reminded", null, "closing");
  course.remindedAt = announceAt;
  course.movedAt = announceAt;
  if (closeAt > now) return;
  written.event(closeAt, SYSTEM, "status", "resolved", "closed");
  written.audit(closeAt, SYSTEM_IN_AUDIT, "ticket.status_changed", { from: "resolved", to: "closed" });
  Object.assign(course, { status: "closed", closedAt: closeAt, movedAt: closeAt, remindedAt: null });
}

/** Returns what the clock is told of a step. */
function promiseEvents(what, { from, to, at, by }) {
  if (to === "resolved" || to === "closed") return from === to ? [] : [{ type: to, at, by }];
  const said = { reply: "staff-message", answer: "client-message" }[what];
  return [...(said ? [{ type: said, at }] : []), ...(from === to ? [] : [{ type: "status-changed", at, to }])];
}

/** Holds what owners do not read in the history of their organization, as in the product itself. */
const OF_STAFF_ONLY = new Set(["ticket.assigned", "ticket.note_added"]);

/** Collects the rows of a ticket's history, and tells the audit of them. */
function recorder(world, { id, number, title, organization, client, at: openedAt }) {
  const rows = [];
  const ofTicket = { organization_id: organization.id, ticket_id: id };
  const subject = ticketSubject({ id, title });
  const audit = (at, actor, action, meta = {}) =>
    world.audit(at, actor, action, subject, meta, OF_STAFF_ONLY.has(action) ? null : organization.id);
  const event = (at, actor, kind, from, to, reason = null) =>
    rows.push([
      "ticket_events",
      {
        ...{ id: world.newId("tev", at), ...ofTicket, kind, from_value: from, to_value: to, reason },
        ...{ actor_id: actor.id, actor_name: actor.name, actor_side: actor.side, at },
      },
    ]);
  return {
    rows,
    event,
    vote: (at, client) => {
      event(at, { ...client, side: "client" }, "vote", null, "solved");
      rows.push(["ticket_votes", { ...ofTicket, user_id: client.id, is_solved: 1, at }]);
    },
    audit,
    /** Adds the address without an account that the client lets have copies from now on. */
    copy: (at, actor, email) => {
      event(at, actor, "person_added", null, shortened(email));
      audit(at, actor, "ticket.person_added", { person: shortened(email) });
      rows.push([
        "ticket_copies",
        { id: world.newId("cpy", at), ...ofTicket, email, added_by: actor.id, added_at: at },
      ]);
    },
    message: (at, author, message, isInternal) =>
      rows.push([
        "ticket_messages",
        {
          ...{ ...world.record("msg", at), ...ofTicket, user_id: author.id, author_name: author.name },
          ...{ side: author.side, is_internal: isInternal ? 1 : 0, message },
        },
      ]),
    use: (contractYear) =>
      rows.push([
        "allowance_entries",
        {
          id: world.newId("alw", openedAt),
          organization_id: organization.id,
          kind: "after_hours",
          contract_year: contractYear,
          ticket_id: id,
          ticket_number: number,
          actor_id: client.id,
          actor_name: client.name,
          at: openedAt,
        },
      ]),
  };
}
