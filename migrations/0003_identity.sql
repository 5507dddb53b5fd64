CREATE TABLE `mfa_backup_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`set_id` text NOT NULL,
	`salt` text NOT NULL,
	`code_hash` text NOT NULL,
	`used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_backup_code` ON `mfa_backup_codes` (`user_id`,`code_hash`);--> statement-breakpoint
CREATE TABLE `mfa_enrollments` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret_enc` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `enrollments_by_expiry` ON `mfa_enrollments` (`expires_at`);--> statement-breakpoint
CREATE TABLE `auth_tokens` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tokens_by_user` ON `auth_tokens` (`user_id`,`purpose`,`created_at`);--> statement-breakpoint
CREATE INDEX `tokens_by_expiry` ON `auth_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `password_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `pending_email` text;--> statement-breakpoint
ALTER TABLE `users` ADD `pending_organization_name` text;--> statement-breakpoint
ALTER TABLE `user_mfa_settings` ADD `codes_unsaved` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `user_mfa_settings` ADD `setup_needs_link` integer DEFAULT 0 NOT NULL;