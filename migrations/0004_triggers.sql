-- What follows a row, whatever statement writes it, bulk changes included: totals, copies that lists filter by, and the
-- search. Each table has at most one trigger for each event, while guards of the audit and of legal holds stand apart.
-- == Submissions ==
-- A held submission counts as held and as nothing else. Requests per day and month: held ones count from the moment
-- they are released, and then for the day they came.
CREATE TRIGGER submission_added AFTER INSERT ON contact_submissions BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = (CASE WHEN NEW.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || NEW.status END);
  INSERT INTO submission_counts(period, new, contacted, resolved)
  SELECT value, NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved'
  FROM json_each(json_array(NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7)))
  WHERE NEW.held_reason IS NULL AND value IS NOT NULL
  ON CONFLICT(period) DO UPDATE SET new = new + excluded.new, contacted = contacted + excluded.contacted,
    resolved = resolved + excluded.resolved;
  INSERT INTO submission_search(rowid, search_text, search_state)
  VALUES (NEW.search_id, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER submission_changed
AFTER UPDATE OF status, held_reason, submitted_on, search_text, owner_id ON contact_submissions BEGIN
  UPDATE totals SET value = value - 1
  WHERE (OLD.status <> NEW.status OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL))
    AND name = (CASE WHEN OLD.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || OLD.status END);
  UPDATE totals SET value = value + 1
  WHERE (OLD.status <> NEW.status OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL))
    AND name = (CASE WHEN NEW.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || NEW.status END);
  UPDATE submission_counts SET new = new + (NEW.status = 'new') - (OLD.status = 'new'),
    contacted = contacted + (NEW.status = 'contacted') - (OLD.status = 'contacted'),
    resolved = resolved + (NEW.status = 'resolved') - (OLD.status = 'resolved')
  WHERE OLD.status <> NEW.status AND OLD.held_reason IS NULL AND NEW.held_reason IS NULL
    AND OLD.submitted_on IS NEW.submitted_on
    AND period IN (NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7));
  UPDATE submission_counts SET new = new - (OLD.status = 'new'), contacted = contacted - (OLD.status = 'contacted'),
    resolved = resolved - (OLD.status = 'resolved')
  WHERE (OLD.submitted_on IS NOT NEW.submitted_on OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL))
    AND OLD.held_reason IS NULL AND period IN (OLD.submitted_on, 'm' || substr(OLD.submitted_on, 1, 7));
  INSERT INTO submission_counts(period, new, contacted, resolved)
  SELECT value, NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved'
  FROM json_each(json_array(NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7)))
  WHERE (OLD.submitted_on IS NOT NEW.submitted_on OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL))
    AND NEW.held_reason IS NULL AND value IS NOT NULL
  ON CONFLICT(period) DO UPDATE SET new = new + excluded.new, contacted = contacted + excluded.contacted,
    resolved = resolved + excluded.resolved;
  INSERT INTO submission_search(submission_search, rowid, search_text, search_state)
  SELECT 'delete', OLD.search_id, OLD.search_text, OLD.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
  INSERT INTO submission_search(rowid, search_text, search_state)
  SELECT NEW.search_id, NEW.search_text, NEW.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
