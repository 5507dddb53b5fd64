import { brand } from "~/content/brand";
import { TERMS_VERSION } from "~/content/legal";
import { measureTicket } from "~/features/analytics/ticket-metrics";
import { auditColumns } from "~/features/audit/record-audit.server";
import { REBUILD_COUNTS, REBUILD_SEARCH } from "~/features/backup/rebuild";
import { organizationTexts } from "~/features/organizations/model";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { submissionNameKey, submissionSearchText } from "~/features/submissions/model";
import { TICKET_CATEGORIES } from "~/features/tickets/model";
import { ticketSearchText } from "~/features/tickets/queries.server";
import { nameColumns } from "~/features/users/model";
import { dayIn, days, hours, minutes } from "~/lib/time";
import { hashPassword } from "~/platform/crypto.server";
import { PASSWORD } from "./demo-world/people.mjs";
import { localSecrets } from "./local-secrets.mjs";
import { seededRandom } from "./seeded-random.mjs";

/** Holds the number of digits by which an id names the index of its row. */
const INDEX_DIGITS = 8;

const MEMBERSHIPS_EACH = 5;

const PAST = days(3 * 365);

const CALENDARS = { zone: brand.timeZone, at: () => siteCalendar(DEFAULT_SETTINGS) };

const wordsIn = (text) => text.split(" ");
const FIRST_NAMES = wordsIn(
  "Ada Ben Cleo Dario Elsa Finn Greta Hugo Iris Jonas Kira Leon Mara Nils Olga Paul Quinn Rosa",
);
const LAST_NAMES = wordsIn(
  "Abbott Becker Castillo Duarte Eriksen Grant Hoffman Ito Jansen Larsen Moreau Petrov Sato Xu",
);
const COMPANIES = wordsIn(
  "Cedar Harbor Summit Meadow Granite Willow Lantern Orchard Bridge Anchor Canyon Falcon Juniper",
);
const TRADES = wordsIn("Dental Legal Accounting Clinic Academy Logistics Studio Bakery Pharmacy Brewing Motors Realty");
const TOPICS = wordsIn("Printer Scanner Wi-Fi Mailbox Backup Laptop Phone Invoice Password Server Camera Calendar");
const TROUBLES = ["is offline", "is slow", "asks for a password", "stopped after the update", "is gone"];
const SENTENCES = [
  "Our server is older than our youngest colleague and sounds like it.",
  "We need somebody who answers the phone before ten in the morning.",
  "The wireless network reaches every room except the one with the people in it.",
  "Backups exist, but nobody has ever restored one.",
  "We are moving to a new building in the summer and want to do it properly this time.",
  "What would the Core plan cost for a team of our size?",
  "An auditor gave us a list of forty items and three weeks.",
  "We have printers from five makers and none of them prints on Mondays.",
];

/** Prepares what rows are made with. `spread`: over how many rows the past is spread. */
export function openScaleWorld(database, seed, spread) {
  const statements = new Map();
  const numbers = new Map();
  const organizations = database
    .prepare("select id, search_name from organizations where id >= ? and id < ? order by id")
    .all(`org_scale${seed}x`, `org_scale${seed}y`);
  return {
    seed,
    spread,
    today: Math.floor(Date.now() / days(1)) * days(1),
    organizations,
    passwordHash: hashPassword(localSecrets().PASSWORD_PEPPER_1, PASSWORD),
    nextNumber: (table) => {
      const last = () => database.prepare(`select max(number) as last from ${table}`).get().last ?? 0;
      numbers.set(table, (numbers.get(table) ?? last()) + 1);
      return numbers.get(table);
    },
    insert: (table, row) => {
      if (!statements.has(table)) {
        const columns = Object.keys(row);
        const sql = `insert into ${table}(${columns}) values (${columns.map(() => "?")})`;
        statements.set(table, database.prepare(sql));
      }
      statements.get(table).run(...Object.values(row));
    },
  };
}

/**
 * Returns the id, the moment and the random numbers of a row. The same seed and index give the same row in every run.
 * Ids end as differently as real ones: a search that asks for a person finds them by the letters of their id.
 */
