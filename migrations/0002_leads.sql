CREATE TABLE `admin_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`submission_id` text NOT NULL,
	`admin_user_id` text NOT NULL,
	`author_name` text NOT NULL,
	`note` text NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `contact_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notes_by_submission` ON `admin_notes` (`submission_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`list` text NOT NULL,
	`owner_id` text NOT NULL,
	`shared` integer NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_views_by_owner` ON `saved_views` (`list`,`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `saved_views_shared` ON `saved_views` (`list`,`created_at`) WHERE shared = 1;--> statement-breakpoint
CREATE TABLE `submission_assignments` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`owner_name` text,
	`follow_up_on` text,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `contact_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_assignments_in_order` ON `submission_assignments` (`submission_id`,`at`);--> statement-breakpoint
CREATE TABLE `submission_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`message` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `contact_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_replies_in_order` ON `submission_replies` (`submission_id`,`at`);--> statement-breakpoint
ALTER TABLE `audit_events` ADD `activity_type` text GENERATED ALWAYS AS (case when action = 'submission.status_changed' then 'status_change' when object_type in ('session', 'mfa', 'security') then 'security' else object_type end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `audit_by_type` ON `audit_events` (`activity_type`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit_events` (`at`);--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `submitted_on` text;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `owner_id` text REFERENCES users(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `follow_up_on` text;--> statement-breakpoint
CREATE INDEX `submissions_by_owner` ON `contact_submissions` (`owner_id`,`created_at`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE INDEX `submissions_to_follow_up` ON `contact_submissions` (`created_at`,`id`,`follow_up_on`) WHERE held_reason is null and follow_up_on is not null and status <> 'resolved';--> statement-breakpoint
CREATE INDEX `staff_roles` ON `user_roles` (`role`) WHERE role <> 'user';