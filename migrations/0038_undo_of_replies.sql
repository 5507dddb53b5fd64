CREATE TABLE `undoable_replies` (
	`message_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`sent_at` integer NOT NULL,
	`version` integer NOT NULL,
	`before_json` text NOT NULL,
	`last_event` integer NOT NULL,
	`last_notification` integer NOT NULL,
	`last_mail_event` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `undoable_replies_of_ticket` ON `undoable_replies` (`ticket_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `undoable_replies_by_person` ON `undoable_replies` (`user_id`);--> statement-breakpoint
CREATE INDEX `undoable_replies_by_time` ON `undoable_replies` (`sent_at`);