function rowOf({ seed, spread, today }, prefix, index) {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const share = (index % spread) / spread;
  const digits = "0123456789abcdefghjkmnpqrstvwxyz";
  const tail = Array.from({ length: 10 }, () => random.pick(digits)).join("");
  return {
    id: `${prefix}_scale${seed}x${String(index).padStart(INDEX_DIGITS, "0")}${tail}`,
    // The newest is of the day before yesterday: today's limit of submissions is left whole in every time zone.
    at: today - days(2) - Math.round(PAST * (1 - share)) + random.between(0, days(1) - 1),
    random,
  };
}

/**
 * Returns the index of the first new row. Of those before some may be gone: the jobs of a server delete what is old.
 */
export function nextIndex(database, { table, prefix, key = "id" }, seed) {
  const ours = `${prefix}_scale${seed}`;
  const query = `select max(${key}) as last from ${table} where ${key} >= ? and ${key} < ?`;
  const { last } = database.prepare(query).get(`${ours}x`, `${ours}y`);
  return last === null ? 0 : Number(last.slice(ours.length + 1, ours.length + 1 + INDEX_DIGITS)) + 1;
}

function writeOrganization(world, index) {
  const { id, at, random } = rowOf(world, "org", index);
  const name = `${random.pick(COMPANIES)} ${random.pick(TRADES)} ${index + 1}`;
  world.insert("organizations", {
    id,
    created_at: at,
    updated_at: at,
    ...organizationTexts({ name, description: random.pick(SENTENCES) }),
    number: world.nextNumber("organizations"),
    slug: `scale-${world.seed}-${index + 1}`,
    plan: random.pick(["none", "basic", "core", "core", "premium"]),
    contract_started_at: at,
  });
}

/** Writes a person with memberships: the first in an organization of their own, the others in those after it. */
function writePerson(world, index) {
  const { id, at, random } = rowOf(world, "usr", index);
  const record = { created_at: at, updated_at: at };
  const email = `person${index + 1}@scale${world.seed}.example`;
  const name = nameColumns(`${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`);
  world.insert("users", {
    ...{ id, ...record, email, ...name, number: world.nextNumber("users") },
    ...{ password_hash: world.passwordHash, status: "active" },
  });
  world.insert("user_roles", { user_id: id, role: "user" });
  const { organizations } = world;
  for (let place = 0; place < Math.min(MEMBERSHIPS_EACH, organizations.length); place += 1) {
    const organization = organizations[(index + place) % organizations.length];
    const share = random.next();
    world.insert("organization_memberships", {
      id: rowOf(world, "mem", index * MEMBERSHIPS_EACH + place).id,
      ...record,
      organization_id: organization.id,
      user_id: id,
      role: place === 0 && index < organizations.length ? "owner" : share < 0.1 ? "admin" : "member",
      status: share > 0.95 ? "suspended" : "active",
      joined_at: at,
      number: world.nextNumber("organization_memberships"),
      search_text: `${name.search_name} ${email}\n${organization.search_name}`,
    });
  }
}

function writeSubmission(world, index) {
  const { id, at, random } = rowOf(world, "sub", index);
  const share = random.next();
  const moderationReason = random.next() < 0.02 ? "content" : null;
  const status = moderationReason || share < 0.08 ? "new" : share < 0.25 ? "contacted" : "resolved";
  const sender = {
    firstName: random.pick(FIRST_NAMES),
    lastName: random.pick(LAST_NAMES),
    company: `${random.pick(COMPANIES)} ${random.pick(TRADES)}`,
  };
  const email = `${sender.firstName}.${sender.lastName}${index}@scale${world.seed}.example`.toLowerCase();
  world.insert("contact_submissions", {
    id,
    created_at: at,
    updated_at: at,
    number: world.nextNumber("contact_submissions"),
    first_name: sender.firstName,
    last_name: sender.lastName,
    email,
    phone: `(555) 555-${String(index % 10_000).padStart(4, "0")}`,
    company: sender.company,
    message: `${random.pick(SENTENCES)} ${random.pick(SENTENCES)}`,
    status,
    held_reason: moderationReason,
    consent_at: at,
    consent_terms_version: TERMS_VERSION,
    ip_hash: id,
    search_text: submissionSearchText({ ...sender, email }),
    name_key: submissionNameKey(sender),
    submitted_on: dayIn(brand.timeZone, at),
    reply_due_at: at + days(1),
  });
  const answeredAt = at + minutes(random.between(10, 1_500));
  const move = (from_status, to_status, when) => {
    const actor = { actor_id: null, actor_name: "Scale test", at: when };
    world.insert("submission_events", {
      id: `${id}-${to_status}`,
      submission_id: id,
      from_status,
      to_status,
      ...actor,
    });
  };
  if (status !== "new") move("new", "contacted", answeredAt);
  if (status === "resolved") move("contacted", "resolved", answeredAt + hours(random.between(2, 300)));
}

