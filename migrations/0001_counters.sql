-- == Numbers that people quote ==
-- They start at 1001.
INSERT INTO counters(name, value) VALUES
  ('submission', 1000), ('ticket', 1000), ('quote', 1000);
--> statement-breakpoint
-- == What the schedule knows of its groups ==
INSERT INTO job_groups(name, version, jobs) VALUES ('mail', 0, '{}'), ('clocks', 0, '{}'), ('upkeep', 0, '{}');
--> statement-breakpoint
-- == Submissions ==
INSERT INTO totals(name, value) VALUES
  ('submission.new', 0), ('submission.contacted', 0), ('submission.resolved', 0), ('submission.held', 0);
--> statement-breakpoint
-- Totals follow the rows, whatever statement moves them: a bulk change included.
-- A held submission counts as held and as nothing else.
CREATE TRIGGER submission_counted AFTER INSERT ON contact_submissions BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = (CASE WHEN NEW.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || NEW.status END);
END;
--> statement-breakpoint
CREATE TRIGGER submission_recounted AFTER UPDATE OF status, held_reason ON contact_submissions
WHEN OLD.status IS NOT NEW.status OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL) BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = (CASE WHEN OLD.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || OLD.status END);
  UPDATE totals SET value = value + 1
  WHERE name = (CASE WHEN NEW.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || NEW.status END);
END;
--> statement-breakpoint
CREATE TRIGGER submission_uncounted AFTER DELETE ON contact_submissions BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = (CASE WHEN OLD.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || OLD.status END);
END;
--> statement-breakpoint
-- Requests per day and month: held ones count from the moment they are released, and then for the day they came.
CREATE TRIGGER submission_period_counted AFTER INSERT ON contact_submissions
WHEN NEW.held_reason IS NULL AND NEW.submitted_on IS NOT NULL BEGIN
  INSERT INTO submission_counts(period, new, contacted, resolved)
  VALUES (NEW.submitted_on, NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved'),
    ('m' || substr(NEW.submitted_on, 1, 7), NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved')
  ON CONFLICT(period) DO UPDATE SET new = new + excluded.new, contacted = contacted + excluded.contacted,
    resolved = resolved + excluded.resolved;
END;
--> statement-breakpoint
CREATE TRIGGER submission_period_uncounted AFTER DELETE ON contact_submissions
WHEN OLD.held_reason IS NULL AND OLD.submitted_on IS NOT NULL BEGIN
  UPDATE submission_counts SET new = new - (OLD.status = 'new'), contacted = contacted - (OLD.status = 'contacted'),
    resolved = resolved - (OLD.status = 'resolved')
  WHERE period IN (OLD.submitted_on, 'm' || substr(OLD.submitted_on, 1, 7));
END;
--> statement-breakpoint
CREATE TRIGGER submission_period_moved AFTER UPDATE OF status ON contact_submissions
WHEN OLD.status <> NEW.status AND OLD.held_reason IS NULL AND NEW.held_reason IS NULL
  AND OLD.submitted_on IS NEW.submitted_on BEGIN
  UPDATE submission_counts SET new = new + (NEW.status = 'new') - (OLD.status = 'new'),
    contacted = contacted + (NEW.status = 'contacted') - (OLD.status = 'contacted'),
    resolved = resolved + (NEW.status = 'resolved') - (OLD.status = 'resolved')
  WHERE period IN (NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7));
END;
--> statement-breakpoint
CREATE TRIGGER submission_period_recounted AFTER UPDATE OF held_reason, submitted_on ON contact_submissions
WHEN (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL) OR OLD.submitted_on IS NOT NEW.submitted_on BEGIN
  UPDATE submission_counts SET new = new - (OLD.status = 'new'), contacted = contacted - (OLD.status = 'contacted'),
    resolved = resolved - (OLD.status = 'resolved')
  WHERE OLD.held_reason IS NULL AND period IN (OLD.submitted_on, 'm' || substr(OLD.submitted_on, 1, 7));
  INSERT INTO submission_counts(period, new, contacted, resolved)
  SELECT period.value, NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved'
  FROM json_each(json_array(NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7))) AS period
  WHERE NEW.held_reason IS NULL AND period.value IS NOT NULL
  ON CONFLICT(period) DO UPDATE SET new = new + excluded.new, contacted = contacted + excluded.contacted,
    resolved = resolved + excluded.resolved;
