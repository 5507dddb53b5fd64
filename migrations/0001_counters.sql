-- The numbers that people quote start at 1001.
INSERT INTO counters(name, value) VALUES
  ('submission', 1000), ('ticket', 1000), ('quote', 1000), ('range_metrics_until', 0);
--> statement-breakpoint
INSERT INTO job_groups(name, version, jobs) VALUES ('mail', 0, '{}'), ('clocks', 0, '{}'), ('upkeep', 0, '{}');
--> statement-breakpoint
-- The figures of the lists and of the activity. Those of security events are subtracted for people who do not see them.
-- Factors are those of people who can sign in only. Triggers move all but the active organizations.
INSERT INTO totals(name, value) VALUES
  ('submission.new', 0), ('submission.contacted', 0), ('submission.resolved', 0), ('submission.held', 0),
  ('activity.all', 0), ('activity.submission', 0), ('activity.people', 0), ('activity.security', 0),
  ('activity.security_people', 0),
  ('user.admin', 0), ('user.moderator', 0), ('user.user', 0),
  ('organization.all', 0), ('organization.to_review', 0), ('organization.with_plan', 0),
  ('membership.administrators', 0), ('membership.active', 0), ('membership.pending', 0), ('membership.suspended', 0),
  ('factor.staff.on', 0), ('factor.staff.off', 0), ('factor.client.on', 0), ('factor.client.off', 0),
  ('file.all', 0), ('file.bytes', 0),
  ('ticket.open', 0), ('ticket.in_progress', 0), ('ticket.waiting_for_customer', 0), ('ticket.resolved', 0),
  ('ticket.closed', 0),
  ('active_organizations.7', 0), ('active_organizations.30', 0), ('active_organizations.90', 0),
  ('active_organizations.365', 0);
