CREATE TABLE `held_forms` (
	`user_id` text PRIMARY KEY NOT NULL,
	`id_hash` text NOT NULL,
	`form_enc` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `held_forms_by_expiry` ON `held_forms` (`expires_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `password_expires_at` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `mfa_required_at` integer;