END;
--> statement-breakpoint
-- == Activity ==
-- The figures of the activity screen, and those of security events, which are subtracted for people who do not see them.
INSERT INTO totals(name, value) VALUES
  ('activity.all', 0), ('activity.submission', 0), ('activity.people', 0), ('activity.security', 0),
  ('activity.security_people', 0);
--> statement-breakpoint
CREATE TRIGGER activity_counted AFTER INSERT ON audit_events BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'activity.all'
    OR (name = 'activity.submission' AND NEW.activity_type IN ('submission', 'status_change'))
    OR (name = 'activity.people' AND NEW.actor_id IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER activity_uncounted AFTER DELETE ON audit_events BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'activity.all'
    OR (name = 'activity.submission' AND OLD.activity_type IN ('submission', 'status_change'))
    OR (name = 'activity.people' AND OLD.actor_id IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER security_counted AFTER INSERT ON audit_events WHEN NEW.activity_type = 'security' BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'activity.security' OR (name = 'activity.security_people' AND NEW.actor_id IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER security_uncounted AFTER DELETE ON audit_events WHEN OLD.activity_type = 'security' BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'activity.security' OR (name = 'activity.security_people' AND OLD.actor_id IS NOT NULL);
END;
--> statement-breakpoint
-- == People and organizations ==
-- The figures of the lists of people, organizations and memberships.
INSERT INTO totals(name, value) VALUES
  ('user.admin', 0), ('user.moderator', 0), ('user.user', 0), ('organization.all', 0),
  ('organization.to_review', 0), ('organization.with_plan', 0), ('membership.administrators', 0),
  ('membership.active', 0), ('membership.pending', 0), ('membership.suspended', 0);
--> statement-breakpoint
CREATE TRIGGER user_counted AFTER INSERT ON users BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'user.' || NEW.listed_role;
END;
--> statement-breakpoint
CREATE TRIGGER user_recounted AFTER UPDATE OF listed_role ON users WHEN OLD.listed_role <> NEW.listed_role BEGIN
  UPDATE totals SET value = value + (CASE name WHEN 'user.' || NEW.listed_role THEN 1 ELSE -1 END)
  WHERE name IN ('user.' || OLD.listed_role, 'user.' || NEW.listed_role);
END;
--> statement-breakpoint
CREATE TRIGGER user_uncounted AFTER DELETE ON users BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'user.' || OLD.listed_role;
END;
--> statement-breakpoint
CREATE TRIGGER account_counted AFTER INSERT ON users BEGIN
  INSERT INTO account_counts(length, step, admin, moderator, user)
  SELECT l.value, NEW.created_at / (60000 * l.value), NEW.listed_role = 'admin', NEW.listed_role = 'moderator',
    NEW.listed_role = 'user'
  FROM json_each('[15, 1440]') l WHERE 1
  ON CONFLICT(length, step) DO UPDATE SET admin = admin + excluded.admin, moderator = moderator + excluded.moderator,
    user = user + excluded.user;
END;
--> statement-breakpoint
CREATE TRIGGER account_recounted AFTER UPDATE OF listed_role, created_at ON users
WHEN OLD.listed_role <> NEW.listed_role OR OLD.created_at <> NEW.created_at BEGIN
  UPDATE account_counts SET admin = admin - (OLD.listed_role = 'admin'),
    moderator = moderator - (OLD.listed_role = 'moderator'), user = user - (OLD.listed_role = 'user')
  WHERE (length, step) IN (VALUES (15, OLD.created_at / 900000), (1440, OLD.created_at / 86400000));
  INSERT INTO account_counts(length, step, admin, moderator, user)
  SELECT l.value, NEW.created_at / (60000 * l.value), NEW.listed_role = 'admin', NEW.listed_role = 'moderator',
    NEW.listed_role = 'user'
  FROM json_each('[15, 1440]') l WHERE 1
  ON CONFLICT(length, step) DO UPDATE SET admin = admin + excluded.admin, moderator = moderator + excluded.moderator,
    user = user + excluded.user;
END;
--> statement-breakpoint
CREATE TRIGGER account_uncounted AFTER DELETE ON users BEGIN
  UPDATE account_counts SET admin = admin - (OLD.listed_role = 'admin'),
    moderator = moderator - (OLD.listed_role = 'moderator'), user = user - (OLD.listed_role = 'user')
  WHERE (length, step) IN (VALUES (15, OLD.created_at / 900000), (1440, OLD.created_at / 86400000));
END;
--> statement-breakpoint
CREATE TRIGGER organization_counted AFTER INSERT ON organizations BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'organization.all';
END;
--> statement-breakpoint
CREATE TRIGGER organization_uncounted AFTER DELETE ON organizations BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'organization.all';
END;
--> statement-breakpoint
CREATE TRIGGER review_counted AFTER INSERT ON organizations WHEN NEW.needs_review_at IS NOT NULL BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'organization.to_review';
END;
--> statement-breakpoint
CREATE TRIGGER review_recounted AFTER UPDATE OF needs_review_at ON organizations
WHEN (OLD.needs_review_at IS NULL) <> (NEW.needs_review_at IS NULL) BEGIN
  UPDATE totals SET value = value + (CASE WHEN NEW.needs_review_at IS NULL THEN -1 ELSE 1 END)
  WHERE name = 'organization.to_review';
END;
--> statement-breakpoint
CREATE TRIGGER review_uncounted AFTER DELETE ON organizations WHEN OLD.needs_review_at IS NOT NULL BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'organization.to_review';
END;
--> statement-breakpoint
CREATE TRIGGER plan_counted AFTER INSERT ON organizations WHEN NEW.plan <> 'none' BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'organization.with_plan';
END;
--> statement-breakpoint
CREATE TRIGGER plan_recounted AFTER UPDATE OF plan ON organizations
WHEN (OLD.plan <> 'none') <> (NEW.plan <> 'none') BEGIN
  UPDATE totals SET value = value + (NEW.plan <> 'none') - (OLD.plan <> 'none') WHERE name = 'organization.with_plan';
END;
--> statement-breakpoint
CREATE TRIGGER plan_uncounted AFTER DELETE ON organizations WHEN OLD.plan <> 'none' BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'organization.with_plan';
END;
--> statement-breakpoint
CREATE TRIGGER membership_counted AFTER INSERT ON organization_memberships BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'membership.' || NEW.status OR (name = 'membership.administrators' AND NEW.role <> 'member');
  UPDATE organizations SET all_members = all_members + 1,
    active_members = active_members + (NEW.status = 'active'), administrators = administrators + (NEW.role <> 'member')
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_recounted AFTER UPDATE OF status, role ON organization_memberships
WHEN OLD.status <> NEW.status OR OLD.role <> NEW.role BEGIN
  UPDATE totals SET value = value + (name = 'membership.' || NEW.status) - (name = 'membership.' || OLD.status)
    + (name = 'membership.administrators') * ((NEW.role <> 'member') - (OLD.role <> 'member'))
  WHERE name IN ('membership.' || OLD.status, 'membership.' || NEW.status, 'membership.administrators');
  UPDATE organizations SET active_members = active_members + (NEW.status = 'active') - (OLD.status = 'active'),
    administrators = administrators + (NEW.role <> 'member') - (OLD.role <> 'member')
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_uncounted AFTER DELETE ON organization_memberships BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'membership.' || OLD.status OR (name = 'membership.administrators' AND OLD.role <> 'member');
  UPDATE organizations SET all_members = all_members - 1,
    active_members = active_members - (OLD.status = 'active'), administrators = administrators - (OLD.role <> 'member')
  WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
-- An active member without a second factor counts once for each organization, whichever of the two tables changes.
CREATE TRIGGER unprotected_member_counted AFTER INSERT ON organization_memberships WHEN NEW.status = 'active' BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa + 1
  WHERE id = NEW.organization_id
    AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = NEW.user_id AND is_enabled = 1);
END;
--> statement-breakpoint
CREATE TRIGGER unprotected_member_recounted AFTER UPDATE OF status, user_id ON organization_memberships
WHEN OLD.status <> NEW.status OR OLD.user_id IS NOT NEW.user_id BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa
    + (NEW.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = NEW.user_id AND is_enabled = 1))
    - (OLD.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = OLD.user_id AND is_enabled = 1))
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER unprotected_member_uncounted AFTER DELETE ON organization_memberships WHEN OLD.status = 'active' BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa - 1
  WHERE id = OLD.organization_id
    AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = OLD.user_id AND is_enabled = 1);
