import { TERMS_VERSION } from "~/content/legal";
import { auditColumns } from "~/features/audit/record-audit.server";
import { organizationTexts } from "~/features/organizations/model";
import { submissionNameKey, submissionSearchText } from "~/features/submissions/model";
import { nameColumns } from "~/features/users/model";
import { days, hours, minutes } from "~/lib/time";
import { PEOPLE_RECOUNT } from "./people-recount.mjs";
import { rowOf } from "./row-of.mjs";
import { COMPANY_KINDS, COMPANY_NAMES, FIRST_NAMES, LAST_NAMES, SENTENCES } from "./texts.mjs";
import { TICKETS_RECOUNT, writeTicket } from "./tickets.mjs";

/** Sets how many organizations a person belongs to. */
const MEMBERSHIPS_EACH = 5;

/*
 * What `npm run seed:scale` can fill. `write` makes row number `index` of the table and what belongs to it, always the
 * same from the same seed. `beside` are the other tables it writes to, `keeps`
 * the indexes that they refer to, `recount` does what triggers would have
 * done.
 */
export const TABLES = [
  {
    option: "organizations",
    table: "organizations",
    prefix: "org",
    beside: [],
    write: (world, index) => {
      const { id, at, random } = rowOf(world, "org", index);
      world.insert("organizations", {
        id,
        created_at: at,
        updated_at: at,
        ...organizationTexts({
          name: `${random.pick(COMPANY_NAMES)} ${random.pick(COMPANY_KINDS)} ${index + 1}`,
          description: random.pick(SENTENCES),
        }),
        number: world.nextNumber("organizations"),
        slug: `scale-${world.seed}-${index + 1}`,
        plan: random.pick(["none", "basic", "core", "core", "premium"]),
        contract_started_at: at,
      });
    },
    recount: `
      update totals set value = (select count(*) from organizations) where name = 'organization.all';
      update totals set value = (select count(*) from organizations where plan <> 'none')
        where name = 'organization.with_plan';
      insert into organization_search(organization_search) values ('rebuild');`,
  },
  {
    option: "users",
    table: "users",
    prefix: "usr",
    beside: ["user_roles", "organization_memberships"],
    write: (world, index) => {
      const { id, at, random } = rowOf(world, "usr", index);
      const record = { created_at: at, updated_at: at };
      const email = `person${index + 1}@scale${world.seed}.example`;
      const name = nameColumns(`${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`);
      const person = { id, searchText: `${name.search_name} ${email}` };
      world.insert("users", {
        id,
        ...record,
        email,
        ...name,
        number: world.nextNumber("users"),
        password_hash: world.passwordHash,
        status: "active",
      });
      world.insert("user_roles", { user_id: id, role: "user" });
      for (let place = 0; place < Math.min(MEMBERSHIPS_EACH, world.organizations); place += 1) {
        writeMembership(world, { index, place, person, at, random });
      }
    },
    recount: PEOPLE_RECOUNT,
  },
  {
    option: "submissions",
    table: "contact_submissions",
    prefix: "sub",
    beside: ["submission_events"],
    write: writeSubmission,
    recount: `
      update totals set value = (select count(*) from contact_submissions where held_reason is not null)
        where name = 'submission.held';
      update totals set value = (
          select count(*) from contact_submissions
          where held_reason is null and 'submission.' || status = totals.name)
        where name in ('submission.new', 'submission.contacted', 'submission.resolved');
      delete from submission_counts;
      insert into submission_counts(period, new, contacted, resolved)
        select period, sum(status = 'new'), sum(status = 'contacted'), sum(status = 'resolved') from (
          select submitted_on as period, status from contact_submissions where held_reason is null
          union all
          select 'm' || substr(submitted_on, 1, 7), status from contact_submissions where held_reason is null)
        where period is not null group by period;
      insert into submission_search(submission_search) values ('rebuild');
      update counters set value = max(value, (select coalesce(max(number), 0) from contact_submissions))
        where name = 'submission';`,
  },
  {
    option: "activity",
    table: "audit_events",
    prefix: "aud",
    // The table numbers its rows itself; this is the one text of an event that no other has.
    key: "request_id",
    beside: [],
    write: writeEvent,
    recount: `
      update totals set value = (select count(*) from audit_events) where name = 'activity.all';
      update totals set value = (
          select count(*) from audit_events where activity_type in ('submission', 'status_change'))
        where name = 'activity.submission';
      update totals set value = (select count(*) from audit_events where actor_id is not null)
        where name = 'activity.people';
      update totals set value = (select count(*) from audit_events where activity_type = 'security')
        where name = 'activity.security';
      update totals set value = (
          select count(*) from audit_events where activity_type = 'security' and actor_id is not null)
        where name = 'activity.security_people';
      insert into audit_search(audit_search) values ('rebuild');`,
  },
  {
    option: "tickets",
    table: "support_tickets",
    prefix: "tkt",
    beside: ["ticket_messages", "ticket_events", "ticket_metrics"],
    keeps: ["tickets_of_organization"],
    write: writeTicket,
    recount: TICKETS_RECOUNT,
  },
];

