CREATE TABLE `refused_sign_ins` (
	`account_id` text NOT NULL,
	`network` text NOT NULL,
	`hour` integer NOT NULL,
	`reason` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `network`, `hour`, `reason`)
);
--> statement-breakpoint
CREATE INDEX `refused_by_hour` ON `refused_sign_ins` (`hour`);--> statement-breakpoint
CREATE INDEX `audit_without_security` ON `audit_events` (`id`) WHERE activity_type <> 'security';--> statement-breakpoint
-- The figures of the activity screen for people who do not see security events: these are subtracted.
INSERT INTO totals(name, value)
SELECT 'activity.security', count(*) FROM audit_events WHERE activity_type = 'security'
UNION ALL
SELECT 'activity.security_people', count(*) FROM audit_events WHERE activity_type = 'security' AND actor_id IS NOT NULL;
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
