CREATE TABLE `security_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text,
	`severity` text NOT NULL,
	`attempts` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`closed_at` integer,
	`acknowledged_by` text,
	`acknowledged_name` text,
	`note` text,
	`mailed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_open_alert` ON `security_alerts` (`kind`,`subject`) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX `open_alerts` ON `security_alerts` (`last_at`,`id`) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX `acknowledged_alerts` ON `security_alerts` (`closed_at`) WHERE acknowledged_by is not null;--> statement-breakpoint
CREATE INDEX `closed_alerts` ON `security_alerts` (`closed_at`) WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX `alerts_by_subject` ON `security_alerts` (`subject`,`last_at`);--> statement-breakpoint
CREATE INDEX `alerts_by_person` ON `security_alerts` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `alerts_to_mail` ON `security_alerts` (`opened_at`) WHERE severity = 'high' and mailed_at is null and closed_at is null;--> statement-breakpoint
CREATE INDEX `mailed_alerts` ON `security_alerts` (`mailed_at`) WHERE mailed_at is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `listed_factor` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `is_staff` integer GENERATED ALWAYS AS (listed_role <> 'user') VIRTUAL;--> statement-breakpoint
ALTER TABLE `users` ADD `factor_state` text GENERATED ALWAYS AS (case when status <> 'active' then 'none' when listed_factor = 1 then 'on' else 'off' end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `users_by_factor` ON `users` (`factor_state`,`number`);--> statement-breakpoint
CREATE INDEX `users_by_side_and_factor` ON `users` (`is_staff`,`factor_state`,`number`);--> statement-breakpoint
CREATE INDEX `mfa_audit_by_time` ON `mfa_audit_log` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `failed_mfa_events` ON `mfa_audit_log` (`created_at`,`id`,`user_id`) WHERE success = 0;--> statement-breakpoint
CREATE INDEX `blocked_attempts` ON `rate_limit_attempts` (`blocked_until`) WHERE blocked_until is not null;--> statement-breakpoint
CREATE INDEX `sessions_by_use` ON `sessions` (`last_seen_at`) WHERE revoked_at is null;
--> statement-breakpoint
-- The list of second factors filters by a copy of whether one is set up.
UPDATE users SET listed_factor = 1
WHERE id IN (SELECT user_id FROM user_mfa_settings WHERE is_enabled = 1);
--> statement-breakpoint
CREATE TRIGGER factor_state_listed AFTER INSERT ON user_mfa_settings WHEN NEW.is_enabled = 1 BEGIN
  UPDATE users SET listed_factor = 1 WHERE id = NEW.user_id AND listed_factor = 0;
END;
--> statement-breakpoint
CREATE TRIGGER factor_state_relisted AFTER UPDATE OF is_enabled ON user_mfa_settings BEGIN
  UPDATE users SET listed_factor = NEW.is_enabled WHERE id = NEW.user_id AND listed_factor <> NEW.is_enabled;
END;
--> statement-breakpoint
CREATE TRIGGER factor_state_unlisted AFTER DELETE ON user_mfa_settings WHEN OLD.is_enabled = 1 BEGIN
  UPDATE users SET listed_factor = 0 WHERE id = OLD.user_id AND listed_factor = 1;
END;
--> statement-breakpoint
-- How many of the staff and of the clients have a second factor: people who can sign in only.
INSERT INTO totals(name, value)
SELECT 'factor.staff.on', count(*) FROM users WHERE is_staff = 1 AND factor_state = 'on'
UNION ALL SELECT 'factor.staff.off', count(*) FROM users WHERE is_staff = 1 AND factor_state = 'off'
UNION ALL SELECT 'factor.client.on', count(*) FROM users WHERE is_staff = 0 AND factor_state = 'on'
UNION ALL SELECT 'factor.client.off', count(*) FROM users WHERE is_staff = 0 AND factor_state = 'off';
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
INSERT INTO mfa_event_search(mfa_event_search) VALUES ('rebuild');
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
