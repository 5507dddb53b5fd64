-- == Submissions ==
CREATE VIEW searchable_submissions AS SELECT search_id, search_text, search_state FROM contact_submissions;
--> statement-breakpoint
-- Finds any three letters or more in a stored text, newest first by row id, within a status, an owner or what is held.
-- It keeps no copy of the text.
CREATE VIRTUAL TABLE submission_search USING fts5(
  search_text, search_state, content = 'searchable_submissions', content_rowid = 'search_id',
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO submission_search(submission_search, rank) VALUES ('secure-delete', 1);
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
CREATE VIEW searchable_organizations AS SELECT number, search_text, search_state FROM organizations;
--> statement-breakpoint
CREATE VIRTUAL TABLE organization_search USING fts5(
  search_text, search_state, content = 'searchable_organizations', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO organization_search(organization_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE VIEW searchable_memberships AS SELECT number, search_text, search_state FROM organization_memberships;
--> statement-breakpoint
CREATE VIRTUAL TABLE membership_search USING fts5(
  search_text, search_state, content = 'searchable_memberships', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO membership_search(membership_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE VIEW searchable_contacts AS SELECT number, search_text FROM contacts;
--> statement-breakpoint
CREATE VIRTUAL TABLE contact_search USING fts5(
  search_text, content = 'searchable_contacts', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO contact_search(contact_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
-- == Tickets ==
-- Finds any three letters or more of a ticket. The last line of its text is the name of its organization.
CREATE VIEW searchable_tickets AS SELECT opened_rank, search_text, search_state FROM support_tickets;
--> statement-breakpoint
CREATE VIRTUAL TABLE ticket_search USING fts5(
  search_text, search_state, content = 'searchable_tickets', content_rowid = 'opened_rank', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO ticket_search(ticket_search, rank) VALUES ('secure-delete', 1);
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
-- Finds letters by three letters or more of the name of their organization. What is taken out of the index leaves its
-- pages at once.
CREATE VIEW searchable_letters AS SELECT number, search_text, search_state FROM letters;
--> statement-breakpoint
CREATE VIRTUAL TABLE letter_search USING fts5(
  search_text, search_state, content = 'searchable_letters', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO letter_search(letter_search, rank) VALUES ('secure-delete', 1);