END;
--> statement-breakpoint
CREATE TRIGGER factor_counted AFTER INSERT ON user_mfa_settings WHEN NEW.is_enabled = 1 BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa - 1
  WHERE id IN (SELECT organization_id FROM organization_memberships
    WHERE user_id = NEW.user_id AND status = 'active');
END;
--> statement-breakpoint
CREATE TRIGGER factor_recounted AFTER UPDATE OF is_enabled ON user_mfa_settings
WHEN (OLD.is_enabled = 1) <> (NEW.is_enabled = 1) BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa + (CASE NEW.is_enabled WHEN 1 THEN -1 ELSE 1 END)
  WHERE id IN (SELECT organization_id FROM organization_memberships
    WHERE user_id = NEW.user_id AND status = 'active');
END;
--> statement-breakpoint
CREATE TRIGGER factor_uncounted AFTER DELETE ON user_mfa_settings WHEN OLD.is_enabled = 1 BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa + 1
  WHERE id IN (SELECT organization_id FROM organization_memberships
    WHERE user_id = OLD.user_id AND status = 'active');
END;
--> statement-breakpoint
-- How many of the staff and of the clients have a second factor: people who can sign in only.
INSERT INTO totals(name, value) VALUES
  ('factor.staff.on', 0), ('factor.staff.off', 0), ('factor.client.on', 0), ('factor.client.off', 0);
