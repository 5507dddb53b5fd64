/*
 * What triggers keep, made anew from the rows: for a database whose rows were written without them.
 */

const total = (names: string, table: string, condition: string): string =>
  `UPDATE totals SET value = (SELECT count(*) FROM ${table} WHERE ${condition}) WHERE name IN (${names
    .split(" ")
    .map((name) => `'${name}'`)
    .join(", ")})`;

const STATUSES = ["open", "in_progress", "waiting_for_customer", "resolved", "closed"];

export const REBUILD_COUNTS: readonly string[] = [
  total("submission.held", "contact_submissions", "held_reason IS NOT NULL"),
  total(
    "submission.new submission.contacted submission.resolved",
    "contact_submissions",
    "held_reason IS NULL AND 'submission.' || status = totals.name",
  ),
  total("activity.all", "audit_events", "true"),
  total("activity.submission", "audit_events", "activity_type IN ('submission', 'status_change')"),
  total("activity.people", "audit_events", "actor_id IS NOT NULL"),
  total("activity.security", "audit_events", "activity_type = 'security'"),
  total("activity.security_people", "audit_events", "activity_type = 'security' AND actor_id IS NOT NULL"),
  total("user.admin user.moderator user.user", "users", "'user.' || listed_role = totals.name"),
  total(
    "factor.staff.on factor.staff.off factor.client.on factor.client.off",
    "users",
    "'factor.' || iif(is_staff, 'staff.', 'client.') || factor_state = totals.name",
  ),
  total("organization.all", "organizations", "true"),
  total("organization.to_review", "organizations", "needs_review_at IS NOT NULL"),
  total("organization.with_plan", "organizations", "plan <> 'none'"),
  total("membership.administrators", "organization_memberships", "role <> 'member'"),
  total(
    "membership.active membership.pending membership.suspended",
    "organization_memberships",
    "'membership.' || status = totals.name",
  ),
  total("file.all", "attachments", "true"),
  "UPDATE totals SET value = (SELECT coalesce(sum(size), 0) FROM attachments) WHERE name = 'file.bytes'",
  total(STATUSES.map((status) => `ticket.${status}`).join(" "), "support_tickets", "'ticket.' || status = totals.name"),
  `UPDATE totals SET value = (SELECT count(*) FROM range_metrics r
    WHERE 'active_organizations.' || r.range = totals.name AND r.created + r.answered > 0)
    WHERE name GLOB 'active_organizations.*'`,
  "DELETE FROM submission_counts",
  `INSERT INTO submission_counts(period, new, contacted, resolved)
    SELECT period.value, sum(status = 'new'), sum(status = 'contacted'), sum(status = 'resolved')
    FROM contact_submissions JOIN json_each(json_array(submitted_on, 'm' || substr(submitted_on, 1, 7))) period
    WHERE held_reason IS NULL AND period.value IS NOT NULL GROUP BY 1`,
  "DELETE FROM account_counts",
  `INSERT INTO account_counts(length, step, admin, moderator, user)
    SELECT l.value, u.created_at / (60000 * l.value), sum(u.listed_role = 'admin'),
      sum(u.listed_role = 'moderator'), sum(u.listed_role = 'user')
    FROM users u CROSS JOIN json_each('[15, 1440]') l GROUP BY 1, 2`,
  "DELETE FROM ticket_counts",
  `INSERT INTO ticket_counts(organization_id, ${STATUSES.join(", ")}, closed_after_resolved)
    SELECT organization_id, ${STATUSES.map((status) => `sum(status = '${status}')`).join(", ")},
      sum(status = 'closed' AND coalesce(resolved_at < closed_at, 0))
    FROM support_tickets GROUP BY organization_id`,
  `UPDATE ticket_counts SET file_bytes = f.bytes FROM (
      SELECT t.organization_id, sum(a.size) AS bytes FROM attachments a JOIN support_tickets t ON t.id = a.subject_id
      WHERE a.subject_type = 'ticket' GROUP BY 1) f
    WHERE f.organization_id = ticket_counts.organization_id`,
];

const SEARCH_TABLES = [
  ...["submission_search", "audit_search", "user_search", "organization_search", "membership_search"],
  ...["contact_search", "ticket_search", "message_search", "mfa_event_search", "letter_search"],
] as const;

export const REBUILD_SEARCH: readonly string[] = SEARCH_TABLES.map(
  (name) => `INSERT INTO ${name}(${name}) VALUES ('rebuild')`,
);