END;
--> statement-breakpoint
CREATE TRIGGER submission_removed AFTER DELETE ON contact_submissions BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = (CASE WHEN OLD.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || OLD.status END);
  UPDATE submission_counts SET new = new - (OLD.status = 'new'), contacted = contacted - (OLD.status = 'contacted'),
    resolved = resolved - (OLD.status = 'resolved')
  WHERE OLD.held_reason IS NULL AND period IN (OLD.submitted_on, 'm' || substr(OLD.submitted_on, 1, 7));
  INSERT INTO submission_search(submission_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.search_id, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- == Activity ==
CREATE TRIGGER event_added AFTER INSERT ON audit_events BEGIN
  UPDATE totals SET value = value + 1
  WHERE name IN ('activity.all',
    iif(NEW.activity_type IN ('submission', 'status_change'), 'activity.submission', NULL),
    iif(NEW.actor_id IS NOT NULL, 'activity.people', NULL),
    iif(NEW.activity_type = 'security', 'activity.security', NULL),
    iif(NEW.activity_type = 'security' AND NEW.actor_id IS NOT NULL, 'activity.security_people', NULL));
  INSERT INTO audit_search(rowid, search_text, type_word)
  VALUES (NEW.id, NEW.search_text, substr(NEW.activity_type, 1, 3));
END;
--> statement-breakpoint
CREATE TRIGGER event_reworded AFTER UPDATE OF search_text ON audit_events WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO audit_search(audit_search, rowid, search_text, type_word)
  VALUES ('delete', OLD.id, OLD.search_text, substr(OLD.activity_type, 1, 3));
  INSERT INTO audit_search(rowid, search_text, type_word)
  VALUES (NEW.id, NEW.search_text, substr(NEW.activity_type, 1, 3));
END;
--> statement-breakpoint
CREATE TRIGGER event_removed AFTER DELETE ON audit_events BEGIN
  UPDATE totals SET value = value - 1
  WHERE name IN ('activity.all',
    iif(OLD.activity_type IN ('submission', 'status_change'), 'activity.submission', NULL),
    iif(OLD.actor_id IS NOT NULL, 'activity.people', NULL),
    iif(OLD.activity_type = 'security', 'activity.security', NULL),
    iif(OLD.activity_type = 'security' AND OLD.actor_id IS NOT NULL, 'activity.security_people', NULL));
  INSERT INTO audit_search(audit_search, rowid, search_text, type_word)
  VALUES ('delete', OLD.id, OLD.search_text, substr(OLD.activity_type, 1, 3));
END;
--> statement-breakpoint
-- == MFA events ==
CREATE TRIGGER mfa_event_added AFTER INSERT ON mfa_audit_log BEGIN
  INSERT INTO mfa_event_search(rowid, search_text, search_state)
  SELECT id, search_text, search_state FROM searchable_mfa_events WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER mfa_event_removed BEFORE DELETE ON mfa_audit_log BEGIN
  INSERT INTO mfa_event_search(mfa_event_search, rowid, search_text, search_state)
  SELECT 'delete', id, search_text, search_state FROM searchable_mfa_events WHERE id = OLD.id;
END;
--> statement-breakpoint
-- == People ==
CREATE TRIGGER person_added AFTER INSERT ON users BEGIN
  UPDATE totals SET value = value + 1
  WHERE name IN ('user.' || NEW.listed_role,
    'factor.' || iif(NEW.is_staff, 'staff.', 'client.') || NEW.factor_state);
  INSERT INTO account_counts(length, step, admin, moderator, user)
  SELECT l.value, NEW.created_at / (60000 * l.value), NEW.listed_role = 'admin', NEW.listed_role = 'moderator',
    NEW.listed_role = 'user'
  FROM json_each('[15, 1440]') l WHERE 1
  ON CONFLICT(length, step) DO UPDATE SET admin = admin + excluded.admin, moderator = moderator + excluded.moderator,
    user = user + excluded.user;
  INSERT INTO user_search(rowid, search_text, search_state) VALUES (NEW.number, NEW.search_text, NEW.search_state);
  DELETE FROM other_addresses WHERE email = NEW.email AND NEW.status NOT IN ('unverified', 'pending');
END;
--> statement-breakpoint
CREATE TRIGGER person_changed
AFTER UPDATE OF created_at, email, listed_factor, listed_role, search_name, status ON users BEGIN
  UPDATE totals SET value = value + (name = 'user.' || NEW.listed_role) - (name = 'user.' || OLD.listed_role)
  WHERE OLD.listed_role <> NEW.listed_role AND name IN ('user.' || OLD.listed_role, 'user.' || NEW.listed_role);
  UPDATE totals SET value = value
    + (name = 'factor.' || iif(NEW.is_staff, 'staff.', 'client.') || NEW.factor_state)
    - (name = 'factor.' || iif(OLD.is_staff, 'staff.', 'client.') || OLD.factor_state)
  WHERE (OLD.factor_state <> NEW.factor_state OR OLD.is_staff <> NEW.is_staff)
    AND name IN ('factor.' || iif(NEW.is_staff, 'staff.', 'client.') || NEW.factor_state,
      'factor.' || iif(OLD.is_staff, 'staff.', 'client.') || OLD.factor_state);
  UPDATE account_counts SET admin = admin - (OLD.listed_role = 'admin'),
    moderator = moderator - (OLD.listed_role = 'moderator'), user = user - (OLD.listed_role = 'user')
  WHERE (OLD.listed_role <> NEW.listed_role OR OLD.created_at <> NEW.created_at)
    AND (length, step) IN (VALUES (15, OLD.created_at / 900000), (1440, OLD.created_at / 86400000));
  INSERT INTO account_counts(length, step, admin, moderator, user)
  SELECT l.value, NEW.created_at / (60000 * l.value), NEW.listed_role = 'admin', NEW.listed_role = 'moderator',
    NEW.listed_role = 'user'
  FROM json_each('[15, 1440]') l WHERE OLD.listed_role <> NEW.listed_role OR OLD.created_at <> NEW.created_at
  ON CONFLICT(length, step) DO UPDATE SET admin = admin + excluded.admin, moderator = moderator + excluded.moderator,
    user = user + excluded.user;
  INSERT INTO user_search(user_search, rowid, search_text, search_state)
  SELECT 'delete', OLD.number, OLD.search_text, OLD.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
  INSERT INTO user_search(rowid, search_text, search_state)
  SELECT NEW.number, NEW.search_text, NEW.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
  UPDATE organization_memberships SET search_text = NEW.search_text || char(10)
    || (SELECT search_name FROM organizations WHERE id = organization_memberships.organization_id)
  WHERE OLD.search_text <> NEW.search_text AND user_id = NEW.id;
  INSERT INTO mfa_event_search(mfa_event_search, rowid, search_text, search_state)
  SELECT 'delete', m.id, OLD.search_text || ' ' || coalesce(m.ip_address, ''), s.search_state
  FROM mfa_audit_log m CROSS JOIN searchable_mfa_events s ON s.id = m.id
  WHERE OLD.search_text <> NEW.search_text AND m.user_id = OLD.id;
  INSERT INTO mfa_event_search(rowid, search_text, search_state)
  SELECT s.id, s.search_text, s.search_state FROM mfa_audit_log m CROSS JOIN searchable_mfa_events s ON s.id = m.id
  WHERE OLD.search_text <> NEW.search_text AND m.user_id = NEW.id;
  UPDATE contacts SET member_id = NEW.id
  WHERE OLD.email <> NEW.email AND email = NEW.email AND organization_id IN (
    SELECT organization_id FROM organization_memberships WHERE user_id = NEW.id AND status = 'active');
  DELETE FROM other_addresses WHERE (OLD.email <> NEW.email OR OLD.status <> NEW.status) AND email = NEW.email
    AND NEW.status NOT IN ('unverified', 'pending');
END;
--> statement-breakpoint
CREATE TRIGGER person_removed AFTER DELETE ON users BEGIN
  UPDATE totals SET value = value - 1
  WHERE name IN ('user.' || OLD.listed_role,
    'factor.' || iif(OLD.is_staff, 'staff.', 'client.') || OLD.factor_state);
  UPDATE account_counts SET admin = admin - (OLD.listed_role = 'admin'),
    moderator = moderator - (OLD.listed_role = 'moderator'), user = user - (OLD.listed_role = 'user')
  WHERE (length, step) IN (VALUES (15, OLD.created_at / 900000), (1440, OLD.created_at / 86400000));
  INSERT INTO user_search(user_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO mfa_event_search(mfa_event_search, rowid, search_text, search_state)
  SELECT 'delete', m.id, OLD.search_text || ' ' || coalesce(m.ip_address, ''), s.search_state
  FROM mfa_audit_log m CROSS JOIN searchable_mfa_events s ON s.id = m.id WHERE m.user_id = OLD.id;
  INSERT INTO mfa_event_search(rowid, search_text, search_state)
  SELECT s.id, s.search_text, s.search_state FROM mfa_audit_log m CROSS JOIN searchable_mfa_events s ON s.id = m.id
  WHERE m.user_id = OLD.id;
END;
--> statement-breakpoint
-- A session is made for the role its person has, so a new role ends it. The list of users filters by a copy of the role.
CREATE TRIGGER role_given AFTER INSERT ON user_roles BEGIN
  UPDATE users SET listed_role = NEW.role,
    auth_epoch = auth_epoch + EXISTS (SELECT 1 FROM sessions WHERE user_id = NEW.user_id)
  WHERE id = NEW.user_id AND listed_role <> NEW.role;
END;
--> statement-breakpoint
CREATE TRIGGER role_changed AFTER UPDATE OF role ON user_roles WHEN OLD.role <> NEW.role BEGIN
  UPDATE users SET listed_role = NEW.role, auth_epoch = auth_epoch + 1 WHERE id = NEW.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER role_taken AFTER DELETE ON user_roles WHEN OLD.role <> 'user' BEGIN
  UPDATE users SET listed_role = 'user', auth_epoch = auth_epoch + 1 WHERE id = OLD.user_id;
END;
--> statement-breakpoint
-- The list of second factors filters by a copy of whether one is set up. An active member without one counts once for
-- each organization, whichever of the two tables changes.
CREATE TRIGGER factor_added AFTER INSERT ON user_mfa_settings WHEN NEW.is_enabled = 1 BEGIN
  UPDATE users SET listed_factor = 1 WHERE id = NEW.user_id AND listed_factor = 0;
  UPDATE organizations SET members_without_mfa = members_without_mfa - 1
  WHERE id IN (SELECT organization_id FROM organization_memberships WHERE user_id = NEW.user_id AND status = 'active');
END;
--> statement-breakpoint
CREATE TRIGGER factor_changed AFTER UPDATE OF is_enabled ON user_mfa_settings
WHEN (OLD.is_enabled = 1) <> (NEW.is_enabled = 1) BEGIN
  UPDATE users SET listed_factor = NEW.is_enabled WHERE id = NEW.user_id AND listed_factor <> NEW.is_enabled;
  UPDATE organizations SET members_without_mfa = members_without_mfa + iif(NEW.is_enabled = 1, -1, 1)
  WHERE id IN (SELECT organization_id FROM organization_memberships WHERE user_id = NEW.user_id AND status = 'active');
END;
--> statement-breakpoint
CREATE TRIGGER factor_removed AFTER DELETE ON user_mfa_settings WHEN OLD.is_enabled = 1 BEGIN
  UPDATE users SET listed_factor = 0 WHERE id = OLD.user_id AND listed_factor = 1;
  UPDATE organizations SET members_without_mfa = members_without_mfa + 1
  WHERE id IN (SELECT organization_id FROM organization_memberships WHERE user_id = OLD.user_id AND status = 'active');
END;
--> statement-breakpoint
-- == Organizations ==
CREATE TRIGGER organization_added AFTER INSERT ON organizations BEGIN
  UPDATE totals SET value = value + 1
  WHERE name IN ('organization.all', iif(NEW.needs_review_at IS NOT NULL, 'organization.to_review', NULL),
    iif(NEW.plan <> 'none', 'organization.with_plan', NULL));
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
-- Tickets have the name of their organization as the last line of what is searched in, letters have it alone.
CREATE TRIGGER organization_changed
AFTER UPDATE OF needs_review_at, plan, search_description, search_name, slug ON organizations BEGIN
  UPDATE totals SET value = value + (NEW.needs_review_at IS NOT NULL) - (OLD.needs_review_at IS NOT NULL)
  WHERE (OLD.needs_review_at IS NULL) <> (NEW.needs_review_at IS NULL) AND name = 'organization.to_review';
  UPDATE totals SET value = value + (NEW.plan <> 'none') - (OLD.plan <> 'none')
  WHERE (OLD.plan <> 'none') <> (NEW.plan <> 'none') AND name = 'organization.with_plan';
  INSERT INTO organization_search(organization_search, rowid, search_text, search_state)
  SELECT 'delete', OLD.number, OLD.search_text, OLD.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
  INSERT INTO organization_search(rowid, search_text, search_state)
  SELECT NEW.number, NEW.search_text, NEW.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = organization_memberships.user_id),
      lower(organization_memberships.invited_email), '') || char(10) || NEW.search_name
  WHERE OLD.search_name <> NEW.search_name AND organization_id = NEW.id;
  UPDATE support_tickets
  SET search_text = substr(search_text, 1, length(search_text) - length(OLD.search_name)) || NEW.search_name
  WHERE OLD.search_name <> NEW.search_name AND organization_id = NEW.id;
  UPDATE letters SET search_text = NEW.search_name
  WHERE OLD.search_name <> NEW.search_name AND organization_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organization_removed AFTER DELETE ON organizations BEGIN
  UPDATE totals SET value = value - 1
  WHERE name IN ('organization.all', iif(OLD.needs_review_at IS NOT NULL, 'organization.to_review', NULL),
    iif(OLD.plan <> 'none', 'organization.with_plan', NULL));
  INSERT INTO organization_search(organization_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- == Memberships ==
-- A membership is found by its person and by its organization, whichever of them gets another name. Who joins an
-- organization that knew them as a contact keeps what they have asked and written.
CREATE TRIGGER membership_added AFTER INSERT ON organization_memberships BEGIN
  UPDATE totals SET value = value + 1
  WHERE name IN ('membership.' || NEW.status, iif(NEW.role <> 'member', 'membership.administrators', NULL));
  UPDATE organizations SET all_members = all_members + 1,
    active_members = active_members + (NEW.status = 'active'),
    administrators = administrators + (NEW.role <> 'member'),
    members_without_mfa = members_without_mfa + (NEW.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = NEW.user_id AND is_enabled = 1))
  WHERE id = NEW.organization_id;
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = NEW.user_id), lower(NEW.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = NEW.organization_id)
  WHERE id = NEW.id;
  UPDATE contacts SET member_id = NEW.user_id
  WHERE NEW.status = 'active' AND organization_id = NEW.organization_id
    AND email = (SELECT email FROM users WHERE id = NEW.user_id);
