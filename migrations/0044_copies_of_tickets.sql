CREATE TABLE `ticket_copies` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`email` text NOT NULL,
	`added_by` text,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `copies_of_ticket` ON `ticket_copies` (`ticket_id`,`email`);--> statement-breakpoint
CREATE INDEX `copies_by_address` ON `ticket_copies` (`email`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `allows_copies` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `copy_id` text REFERENCES ticket_copies(id) ON DELETE CASCADE;--> statement-breakpoint
CREATE INDEX `outbox_by_copy` ON `outbox` (`copy_id`) WHERE copy_id is not null;