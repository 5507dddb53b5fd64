-- == Activity ==
-- Records of who did what are append-only. The name of a subject that is deleted can be taken out of them. And an event
-- is found by the words the screen has for it, and these change: the part of the searchable text behind the name of the
-- subject may be written anew from the columns it is made of. Those cannot be changed, and neither can the name.
CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit_events
WHEN iif(NEW.subject_label IS OLD.subject_label,
    substr(NEW.search_text, 1, instr(NEW.search_text, char(10))) <> substr(OLD.search_text, 1, instr(OLD.search_text, char(10))),
    NEW.subject_label IS NOT NULL OR NEW.search_text <> substr(OLD.search_text, instr(OLD.search_text, char(10))))
  OR (NEW.id, NEW.at, NEW.actor_id, NEW.actor_role, NEW.actor_name, NEW.actor_email, NEW.on_behalf_of, NEW.action,
      NEW.subject_type, NEW.subject_id, NEW.org_id, NEW.ip, NEW.request_id, NEW.meta_json)
    IS NOT (OLD.id, OLD.at, OLD.actor_id, OLD.actor_role, OLD.actor_name, OLD.actor_email, OLD.on_behalf_of, OLD.action,
      OLD.subject_type, OLD.subject_id, OLD.org_id, OLD.ip, OLD.request_id, OLD.meta_json)
BEGIN
  SELECT RAISE(ABORT, 'audit events cannot be changed');
END;
--> statement-breakpoint
-- 400 days must pass before the retention job may delete a record.
CREATE TRIGGER audit_is_retained BEFORE DELETE ON audit_events
WHEN OLD.at > (unixepoch() - 400 * 86400) * 1000 BEGIN
  SELECT RAISE(ABORT, 'audit events are kept for 400 days');
END;
--> statement-breakpoint
-- Triggers against UPDATE and DELETE do not run for INSERT OR REPLACE: an event whose id is taken is refused before it
-- replaces anything, and an id below the newest one would put an event into the past.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'audit events cannot be replaced');
END;
--> statement-breakpoint
CREATE TRIGGER audit_is_in_order AFTER INSERT ON audit_events
WHEN NEW.id < (SELECT max(id) FROM audit_events) BEGIN
  SELECT RAISE(ABORT, 'audit events are recorded in order');
END;
--> statement-breakpoint
-- == MFA events ==
CREATE TRIGGER mfa_log_is_append_only BEFORE UPDATE ON mfa_audit_log BEGIN
  SELECT RAISE(ABORT, 'MFA events cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER mfa_log_is_retained BEFORE DELETE ON mfa_audit_log
WHEN OLD.created_at > (unixepoch() - 400 * 86400) * 1000 BEGIN
  SELECT RAISE(ABORT, 'MFA events are kept for 400 days');
END;
--> statement-breakpoint
CREATE TRIGGER mfa_log_is_not_replaced BEFORE INSERT ON mfa_audit_log
WHEN EXISTS (SELECT 1 FROM mfa_audit_log WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'MFA events cannot be replaced');
END;
--> statement-breakpoint
CREATE TRIGGER mfa_log_is_in_order AFTER INSERT ON mfa_audit_log
WHEN NEW.id < (SELECT max(id) FROM mfa_audit_log) BEGIN
  SELECT RAISE(ABORT, 'MFA events are recorded in order');
END;
--> statement-breakpoint
-- == Seals of the activity ==
-- A seal stands as long as its event, and follows the seal before it.
CREATE TRIGGER seal_is_not_replaced BEFORE INSERT ON audit_seals
WHEN EXISTS (SELECT 1 FROM audit_seals WHERE event_id >= NEW.event_id) BEGIN
  SELECT RAISE(ABORT, 'seals of the audit cannot be replaced');
END;
--> statement-breakpoint
CREATE TRIGGER seal_is_not_changed BEFORE UPDATE ON audit_seals BEGIN
  SELECT RAISE(ABORT, 'seals of the audit cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER seal_is_retained BEFORE DELETE ON audit_seals
WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = OLD.event_id AND at > (unixepoch() - 400 * 86400) * 1000) BEGIN
  SELECT RAISE(ABORT, 'seals of the audit are kept as long as its events');
END;
--> statement-breakpoint
-- == Letters ==
CREATE TRIGGER letters_stay_as_released BEFORE UPDATE OF organization_id, month, status, facts_json, words_json, letter_json, letter_hash, released_at
  ON letters WHEN OLD.status = 'released'
BEGIN
  SELECT RAISE(ABORT, 'A released letter stays as it was sent');
END;
--> statement-breakpoint
-- == Legal holds ==
-- What is held is deleted by nobody, whichever command or job tries.
CREATE TRIGGER held_submission_stays BEFORE DELETE ON contact_submissions
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'submission' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
--> statement-breakpoint
CREATE TRIGGER held_organization_stays BEFORE DELETE ON organizations
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'organization' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
--> statement-breakpoint
CREATE TRIGGER held_person_stays BEFORE DELETE ON users
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'user' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
--> statement-breakpoint
-- A ticket on legal hold is deleted by nobody either, nor is the organization it belongs to.
CREATE TRIGGER held_ticket_stays BEFORE DELETE ON support_tickets
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'ticket' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