END;
--> statement-breakpoint
-- No trigger starts itself: what it writes into its own row, its last statements read there. A new row has no text
-- yet, and comes into the index with it: to take it out again at once costs ten times the rest.
CREATE TRIGGER membership_changed
AFTER UPDATE OF invited_email, role, search_text, status, user_id ON organization_memberships BEGIN
  UPDATE totals SET value = value + (name = 'membership.' || NEW.status) - (name = 'membership.' || OLD.status)
    + (name = 'membership.administrators') * ((NEW.role <> 'member') - (OLD.role <> 'member'))
  WHERE (OLD.status <> NEW.status OR OLD.role <> NEW.role)
    AND name IN ('membership.' || OLD.status, 'membership.' || NEW.status, 'membership.administrators');
  UPDATE organizations SET active_members = active_members + (NEW.status = 'active') - (OLD.status = 'active'),
    administrators = administrators + (NEW.role <> 'member') - (OLD.role <> 'member'),
    members_without_mfa = members_without_mfa
    + (NEW.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = NEW.user_id AND is_enabled = 1))
    - (OLD.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = OLD.user_id AND is_enabled = 1))
  WHERE (OLD.status <> NEW.status OR OLD.role <> NEW.role OR OLD.user_id IS NOT NEW.user_id)
    AND id = NEW.organization_id;
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = NEW.user_id), lower(NEW.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = NEW.organization_id)
  WHERE (OLD.user_id IS NOT NEW.user_id OR OLD.invited_email IS NOT NEW.invited_email) AND id = NEW.id;
  INSERT INTO membership_search(membership_search, rowid, search_text, search_state)
  SELECT 'delete', OLD.number, OLD.search_text, OLD.search_state FROM organization_memberships m
  WHERE m.id = NEW.id AND OLD.search_text <> ''
    AND (OLD.search_text <> m.search_text OR OLD.search_state <> m.search_state);
  INSERT INTO membership_search(rowid, search_text, search_state)
  SELECT m.number, m.search_text, m.search_state FROM organization_memberships m
  WHERE m.id = NEW.id AND (OLD.search_text <> m.search_text OR OLD.search_state <> m.search_state);
  UPDATE contacts SET member_id = NEW.user_id
  WHERE NEW.status = 'active' AND (OLD.status <> NEW.status OR OLD.user_id IS NOT NEW.user_id)
    AND organization_id = NEW.organization_id AND email = (SELECT email FROM users WHERE id = NEW.user_id);
