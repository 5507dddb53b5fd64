CREATE TABLE `mail_events` (
	`outbox_id` text NOT NULL,
	`event` text NOT NULL,
	`item_id` text NOT NULL,
	`detail` text DEFAULT '' NOT NULL,
	`actor_name` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`outbox_id`, `event`, `item_id`),
	FOREIGN KEY (`outbox_id`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mails_about_item` ON `mail_events` (`item_id`);--> statement-breakpoint
ALTER TABLE `outbox` ADD `user_id` text REFERENCES users(id) ON DELETE CASCADE;--> statement-breakpoint
CREATE INDEX `outbox_by_person` ON `outbox` (`user_id`,`subject_id`) WHERE user_id is not null;