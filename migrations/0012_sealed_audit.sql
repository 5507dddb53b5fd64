CREATE TABLE `audit_seals` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`prev_hash` text NOT NULL,
	`hash` text NOT NULL
);
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