END;
--> statement-breakpoint
-- Mails that wait go to the account, and the reply addresses of those that have left are its own.
CREATE TRIGGER contact_adopted AFTER UPDATE OF member_id ON contacts WHEN NEW.member_id IS NOT NULL BEGIN
  UPDATE ticket_events SET actor_id = NEW.member_id
  WHERE ticket_id IN (SELECT id FROM support_tickets WHERE contact_id = NEW.id
      UNION SELECT ticket_id FROM ticket_copies WHERE contact_id = NEW.id) AND actor_id = NEW.id;
  INSERT OR IGNORE INTO ticket_people(organization_id, ticket_id, user_id, added_at)
  SELECT c.organization_id, c.ticket_id, NEW.member_id, c.added_at
  FROM ticket_copies c JOIN support_tickets t ON t.id = c.ticket_id AND t.contact_id IS NOT NEW.id
  WHERE c.contact_id = NEW.id AND c.removed_at IS NULL;
  UPDATE outbox SET kind = iif(kind = 'ticket-copy', 'ticket-update', kind), user_id = NEW.member_id, copy_id = NULL
  WHERE copy_id IN (SELECT id FROM ticket_copies WHERE contact_id = NEW.id) AND status = 'pending' AND params_enc = '';
  UPDATE ticket_copies SET contact_id = NULL, member_id = iif(removed_at IS NULL, NEW.member_id, member_id),
    removed_at = coalesce(removed_at, added_at)
  WHERE contact_id = NEW.id;
  UPDATE support_tickets SET created_by = NEW.member_id, contact_id = NULL,
    viewers = viewers || '~' || NEW.member_id || '.'
  WHERE contact_id = NEW.id;
  UPDATE ticket_messages SET user_id = NEW.member_id, contact_id = NULL WHERE contact_id = NEW.id;
  UPDATE users SET phone = NEW.phone WHERE id = NEW.member_id AND phone = '';
  UPDATE other_addresses SET user_id = NEW.member_id, contact_id = NULL WHERE contact_id = NEW.id;
  DELETE FROM contacts WHERE id = NEW.id;