--> statement-breakpoint
CREATE TRIGGER factor_state_counted AFTER INSERT ON users WHEN NEW.factor_state <> 'none' BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'factor.' || iif(NEW.is_staff, 'staff.', 'client.') || NEW.factor_state;
END;
--> statement-breakpoint
CREATE TRIGGER factor_state_recounted AFTER UPDATE OF status, listed_role, listed_factor ON users
WHEN OLD.factor_state <> NEW.factor_state OR OLD.is_staff <> NEW.is_staff BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'factor.' || iif(OLD.is_staff, 'staff.', 'client.') || OLD.factor_state;
  UPDATE totals SET value = value + 1
  WHERE name = 'factor.' || iif(NEW.is_staff, 'staff.', 'client.') || NEW.factor_state;
END;
--> statement-breakpoint
CREATE TRIGGER factor_state_uncounted AFTER DELETE ON users WHEN OLD.factor_state <> 'none' BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'factor.' || iif(OLD.is_staff, 'staff.', 'client.') || OLD.factor_state;
END;
--> statement-breakpoint
-- == Files ==
-- How many there are, and how much each organization has stored with its tickets.
INSERT INTO totals(name, value) VALUES
  ('file.all', 0), ('file.bytes', 0);
--> statement-breakpoint
CREATE TRIGGER file_counted AFTER INSERT ON attachments BEGIN
  UPDATE totals SET value = value + (CASE name WHEN 'file.all' THEN 1 ELSE NEW.size END)
  WHERE name IN ('file.all', 'file.bytes');
  UPDATE ticket_counts SET file_bytes = file_bytes + NEW.size
  WHERE NEW.subject_type = 'ticket'
    AND organization_id = (SELECT organization_id FROM support_tickets WHERE id = NEW.subject_id);
END;
--> statement-breakpoint
CREATE TRIGGER file_uncounted AFTER DELETE ON attachments BEGIN
  UPDATE totals SET value = value - (CASE name WHEN 'file.all' THEN 1 ELSE OLD.size END)
  WHERE name IN ('file.all', 'file.bytes');
  UPDATE ticket_counts SET file_bytes = file_bytes - OLD.size
  WHERE OLD.subject_type = 'ticket'
    AND organization_id = (SELECT organization_id FROM support_tickets WHERE id = OLD.subject_id);
END;
--> statement-breakpoint
-- == Tickets ==
-- The figures of the lists of tickets: of all of them, and of each organization.
INSERT INTO totals(name, value) VALUES
  ('ticket.open', 0), ('ticket.in_progress', 0), ('ticket.waiting_for_customer', 0), ('ticket.resolved', 0),
  ('ticket.closed', 0);
