-- == Submissions ==
CREATE VIEW searchable_submissions AS SELECT search_id, search_text, search_state FROM contact_submissions;
--> statement-breakpoint
-- Finds any three letters or more in a stored text, newest first by row id, within a status, an owner or what is held.
-- It keeps no copy of the text.
CREATE VIRTUAL TABLE submission_search USING fts5(
  search_text, search_state, content = 'searchable_submissions', content_rowid = 'search_id',
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER submission_findable AFTER INSERT ON contact_submissions BEGIN
  INSERT INTO submission_search(rowid, search_text, search_state)
  VALUES (NEW.search_id, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER submission_refindable AFTER UPDATE OF search_text, status, held_reason, owner_id ON contact_submissions
WHEN OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state BEGIN
  INSERT INTO submission_search(submission_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.search_id, OLD.search_text, OLD.search_state);
  INSERT INTO submission_search(rowid, search_text, search_state)
  VALUES (NEW.search_id, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER submission_unfindable AFTER DELETE ON contact_submissions BEGIN
  INSERT INTO submission_search(submission_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.search_id, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- == Activity ==
-- What the search of the activity looks in. The three letters of the type narrow a search to it: no two types begin alike.
CREATE VIEW searchable_activity AS
SELECT id, search_text, substr(activity_type, 1, 3) AS type_word FROM audit_events;
--> statement-breakpoint
-- Finds any three letters or more in what has happened, newest first by row id. It keeps no copy of the text.
CREATE VIRTUAL TABLE audit_search USING fts5(
  search_text, type_word, content = 'searchable_activity', content_rowid = 'id', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
-- What is taken out of the index leaves its pages at once: it is the name of somebody whose data were deleted.
INSERT INTO audit_search(audit_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER audit_findable AFTER INSERT ON audit_events BEGIN
  INSERT INTO audit_search(rowid, search_text, type_word)
  VALUES (NEW.id, NEW.search_text, substr(NEW.activity_type, 1, 3));
END;
--> statement-breakpoint
CREATE TRIGGER audit_refindable AFTER UPDATE OF search_text ON audit_events WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO audit_search(audit_search, rowid, search_text, type_word)
  VALUES ('delete', OLD.id, OLD.search_text, substr(OLD.activity_type, 1, 3));
  INSERT INTO audit_search(rowid, search_text, type_word)
  VALUES (NEW.id, NEW.search_text, substr(NEW.activity_type, 1, 3));
END;
--> statement-breakpoint
CREATE TRIGGER audit_unfindable AFTER DELETE ON audit_events BEGIN
  INSERT INTO audit_search(audit_search, rowid, search_text, type_word)
  VALUES ('delete', OLD.id, OLD.search_text, substr(OLD.activity_type, 1, 3));
END;
--> statement-breakpoint
-- == People and organizations ==
-- Every row is given a number in the order of creation: the row id of the search, and the order of the list.
CREATE TRIGGER user_numbered AFTER INSERT ON users WHEN NEW.number = 0 BEGIN
  UPDATE users SET number = (SELECT max(number) + 1 FROM users) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organization_numbered AFTER INSERT ON organizations WHEN NEW.number = 0 BEGIN
  UPDATE organizations SET number = (SELECT max(number) + 1 FROM organizations) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_numbered AFTER INSERT ON organization_memberships WHEN NEW.number = 0 BEGIN
  UPDATE organization_memberships SET number = (SELECT max(number) + 1 FROM organization_memberships), search_text =
    coalesce((SELECT search_text FROM users WHERE id = NEW.user_id), lower(NEW.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = NEW.organization_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
-- A membership is found by its person and by its organization, whichever of them gets another name.
CREATE TRIGGER membership_renamed AFTER UPDATE OF user_id, invited_email ON organization_memberships
WHEN OLD.user_id IS NOT NEW.user_id OR OLD.invited_email IS NOT NEW.invited_email BEGIN
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = NEW.user_id), lower(NEW.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = NEW.organization_id)
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER person_of_membership_renamed AFTER UPDATE OF search_name, email ON users
WHEN OLD.search_text <> NEW.search_text BEGIN
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = organization_memberships.user_id),
      lower(organization_memberships.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = organization_memberships.organization_id)
  WHERE user_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organization_of_membership_renamed AFTER UPDATE OF search_name ON organizations
WHEN OLD.search_name <> NEW.search_name BEGIN
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = organization_memberships.user_id),
      lower(organization_memberships.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = organization_memberships.organization_id)
  WHERE organization_id = NEW.id;
END;
--> statement-breakpoint
-- Finds any three letters or more, newest first by row id. The indexes keep no copy of the text, and what is taken out
-- of them leaves their pages at once, because it is the name of somebody who is gone.
CREATE VIEW searchable_users AS SELECT number, search_text, search_state FROM users;
--> statement-breakpoint
CREATE VIRTUAL TABLE user_search USING fts5(
  search_text, search_state, content = 'searchable_users', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO user_search(user_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER user_findable AFTER UPDATE OF number ON users WHEN OLD.number = 0 BEGIN
  INSERT INTO user_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER user_restored AFTER INSERT ON users WHEN NEW.number <> 0 BEGIN
  INSERT INTO user_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER user_refindable AFTER UPDATE OF search_name, email, listed_role ON users
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO user_search(user_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO user_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER user_unfindable AFTER DELETE ON users WHEN OLD.number <> 0 BEGIN
  INSERT INTO user_search(user_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE VIEW searchable_organizations AS SELECT number, search_text, search_state FROM organizations;
--> statement-breakpoint
CREATE VIRTUAL TABLE organization_search USING fts5(
  search_text, search_state, content = 'searchable_organizations', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO organization_search(organization_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER organization_findable AFTER UPDATE OF number ON organizations WHEN OLD.number = 0 BEGIN
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_restored AFTER INSERT ON organizations WHEN NEW.number <> 0 BEGIN
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_refindable AFTER UPDATE OF search_name, slug, search_description, plan, needs_review_at ON organizations
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO organization_search(organization_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_unfindable AFTER DELETE ON organizations WHEN OLD.number <> 0 BEGIN
  INSERT INTO organization_search(organization_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE VIEW searchable_memberships AS SELECT number, search_text, search_state FROM organization_memberships;
--> statement-breakpoint
CREATE VIRTUAL TABLE membership_search USING fts5(
  search_text, search_state, content = 'searchable_memberships', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO membership_search(membership_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER membership_findable AFTER UPDATE OF number ON organization_memberships WHEN OLD.number = 0 BEGIN
  INSERT INTO membership_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER membership_restored AFTER INSERT ON organization_memberships WHEN NEW.number <> 0 BEGIN
  INSERT INTO membership_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER membership_refindable AFTER UPDATE OF search_text, status, role ON organization_memberships
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO membership_search(membership_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO membership_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER membership_unfindable AFTER DELETE ON organization_memberships WHEN OLD.number <> 0 BEGIN
  INSERT INTO membership_search(membership_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- == Tickets ==
-- Finds any three letters or more of a ticket. The last line of its text is the name of its organization.
CREATE VIEW searchable_tickets AS SELECT number, search_text, search_state FROM support_tickets;
--> statement-breakpoint
CREATE VIRTUAL TABLE ticket_search USING fts5(
  search_text, search_state, content = 'searchable_tickets', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO ticket_search(ticket_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER ticket_findable AFTER INSERT ON support_tickets BEGIN
  INSERT INTO ticket_search(rowid, search_text, search_state) VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_refindable
AFTER UPDATE OF search_text, status, priority, organization_id, assigned_to, is_private, viewers ON support_tickets
WHEN OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state BEGIN
  INSERT INTO ticket_search(ticket_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO ticket_search(rowid, search_text, search_state) VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_unfindable AFTER DELETE ON support_tickets BEGIN
  INSERT INTO ticket_search(ticket_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_of_ticket_renamed AFTER UPDATE OF search_name ON organizations
WHEN OLD.search_name <> NEW.search_name BEGIN
  UPDATE support_tickets
  SET search_text = substr(search_text, 1, length(search_text) - length(OLD.search_name)) || NEW.search_name
  WHERE organization_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER message_numbered AFTER INSERT ON ticket_messages WHEN NEW.number = 0 BEGIN
  UPDATE ticket_messages SET number = (SELECT max(number) + 1 FROM ticket_messages) WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Finds words and their beginnings in what was written on tickets, within an organization and without internal notes.
-- An index of words takes half the room of the text, one of three letters in a row more than three times as much.
CREATE VIEW searchable_messages AS
SELECT number, message, iif(is_internal, 'internal ', 'public ') || organization_id AS state FROM ticket_messages;
--> statement-breakpoint
CREATE VIRTUAL TABLE message_search USING fts5(
  message, state, content = 'searchable_messages', content_rowid = 'number', columnsize = 0,
  tokenize = 'unicode61 remove_diacritics 2');
--> statement-breakpoint
INSERT INTO message_search(message_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER message_findable AFTER UPDATE OF number ON ticket_messages WHEN OLD.number = 0 BEGIN
  INSERT INTO message_search(rowid, message, state)
  VALUES (NEW.number, NEW.message, iif(NEW.is_internal, 'internal ', 'public ') || NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER message_restored AFTER INSERT ON ticket_messages WHEN NEW.number <> 0 BEGIN
  INSERT INTO message_search(rowid, message, state)
  VALUES (NEW.number, NEW.message, iif(NEW.is_internal, 'internal ', 'public ') || NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER message_refindable AFTER UPDATE OF message, organization_id, is_internal ON ticket_messages
WHEN OLD.number <> 0 AND (OLD.message <> NEW.message OR OLD.organization_id <> NEW.organization_id
  OR OLD.is_internal <> NEW.is_internal) BEGIN
  INSERT INTO message_search(message_search, rowid, message, state)
  VALUES ('delete', OLD.number, OLD.message, iif(OLD.is_internal, 'internal ', 'public ') || OLD.organization_id);
  INSERT INTO message_search(rowid, message, state)
  VALUES (NEW.number, NEW.message, iif(NEW.is_internal, 'internal ', 'public ') || NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER message_unfindable AFTER DELETE ON ticket_messages WHEN OLD.number <> 0 BEGIN
  INSERT INTO message_search(message_search, rowid, message, state)
  VALUES ('delete', OLD.number, OLD.message, iif(OLD.is_internal, 'internal ', 'public ') || OLD.organization_id);
END;
--> statement-breakpoint
-- == MFA events ==
-- Finds MFA events by person and address. The events name nobody: whoever is renamed or erased is found, or not, by the
-- name of today.
CREATE VIEW searchable_mfa_events AS
SELECT e.id, coalesce(u.search_text, '') || ' ' || coalesce(e.ip_address, '') AS search_text,
  'a.' || e.action || ' m.' || e.method || iif(e.success, ' r.yes', ' r.no') AS search_state
FROM mfa_audit_log e LEFT JOIN users u ON u.id = e.user_id;
--> statement-breakpoint
CREATE VIRTUAL TABLE mfa_event_search USING fts5(
  search_text, search_state, content = 'searchable_mfa_events', content_rowid = 'id', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO mfa_event_search(mfa_event_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER mfa_event_findable AFTER INSERT ON mfa_audit_log BEGIN
  INSERT INTO mfa_event_search(rowid, search_text, search_state)
  SELECT id, search_text, search_state FROM searchable_mfa_events WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER mfa_event_unfindable BEFORE DELETE ON mfa_audit_log BEGIN
  INSERT INTO mfa_event_search(mfa_event_search, rowid, search_text, search_state)
  SELECT 'delete', id, search_text, search_state FROM searchable_mfa_events WHERE id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER mfa_events_forgotten BEFORE UPDATE OF search_name, email ON users
WHEN OLD.search_name <> NEW.search_name OR OLD.email <> NEW.email BEGIN
  INSERT INTO mfa_event_search(mfa_event_search, rowid, search_text, search_state)
  SELECT 'delete', id, search_text, search_state FROM searchable_mfa_events
  WHERE id IN (SELECT id FROM mfa_audit_log WHERE user_id = OLD.id);
END;
--> statement-breakpoint
CREATE TRIGGER mfa_events_refindable AFTER UPDATE OF search_name, email ON users
WHEN OLD.search_name <> NEW.search_name OR OLD.email <> NEW.email BEGIN
  INSERT INTO mfa_event_search(rowid, search_text, search_state)
  SELECT id, search_text, search_state FROM searchable_mfa_events
  WHERE id IN (SELECT id FROM mfa_audit_log WHERE user_id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER mfa_events_of_nobody BEFORE DELETE ON users BEGIN
  INSERT INTO mfa_event_search(mfa_event_search, rowid, search_text, search_state)
  SELECT 'delete', id, search_text, search_state FROM searchable_mfa_events
  WHERE id IN (SELECT id FROM mfa_audit_log WHERE user_id = OLD.id);
END;
--> statement-breakpoint
CREATE TRIGGER mfa_events_of_somebody_gone AFTER DELETE ON users BEGIN
  INSERT INTO mfa_event_search(rowid, search_text, search_state)
  SELECT id, search_text, search_state FROM searchable_mfa_events
  WHERE id IN (SELECT id FROM mfa_audit_log WHERE user_id = OLD.id);
END;
--> statement-breakpoint
-- == Letters ==
-- Letters are numbered in the order of their months, whenever they are made: the row id of the search, and the order of
-- the list.
CREATE TRIGGER letter_numbered AFTER INSERT ON letters WHEN NEW.number = 0 BEGIN
  UPDATE letters SET search_text = (SELECT search_name FROM organizations WHERE id = NEW.organization_id),
    number = 1 + coalesce((SELECT max(number) FROM letters
      WHERE number BETWEEN CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000
        AND CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000 + 999999),
      CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000)
  WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Finds letters by three letters or more of the name of their organization. What is taken out of the index leaves its
-- pages at once.
CREATE VIEW searchable_letters AS SELECT number, search_text, search_state FROM letters;
--> statement-breakpoint
CREATE VIRTUAL TABLE letter_search USING fts5(
  search_text, search_state, content = 'searchable_letters', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO letter_search(letter_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER letter_findable AFTER UPDATE OF number ON letters WHEN OLD.number = 0 BEGIN
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_restored AFTER INSERT ON letters WHEN NEW.number <> 0 BEGIN
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_refindable AFTER UPDATE OF search_text, status ON letters
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO letter_search(letter_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_unfindable AFTER DELETE ON letters WHEN OLD.number <> 0 BEGIN
  INSERT INTO letter_search(letter_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_of_letter_renamed AFTER UPDATE OF search_name ON organizations
WHEN OLD.search_name <> NEW.search_name BEGIN
  UPDATE letters SET search_text = NEW.search_name WHERE organization_id = NEW.id;
END;