const EVENTS = [
  { action: "submission.received", meta: {} },
  { action: "submission.status_changed", meta: { from: "new", to: "contacted" } },
  { action: "submission.status_changed", meta: { from: "contacted", to: "resolved" } },
  { action: "note.added", meta: {} },
  { action: "session.started", meta: {} },
];

function writeEvent(world, index) {
  const { id, at, random } = rowOf(world, "aud", index);
  const { action, meta } = random.pick(EVENTS);
  const label = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const staff = random.between(0, 11);
  const actor =
    action === "submission.received"
      ? { id: null, role: "visitor", name: null, email: null }
      : { id: `usr_scale${staff}`, role: "moderator", name: LAST_NAMES[staff], email: `staff${staff}@scale.example` };
  const subject = { type: "submission", id: rowOf(world, "sub", index).id, label };
  world.insert("audit_events", { ...auditColumns({ at, actor, action, subject, meta }), request_id: id });
}

/** Says which messages of a ticket staff write: the answer, and a note that only staff read. */
const ANSWER = 1;
const INTERNAL = 3;

/** Says how many tickets are of the last month: as many in a small world as in a large one, so that both read alike. */
const RECENT = 2_000;

/** Writes a ticket of an organization of the scale world with its conversation. Old ones are closed, few are active. */
function writeTicket(world, index) {
  if (world.organizations.length === 0) throw new Error("Tickets need organizations: add --organizations=1000.");
  const { id, at: anyTime, random } = rowOf(world, "tkt", index);
  const isRecent = index < RECENT;
  const at = isRecent ? world.today - days(2) - Math.round(days(30) * (1 - index / RECENT)) : anyTime - days(30);
  const organization = random.pick(world.organizations);
  const share = random.next();
  const isActive = share < (isRecent ? 0.5 : 0.002);
  const activeStatus = random.pick(["open", "open", "in_progress", "waiting_for_customer"]);
  const status = isActive ? activeStatus : share > 0.9 ? "resolved" : "closed";
  const number = world.nextNumber("support_tickets");
  const title = `${random.pick(TOPICS)} ${random.pick(TROUBLES)}`;
  const description = random.pick(SENTENCES);
  const creator = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const endedAt = isActive ? null : Math.min(at + hours(random.between(1, 200)), world.today);
  const count = random.between(1, 5);
  const priority = random.pick(["low", "medium", "medium", "high", "urgent"]);
  const owesReply = status === "open" || status === "in_progress";
  world.insert("support_tickets", {
    id,
    created_at: at,
    updated_at: endedAt ?? at,
    number,
    organization_id: organization.id,
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
    due_at: isRecent && owesReply && random.next() < 0.6 ? world.today + hours(random.between(-20, 40)) : null,
    viewers: "",
    search_text: ticketSearchText({ title, number, description, organization: organization.search_name }),
  });
  for (let place = 0; place < count; place += 1) {
    const written = at + minutes((place + 1) * 40);
    const isOfStaff = place === ANSWER || place === INTERNAL;
    world.insert("ticket_messages", {
      id: `${id}-${place}`,
      created_at: written,
      updated_at: written,
      organization_id: organization.id,
      ticket_id: id,
      author_name: isOfStaff ? "Scale test" : creator,
      side: isOfStaff ? "staff" : "client",
      is_internal: place === INTERNAL ? 1 : 0,
      message: random.pick(SENTENCES),
      // As the trigger would have numbered it, apart from others: a ticket has fewer than eight messages.
      number: number * 8 + place,
    });
  }
  const answeredAt = count > ANSWER ? at + minutes((ANSWER + 1) * 40) : null;
  const ticket = { id, organizationId: organization.id, status, priority, createdAt: at, resolvedAt: endedAt };
  writeMetrics(world, ticket, answeredAt);
}