--> statement-breakpoint
CREATE TRIGGER ticket_counted AFTER INSERT ON support_tickets BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'ticket.' || NEW.status;
  INSERT INTO ticket_counts(organization_id, open, in_progress, waiting_for_customer, resolved, closed, closed_after_resolved)
  VALUES (NEW.organization_id, NEW.status = 'open', NEW.status = 'in_progress',
    NEW.status = 'waiting_for_customer', NEW.status = 'resolved', NEW.status = 'closed',
    NEW.status = 'closed' AND coalesce(NEW.resolved_at < NEW.closed_at, 0))
  ON CONFLICT(organization_id) DO UPDATE SET open = open + excluded.open,
    in_progress = in_progress + excluded.in_progress,
    waiting_for_customer = waiting_for_customer + excluded.waiting_for_customer,
    resolved = resolved + excluded.resolved, closed = closed + excluded.closed,
    closed_after_resolved = closed_after_resolved + excluded.closed_after_resolved;
  UPDATE organizations SET ticket_count = ticket_count + 1,
    active_ticket_count = active_ticket_count + (NEW.status NOT IN ('resolved', 'closed'))
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER ticket_recounted AFTER UPDATE OF status, organization_id ON support_tickets
WHEN OLD.status <> NEW.status OR OLD.organization_id <> NEW.organization_id BEGIN
  UPDATE totals SET value = value + (name = 'ticket.' || NEW.status) - (name = 'ticket.' || OLD.status)
  WHERE name IN ('ticket.' || OLD.status, 'ticket.' || NEW.status);
  UPDATE ticket_counts SET open = open - (OLD.status = 'open'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer - (OLD.status = 'waiting_for_customer'),
    resolved = resolved - (OLD.status = 'resolved'), closed = closed - (OLD.status = 'closed'),
    closed_after_resolved = closed_after_resolved - (OLD.status = 'closed' AND coalesce(OLD.resolved_at < OLD.closed_at, 0))
  WHERE organization_id = OLD.organization_id;
  INSERT INTO ticket_counts(organization_id, open, in_progress, waiting_for_customer, resolved, closed, closed_after_resolved)
  VALUES (NEW.organization_id, NEW.status = 'open', NEW.status = 'in_progress',
    NEW.status = 'waiting_for_customer', NEW.status = 'resolved', NEW.status = 'closed',
    NEW.status = 'closed' AND coalesce(NEW.resolved_at < NEW.closed_at, 0))
  ON CONFLICT(organization_id) DO UPDATE SET open = open + excluded.open,
    in_progress = in_progress + excluded.in_progress,
    waiting_for_customer = waiting_for_customer + excluded.waiting_for_customer,
    resolved = resolved + excluded.resolved, closed = closed + excluded.closed,
    closed_after_resolved = closed_after_resolved + excluded.closed_after_resolved;
  UPDATE ticket_counts SET file_bytes = file_bytes + iif(organization_id = NEW.organization_id, 1, -1)
    * (SELECT coalesce(sum(size), 0) FROM attachments WHERE subject_type = 'ticket' AND subject_id = NEW.id)
  WHERE OLD.organization_id <> NEW.organization_id AND organization_id IN (OLD.organization_id, NEW.organization_id);
  UPDATE organizations SET
    ticket_count = ticket_count + (id = NEW.organization_id) - (id = OLD.organization_id),
    active_ticket_count = active_ticket_count
      + (id = NEW.organization_id) * (NEW.status NOT IN ('resolved', 'closed'))
      - (id = OLD.organization_id) * (OLD.status NOT IN ('resolved', 'closed'))
  WHERE id IN (OLD.organization_id, NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_uncounted AFTER DELETE ON support_tickets BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'ticket.' || OLD.status;
  UPDATE ticket_counts SET open = open - (OLD.status = 'open'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer - (OLD.status = 'waiting_for_customer'),
    resolved = resolved - (OLD.status = 'resolved'), closed = closed - (OLD.status = 'closed'),
    closed_after_resolved = closed_after_resolved - (OLD.status = 'closed' AND coalesce(OLD.resolved_at < OLD.closed_at, 0)),
    file_bytes = file_bytes
      - (SELECT coalesce(sum(size), 0) FROM attachments WHERE subject_type = 'ticket' AND subject_id = OLD.id)
  WHERE organization_id = OLD.organization_id;
  UPDATE organizations SET ticket_count = ticket_count - 1,
    active_ticket_count = active_ticket_count - (OLD.status NOT IN ('resolved', 'closed'))
  WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
-- Public messages are counted, so that a reply that was begun before another one can be told from the latest.
CREATE TRIGGER public_message_counted AFTER INSERT ON ticket_messages WHEN NEW.is_internal = 0 BEGIN
  UPDATE support_tickets SET public_messages = public_messages + 1, last_message_at = NEW.created_at
  WHERE id = NEW.ticket_id;
END;
--> statement-breakpoint
-- == Metrics ==
-- The last day of the ranges.
INSERT INTO counters(name, value) VALUES ('range_metrics_until', 0);
--> statement-breakpoint
-- Organizations with a ticket created or answered in each range. Those that only a promise brings in are not active.
INSERT INTO totals(name, value) VALUES
  ('active_organizations.7', 0), ('active_organizations.30', 0), ('active_organizations.90', 0),
  ('active_organizations.365', 0);
--> statement-breakpoint
CREATE TRIGGER days_of_deleted_ticket BEFORE DELETE ON support_tickets BEGIN
  INSERT OR IGNORE INTO days_to_sum(organization_id, day)
  SELECT organization_id, day FROM ticket_metrics WHERE ticket_id = OLD.id;
END;
