CREATE TABLE `bulk_ticket_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`ordered_by` text NOT NULL,
	`ordered_at` integer NOT NULL,
	`property` text NOT NULL,
	`value` text,
	`rows_json` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`changed` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`ordered_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `bulk_ticket_changes_by_person` ON `bulk_ticket_changes` (`ordered_by`);--> statement-breakpoint
CREATE INDEX `bulk_ticket_changes_in_order` ON `bulk_ticket_changes` (`ordered_at`);--> statement-breakpoint
CREATE INDEX `unfinished_bulk_ticket_changes` ON `bulk_ticket_changes` (`ordered_at`) WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX `tickets_by_day` ON `support_tickets` (`created_at`,`number`);