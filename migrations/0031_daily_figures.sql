CREATE TABLE `calendars_in_force` (
	`since` integer PRIMARY KEY NOT NULL,
	`calendar` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_figures` (
	`organization_id` text NOT NULL,
	`day` text NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`answered` integer DEFAULT 0 NOT NULL,
	`kept` integer DEFAULT 0 NOT NULL,
	`missed` integer DEFAULT 0 NOT NULL,
	`backlog_0` integer DEFAULT 0 NOT NULL,
	`backlog_1` integer DEFAULT 0 NOT NULL,
	`backlog_2` integer DEFAULT 0 NOT NULL,
	`backlog_3` integer DEFAULT 0 NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`organization_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `figures_by_day` ON `daily_figures` (`day`,`organization_id`);--> statement-breakpoint
CREATE TABLE `days_to_count` (
	`organization_id` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`organization_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `range_figures` (
	`range` integer NOT NULL,
	`organization_id` text NOT NULL,
	`created` integer NOT NULL,
	`answered` integer NOT NULL,
	`kept` integer NOT NULL,
	`missed` integer NOT NULL,
	PRIMARY KEY(`range`, `organization_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ranked_organizations` ON `range_figures` (`range`,`created`,`organization_id`);--> statement-breakpoint
CREATE INDEX `ranges_of_organization` ON `range_figures` (`organization_id`);--> statement-breakpoint
CREATE TABLE `ticket_facts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ticket_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`day` text NOT NULL,
	`at` integer NOT NULL,
	`priority` text NOT NULL,
	`open_time` integer,
	`total_time` integer,
	`paused_time` integer,
	`again_on` text,
	`detail` text,
	FOREIGN KEY (`ticket_id`) REFERENCES `support_tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `facts_of_ticket` ON `ticket_facts` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `facts_of_kind` ON `ticket_facts` (`kind`,`day`,`id`);--> statement-breakpoint
CREATE INDEX `facts_of_organization` ON `ticket_facts` (`organization_id`,`kind`,`day`,`id`);--> statement-breakpoint
CREATE INDEX `facts_of_organization_by_day` ON `ticket_facts` (`organization_id`,`day`);--> statement-breakpoint
CREATE TABLE `tickets_to_count` (
	`number` integer PRIMARY KEY NOT NULL,
	`changes` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
-- Every change of a ticket touches its row, so that these three are all that figures have to follow.
CREATE TRIGGER ticket_to_count AFTER INSERT ON support_tickets BEGIN
  INSERT INTO tickets_to_count(number) VALUES (NEW.number) ON CONFLICT(number) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER ticket_to_count_again
AFTER UPDATE OF version, status, organization_id, public_messages ON support_tickets BEGIN
  INSERT INTO tickets_to_count(number) VALUES (NEW.number) ON CONFLICT(number) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER days_of_deleted_ticket BEFORE DELETE ON support_tickets BEGIN
  INSERT OR IGNORE INTO days_to_count(organization_id, day)
  SELECT organization_id, day FROM ticket_facts WHERE ticket_id = OLD.id;
END;
--> statement-breakpoint
-- Organizations with a ticket created or answered in each range. Those that only a promise brings in are not active.
INSERT INTO totals(name, value) VALUES
  ('active_organizations.7', 0), ('active_organizations.30', 0), ('active_organizations.90', 0),
  ('active_organizations.365', 0);
--> statement-breakpoint
CREATE TRIGGER organization_in_range AFTER INSERT ON range_figures WHEN NEW.created + NEW.answered > 0 BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'active_organizations.' || NEW.range;
END;
--> statement-breakpoint
CREATE TRIGGER organization_changed_in_range AFTER UPDATE OF created, answered ON range_figures
WHEN (OLD.created + OLD.answered > 0) <> (NEW.created + NEW.answered > 0) BEGIN
  UPDATE totals SET value = value + CASE WHEN NEW.created + NEW.answered > 0 THEN 1 ELSE -1 END
  WHERE name = 'active_organizations.' || NEW.range;
END;
--> statement-breakpoint
CREATE TRIGGER organization_out_of_range AFTER DELETE ON range_figures WHEN OLD.created + OLD.answered > 0 BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'active_organizations.' || OLD.range;
END;
--> statement-breakpoint
-- How often figures were written, so that two runs at once cannot both add, and the last day of the ranges.
INSERT INTO counters(name, value) VALUES ('figures_written', 0), ('figures_ranges_until', 0);
--> statement-breakpoint
INSERT INTO tickets_to_count(number) SELECT number FROM support_tickets;