END;
--> statement-breakpoint
-- An address that somebody is known by is no further one of another: so for accounts, too.
CREATE TRIGGER contact_added AFTER INSERT ON contacts BEGIN
  INSERT INTO contact_search(rowid, search_text) VALUES (NEW.number, NEW.search_text);
  DELETE FROM other_addresses WHERE email = NEW.email;
END;
--> statement-breakpoint
CREATE TRIGGER contact_changed AFTER UPDATE OF email, search_name ON contacts
WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO contact_search(contact_search, rowid, search_text) VALUES ('delete', OLD.number, OLD.search_text);
  INSERT INTO contact_search(rowid, search_text) VALUES (NEW.number, NEW.search_text);
  DELETE FROM other_addresses WHERE email = NEW.email;
END;
--> statement-breakpoint
CREATE TRIGGER contact_removed AFTER DELETE ON contacts BEGIN
  INSERT INTO contact_search(contact_search, rowid, search_text) VALUES ('delete', OLD.number, OLD.search_text);
END;
--> statement-breakpoint
-- No row of one organization names a contact of another. What opens and moves tickets looks contacts up by organization.
CREATE TRIGGER contact_of_ticket_changed BEFORE UPDATE OF contact_id ON support_tickets
WHEN NEW.contact_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM contacts WHERE id = NEW.contact_id AND organization_id = NEW.organization_id) BEGIN
  SELECT RAISE(ABORT, 'contact_of_other_organization');