/** Writes what is measured of a ticket, as the job would. What is urgent is answered too late. */
function writeMetrics(world, ticket, answeredAt) {
  const dueAt = ticket.createdAt + hours(ticket.priority === "urgent" ? 1 : 2);
  const outcome = answeredAt !== null && {
    kind: answeredAt <= dueAt ? "promise_kept" : "promise_missed",
    from: "first_response",
    to: `${ticket.createdAt} ${dueAt} ${answeredAt}`,
    at: answeredAt,
  };
  if (outcome) {
    world.insert("ticket_events", {
      ...{ id: `${ticket.id}-promise`, organization_id: ticket.organizationId, ticket_id: ticket.id },
      ...{ kind: outcome.kind, from_value: outcome.from, to_value: outcome.to },
      ...{ actor_name: "", actor_side: "system", at: outcome.at },
    });
  }
  const history = { ...ticket, events: outcome ? [outcome] : [], votes: [], isOpenedByStaff: false };
  const written = { clientWroteAt: null, staffWroteAt: answeredAt, staffAnsweredAt: null };
  for (const metric of measureTicket({ ...history, ...written }, CALENDARS)) world.insert("ticket_metrics", metric);
}

const SUMMED = ["created.*", "wall.*", "kept.*", "missed.*", "backlog.0", "backlog.1", "backlog.2", "backlog.3"];

/** Sums days as the job does, all of them at once. */
const daysOf = (owner, source) => `
  insert into daily_metrics
    select owner, day, ${SUMMED.map((name) => `coalesce(sum(n) filter (where name glob '${name}'), 0)`)}, json_group_object(name, n)
    from (
      select ${owner} as owner, m.day, c.key as name, sum(c.value) as n
      from ${source} m cross join json_each(m.counts) c group by 1, 2, 3 having sum(c.value) <> 0)
    group by owner, day`;

/*
 * What can be filled, by the name of its option. `write` makes row number `index` of the table and what belongs to it,
 * always the same from the same seed. `beside` are the other tables it writes to.
 */
export const TABLES = {
  organizations: { table: "organizations", prefix: "org", beside: [], write: writeOrganization },
  users: { table: "users", prefix: "usr", beside: ["user_roles", "organization_memberships"], write: writePerson },
  submissions: { table: "contact_submissions", prefix: "sub", beside: ["submission_events"], write: writeSubmission },
  // The table numbers its rows itself; the id of the request is the one text of an event that no other has.
  activity: { table: "audit_events", prefix: "aud", key: "request_id", beside: [], write: writeEvent },
  tickets: {
    table: "support_tickets",
    prefix: "tkt",
    beside: ["ticket_messages", "ticket_events", "ticket_metrics"],
    write: writeTicket,
  },
};

/** Does what triggers and jobs would have done, after the rows were written. */
export const RECOUNT = [
  ...REBUILD_COUNTS,
  `update organizations set (all_members, active_members, administrators, members_without_mfa) = (
    select count(*), coalesce(sum(m.status = 'active'), 0), coalesce(sum(m.role <> 'member'), 0),
      coalesce(sum(m.status = 'active' and f.user_id is null), 0)
    from organization_memberships m left join user_mfa_settings f on f.user_id = m.user_id and f.is_enabled = 1
    where m.organization_id = organizations.id)`,
  `update organizations set ticket_count = c.open + c.in_progress + c.waiting_for_customer + c.resolved + c.closed,
      active_ticket_count = c.open + c.in_progress + c.waiting_for_customer
    from ticket_counts c where c.organization_id = organizations.id`,
  ...Object.entries({ submission: "contact_submissions", ticket: "support_tickets" }).map(
    ([name, table]) => `update counters set value = max(value, (select coalesce(max(number), 0) from ${table}))
      where name = '${name}'`,
  ),
  "delete from daily_metrics",
  daysOf("organization_id", "ticket_metrics"),
  daysOf("''", "daily_metrics"),
  "update counters set value = 0 where name = 'range_metrics_until'",
  ...REBUILD_SEARCH,
];
