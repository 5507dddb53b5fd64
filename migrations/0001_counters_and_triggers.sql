-- The number people quote starts at 1001.
INSERT INTO counters(name, value) VALUES ('submission', 1000), ('ticket', 1000), ('quote', 1000);
--> statement-breakpoint
INSERT INTO totals(name, value) VALUES
 ('submission.new', 0), ('submission.contacted', 0), ('submission.resolved', 0), ('submission.held', 0);
--> statement-breakpoint
-- Totals follow the rows, whatever statement moves them: a bulk change included.
-- A held submission counts as held and as nothing else.
CREATE TRIGGER submission_counted AFTER INSERT ON contact_submissions BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = CASE WHEN NEW.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || NEW.status END;
END;
--> statement-breakpoint
CREATE TRIGGER submission_recounted AFTER UPDATE OF status, held_reason ON contact_submissions
WHEN OLD.status IS NOT NEW.status OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL) BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = CASE WHEN OLD.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || OLD.status END;
  UPDATE totals SET value = value + 1
  WHERE name = CASE WHEN NEW.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || NEW.status END;
END;
--> statement-breakpoint
CREATE TRIGGER submission_uncounted AFTER DELETE ON contact_submissions BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = CASE WHEN OLD.held_reason IS NOT NULL THEN 'submission.held' ELSE 'submission.' || OLD.status END;
END;
--> statement-breakpoint
-- Records of who did what are append-only: 400 days must pass before the retention job may delete a row.
CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit_events BEGIN
  SELECT RAISE(ABORT, 'audit events cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER audit_is_retained BEFORE DELETE ON audit_events
WHEN OLD.at > (unixepoch() - 400 * 86400) * 1000 BEGIN
  SELECT RAISE(ABORT, 'audit events are kept for 400 days');
END;
--> statement-breakpoint
CREATE TRIGGER mfa_log_is_append_only BEFORE UPDATE ON mfa_audit_log BEGIN
  SELECT RAISE(ABORT, 'MFA events cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER mfa_log_is_retained BEFORE DELETE ON mfa_audit_log
WHEN OLD.created_at > (unixepoch() - 400 * 86400) * 1000 BEGIN
  SELECT RAISE(ABORT, 'MFA events are kept for 400 days');
END;
