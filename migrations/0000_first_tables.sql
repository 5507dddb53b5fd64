CREATE TABLE `user_roles` (
	`user_id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "known_role" CHECK("user_roles"."role" in ('admin', 'moderator', 'user'))
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`email` text NOT NULL,
	`full_name` text NOT NULL,
	`password_hash` text,
	`status` text NOT NULL,
	`auth_epoch` integer DEFAULT 0 NOT NULL,
	`must_change_password` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "known_status" CHECK("users"."status" in ('unverified', 'pending', 'active', 'deactivated'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`r2_key` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_r2_key_unique` ON `attachments` (`r2_key`);--> statement-breakpoint
CREATE INDEX `attachments_by_time` ON `attachments` (`created_at`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text,
	`actor_role` text NOT NULL,
	`on_behalf_of` text,
	`action` text NOT NULL,
	`object_type` text NOT NULL,
	`object_id` text,
	`org_id` text,
	`ip` text,
	`request_id` text,
	`meta_json` text
);
--> statement-breakpoint
CREATE INDEX `audit_by_object` ON `audit_events` (`object_type`,`object_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_events` (`actor_id`,`id`);--> statement-breakpoint
CREATE TABLE `live_dismissals` (
	`user_id` text NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`user_id`, `seq`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `live_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`audience` text NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`label` text NOT NULL,
	`actor_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `live_events_by_audience` ON `live_events` (`audience`,`seq`);--> statement-breakpoint
CREATE TABLE `live_readers` (
	`user_id` text PRIMARY KEY NOT NULL,
	`dismissed_through` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `batch_guards` (
	`holds` integer NOT NULL,
	CONSTRAINT "must_hold" CHECK("batch_guards"."holds" = 1)
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency` (
	`key` text PRIMARY KEY NOT NULL,
	`scope` text NOT NULL,
	`result_location` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_by_time` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`name` text PRIMARY KEY NOT NULL,
	`lease_until` integer,
	`last_start` integer,
	`last_ok` integer,
	`last_duration` integer,
	`last_error` text,
	`next_due` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `totals` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `mfa_audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`action` text NOT NULL,
	`method` text NOT NULL,
	`success` integer NOT NULL,
	`failure_reason` text,
	`ip_address` text,
	`request_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mfa_audit_by_user` ON `mfa_audit_log` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `user_mfa_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`is_enabled` integer DEFAULT 0 NOT NULL,
	`totp_secret` text,
	`last_totp_step` integer DEFAULT 0 NOT NULL,
	`preferred_method` text DEFAULT 'totp' NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `organization_memberships` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`invited_email` text,
	`invited_by` text,
	`invited_at` integer,
	`joined_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "person_or_invitation" CHECK("organization_memberships"."user_id" is not null or ("organization_memberships"."status" = 'pending' and "organization_memberships"."invited_email" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_membership` ON `organization_memberships` (`organization_id`,`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `one_invitation` ON `organization_memberships` (`organization_id`,`invited_email`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `memberships_by_user` ON `organization_memberships` (`user_id`,`status`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`plan` text DEFAULT 'none' NOT NULL,
	`contract_started_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug_unique` ON `organizations` (`slug`);--> statement-breakpoint
CREATE TABLE `captured_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`to` text NOT NULL,
	`from` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`headers_json` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `captured_mails_newest` ON `captured_mails` (`created_at`);--> statement-breakpoint
CREATE INDEX `captured_mails_by_recipient` ON `captured_mails` (`to`,`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`to_hash` text NOT NULL,
	`params_enc` text,
	`priority` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`lease_until` integer,
	`send_attempted_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`sent_at` integer
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`priority`,`next_at`) WHERE status in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX `outbox_by_status` ON `outbox` (`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `auth_challenges` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`max_attempts` integer NOT NULL,
	`epoch` integer NOT NULL,
	`redirect_to` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `challenges_by_expiry` ON `auth_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `rate_limit_attempts` (
	`attempt_type` text NOT NULL,
	`identifier` text NOT NULL,
	`attempts` integer NOT NULL,
	`blocked_until` integer,
	`last_attempt_at` integer NOT NULL,
	PRIMARY KEY(`attempt_type`, `identifier`)
);
--> statement-breakpoint
CREATE INDEX `attempts_by_time` ON `rate_limit_attempts` (`last_attempt_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`epoch` integer NOT NULL,
	`aal` integer NOT NULL,
	`current_org_id` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`idle_expires_at` integer NOT NULL,
	`abs_expires_at` integer NOT NULL,
	`reauth_at` integer NOT NULL,
	`ua_label` text NOT NULL,
	`ip_prefix` text NOT NULL,
	`revoked_at` integer,
	`revoke_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`abs_expires_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value_json` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text
);
--> statement-breakpoint
CREATE TABLE `contact_submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`number` integer NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`company` text,
	`message` text,
	`status` text NOT NULL,
	`held_reason` text,
	`estimate_json` text,
	`attachment_id` text,
	`consent_at` integer NOT NULL,
	`consent_terms_version` text NOT NULL,
	`ip_hash` text NOT NULL,
	FOREIGN KEY (`attachment_id`) REFERENCES `attachments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "known_submission_status" CHECK("contact_submissions"."status" in ('new', 'contacted', 'resolved'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contact_submissions_number_unique` ON `contact_submissions` (`number`);--> statement-breakpoint
CREATE INDEX `submissions_newest` ON `contact_submissions` (`created_at`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE INDEX `submissions_by_status` ON `contact_submissions` (`status`,`created_at`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE INDEX `submissions_held` ON `contact_submissions` (`created_at`,`id`) WHERE held_reason is not null;--> statement-breakpoint
CREATE INDEX `submissions_by_email` ON `contact_submissions` (`email`,`created_at`);--> statement-breakpoint
CREATE TABLE `submission_events` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `contact_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_events_in_order` ON `submission_events` (`submission_id`,`at`);