/** Writes a membership of a person: the first one in an organization of their own, the others in those after it. */
function writeMembership(world, { index, place, person, at, random }) {
  const { organizations } = world;
  const organizationId = rowOf(world, "org", (index + place) % organizations).id;
  world.insert("organization_memberships", {
    id: rowOf(world, "mem", index * MEMBERSHIPS_EACH + place).id,
    created_at: at,
    updated_at: at,
    organization_id: organizationId,
    user_id: person.id,
    role: place === 0 && index < organizations ? "owner" : random.pick(["admin", "member", "member", "member"]),
    status: place > 0 && random.next() < 0.05 ? "suspended" : "active",
    joined_at: at,
    number: world.nextNumber("organization_memberships"),
    search_text: `${person.searchText}\n${world.searchNameOf(organizationId)}`,
  });
}

/** Lists the kinds of audit events, the commonest first. */
const EVENTS = [
  { action: "submission.received", meta: {} },
  { action: "submission.status_changed", meta: { from: "new", to: "contacted" } },
  { action: "submission.status_changed", meta: { from: "contacted", to: "resolved" } },
  { action: "note.added", meta: {} },
  { action: "submission.assigned", meta: { owner: "Jordan Vale", follow_up_on: "2026-12-01" } },
  { action: "session.started", meta: {} },
];

/** Writes an event about somebody, by a visitor or by one of twelve members of staff. */
function writeEvent(world, index) {
  const { id, at, random } = rowOf(world, "aud", index);
  const { action, meta } = random.pick(EVENTS);
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const staff = random.between(0, 11);
  const actor =
    action === "submission.received"
      ? { id: null, role: "visitor", name: null, email: null }
      : { id: `usr_scale${staff}`, role: "moderator", name: LAST_NAMES[staff], email: `staff${staff}@scale.example` };
  world.insert("audit_events", {
    ...auditColumns({
      at,
      actor,
      action,
      subject: { type: "submission", id: rowOf(world, "sub", index).id, label: name },
      meta,
    }),
    request_id: id,
  });
}

function writeSubmission(world, index) {
  const { id, at, random } = rowOf(world, "sub", index);
  const share = random.next();
  const heldReason = random.next() < 0.02 ? "content" : null;
  const status = heldReason || share < 0.08 ? "new" : share < 0.25 ? "contacted" : "resolved";
  const sender = {
    firstName: random.pick(FIRST_NAMES),
    lastName: random.pick(LAST_NAMES),
    company: `${random.pick(COMPANY_NAMES)} ${random.pick(COMPANY_KINDS)}`,
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
    held_reason: heldReason,
    consent_at: at,
    consent_terms_version: TERMS_VERSION,
    ip_hash: id,
    search_text: submissionSearchText({ ...sender, email }),
    name_key: submissionNameKey(sender),
    submitted_on: world.dayOf(at),
    reply_due_at: at + days(1),
  });
  const answeredAt = at + minutes(random.between(10, 1_500));
  const move = (from, to, when) =>
    world.insert("submission_events", {
      id: `${id}-${to}`,
      submission_id: id,
      from_status: from,
      to_status: to,
      actor_id: null,
      actor_name: "Scale test",
      at: when,
    });
  if (status !== "new") move("new", "contacted", answeredAt);
  if (status === "resolved") move("contacted", "resolved", answeredAt + hours(random.between(2, 300)));
}