END;
--> statement-breakpoint
CREATE TRIGGER contact_of_message BEFORE INSERT ON ticket_messages WHEN NEW.contact_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM contacts WHERE id = NEW.contact_id AND organization_id = NEW.organization_id) BEGIN
  SELECT RAISE(ABORT, 'contact_of_other_organization');
END;
--> statement-breakpoint
CREATE TRIGGER contact_of_copy BEFORE INSERT ON ticket_copies WHEN NEW.contact_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM contacts WHERE id = NEW.contact_id AND organization_id = NEW.organization_id) BEGIN
  SELECT RAISE(ABORT, 'contact_of_other_organization');
END;
--> statement-breakpoint
-- Who leaves an organization leaves its tickets: somebody who is invited again sees only what they are added to again.
CREATE TRIGGER membership_removed AFTER DELETE ON organization_memberships BEGIN
  UPDATE totals SET value = value - 1
  WHERE name IN ('membership.' || OLD.status, iif(OLD.role <> 'member', 'membership.administrators', NULL));
  UPDATE organizations SET all_members = all_members - 1,
    active_members = active_members - (OLD.status = 'active'),
    administrators = administrators - (OLD.role <> 'member'),
    members_without_mfa = members_without_mfa - (OLD.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = OLD.user_id AND is_enabled = 1))
  WHERE id = OLD.organization_id;
  INSERT INTO membership_search(membership_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  DELETE FROM ticket_people WHERE user_id = OLD.user_id AND organization_id = OLD.organization_id;
END;
--> statement-breakpoint
-- == Tickets ==
CREATE TRIGGER ticket_added AFTER INSERT ON support_tickets BEGIN
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
  INSERT INTO ticket_search(rowid, search_text, search_state)
  VALUES (NEW.opened_rank, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_changed
AFTER UPDATE OF assigned_to, is_private, organization_id, priority, search_text, status, viewers ON support_tickets BEGIN
  UPDATE totals SET value = value + (name = 'ticket.' || NEW.status) - (name = 'ticket.' || OLD.status)
  WHERE OLD.status <> NEW.status AND name IN ('ticket.' || OLD.status, 'ticket.' || NEW.status);
  INSERT OR IGNORE INTO ticket_counts(organization_id)
  SELECT NEW.organization_id WHERE OLD.organization_id <> NEW.organization_id;
  UPDATE ticket_counts SET
    open = open + (organization_id = NEW.organization_id AND NEW.status = 'open')
      - (organization_id = OLD.organization_id AND OLD.status = 'open'),
    in_progress = in_progress + (organization_id = NEW.organization_id AND NEW.status = 'in_progress')
      - (organization_id = OLD.organization_id AND OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer
      + (organization_id = NEW.organization_id AND NEW.status = 'waiting_for_customer')
      - (organization_id = OLD.organization_id AND OLD.status = 'waiting_for_customer'),
    resolved = resolved + (organization_id = NEW.organization_id AND NEW.status = 'resolved')
      - (organization_id = OLD.organization_id AND OLD.status = 'resolved'),
    closed = closed + (organization_id = NEW.organization_id AND NEW.status = 'closed')
      - (organization_id = OLD.organization_id AND OLD.status = 'closed'),
    closed_after_resolved = closed_after_resolved
      + (organization_id = NEW.organization_id AND NEW.status = 'closed' AND coalesce(NEW.resolved_at < NEW.closed_at, 0))
      - (organization_id = OLD.organization_id AND OLD.status = 'closed' AND coalesce(OLD.resolved_at < OLD.closed_at, 0)),
    file_bytes = file_bytes + iif(OLD.organization_id = NEW.organization_id, 0,
      iif(organization_id = NEW.organization_id, 1, -1)
        * (SELECT coalesce(sum(size), 0) FROM attachments WHERE subject_type = 'ticket' AND subject_id = NEW.id))
  WHERE (OLD.status <> NEW.status OR OLD.organization_id <> NEW.organization_id)
    AND organization_id IN (OLD.organization_id, NEW.organization_id);
  UPDATE organizations SET
    ticket_count = ticket_count + (id = NEW.organization_id) - (id = OLD.organization_id),
    active_ticket_count = active_ticket_count
      + (id = NEW.organization_id) * (NEW.status NOT IN ('resolved', 'closed'))
      - (id = OLD.organization_id) * (OLD.status NOT IN ('resolved', 'closed'))
  WHERE (OLD.organization_id <> NEW.organization_id
      OR (OLD.status IN ('resolved', 'closed')) <> (NEW.status IN ('resolved', 'closed')))
    AND id IN (OLD.organization_id, NEW.organization_id);
  INSERT INTO ticket_search(ticket_search, rowid, search_text, search_state)
  SELECT 'delete', OLD.opened_rank, OLD.search_text, OLD.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
  INSERT INTO ticket_search(rowid, search_text, search_state)
  SELECT NEW.opened_rank, NEW.search_text, NEW.search_state
  WHERE OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state;
END;
--> statement-breakpoint
CREATE TRIGGER ticket_removed AFTER DELETE ON support_tickets BEGIN
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
  INSERT INTO ticket_search(ticket_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.opened_rank, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- Before its rows go with it.
CREATE TRIGGER days_of_removed_ticket BEFORE DELETE ON support_tickets BEGIN
  INSERT OR IGNORE INTO days_to_sum(day, organization_id)
  SELECT day, organization_id FROM ticket_metrics WHERE ticket_id = OLD.id;
END;
--> statement-breakpoint
-- Public messages are counted, so that a reply that was begun before another one can be told from the latest.
CREATE TRIGGER message_added AFTER INSERT ON ticket_messages BEGIN
  UPDATE support_tickets
  SET public_messages = public_messages + 1, last_message_at = max(last_message_at, NEW.created_at)
  WHERE NEW.is_internal = 0 AND id = NEW.ticket_id;
  INSERT INTO message_search(rowid, message, state)
  VALUES (NEW.number, NEW.message, iif(NEW.is_internal, 'internal ', 'public ') || NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER message_changed AFTER UPDATE OF message, organization_id, is_internal ON ticket_messages
WHEN OLD.message <> NEW.message OR OLD.organization_id <> NEW.organization_id OR OLD.is_internal <> NEW.is_internal BEGIN
  INSERT INTO message_search(message_search, rowid, message, state)
  VALUES ('delete', OLD.number, OLD.message, iif(OLD.is_internal, 'internal ', 'public ') || OLD.organization_id);
  INSERT INTO message_search(rowid, message, state)
  VALUES (NEW.number, NEW.message, iif(NEW.is_internal, 'internal ', 'public ') || NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER message_removed AFTER DELETE ON ticket_messages BEGIN
  INSERT INTO message_search(message_search, rowid, message, state)
  VALUES ('delete', OLD.number, OLD.message, iif(OLD.is_internal, 'internal ', 'public ') || OLD.organization_id);
END;
--> statement-breakpoint
-- Who is added to a ticket sees it, and who is taken off it does not, unless it is their own.
CREATE TRIGGER person_on_ticket AFTER INSERT ON ticket_people BEGIN
  UPDATE support_tickets SET viewers = viewers || ' ~' || NEW.user_id || '.'
  WHERE id = NEW.ticket_id AND instr(viewers, '~' || NEW.user_id || '.') = 0;
END;
--> statement-breakpoint
CREATE TRIGGER person_off_ticket AFTER DELETE ON ticket_people BEGIN
  UPDATE support_tickets SET viewers = trim(replace(viewers, '~' || OLD.user_id || '.', ''))
  WHERE id = OLD.ticket_id AND created_by IS NOT OLD.user_id;
END;
--> statement-breakpoint
-- == Files ==
CREATE TRIGGER file_added AFTER INSERT ON attachments BEGIN
  UPDATE totals SET value = value + (CASE name WHEN 'file.all' THEN 1 ELSE NEW.size END)
  WHERE name IN ('file.all', 'file.bytes');
  UPDATE ticket_counts SET file_bytes = file_bytes + NEW.size
  WHERE NEW.subject_type = 'ticket'
    AND organization_id = (SELECT organization_id FROM support_tickets WHERE id = NEW.subject_id);
END;
--> statement-breakpoint
CREATE TRIGGER file_removed AFTER DELETE ON attachments BEGIN
  UPDATE totals SET value = value - (CASE name WHEN 'file.all' THEN 1 ELSE OLD.size END)
  WHERE name IN ('file.all', 'file.bytes');
  UPDATE ticket_counts SET file_bytes = file_bytes - OLD.size
  WHERE OLD.subject_type = 'ticket'
    AND organization_id = (SELECT organization_id FROM support_tickets WHERE id = OLD.subject_id);
END;
--> statement-breakpoint
-- == Letters ==
-- Letters are numbered in the order of their months, whenever they are made: the row id of the search, and the order of
-- the list.
CREATE TRIGGER letter_added AFTER INSERT ON letters BEGIN
  UPDATE letters SET search_text = (SELECT search_name FROM organizations WHERE id = NEW.organization_id),
    number = 1 + coalesce((SELECT max(number) FROM letters
      WHERE number BETWEEN CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000
        AND CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000 + 999999),
      CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000)
  WHERE id = NEW.id AND number = 0;
  INSERT INTO letter_search(rowid, search_text, search_state)
  SELECT number, search_text, search_state FROM letters WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER letter_changed AFTER UPDATE OF search_text, status ON letters
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO letter_search(letter_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_removed AFTER DELETE ON letters BEGIN
  INSERT INTO letter_search(letter_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
