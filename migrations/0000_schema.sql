CREATE TABLE `account_counts` (
	`length` integer NOT NULL,
	`step` integer NOT NULL,
	`admin` integer DEFAULT 0 NOT NULL,
	`moderator` integer DEFAULT 0 NOT NULL,
	`user` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`length`, `step`)
);
--> statement-breakpoint
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
CREATE TABLE `user_roles` (
	`user_id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "known_role" CHECK("user_roles"."role" in ('admin', 'moderator', 'user'))
);
--> statement-breakpoint
CREATE INDEX `staff_roles` ON `user_roles` (`role`) WHERE role <> 'user';--> statement-breakpoint
CREATE TABLE `users` (
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`email` text NOT NULL,
	`full_name` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`password_hash` text,
	`status` text NOT NULL,
	`auth_epoch` integer DEFAULT 0 NOT NULL,
	`must_change_password` integer DEFAULT 0 NOT NULL,
	`password_expires_at` integer,
	`password_failures` integer DEFAULT 0 NOT NULL,
	`pending_email` text,
	`closure_requested_at` integer,
	`shortcuts_off` integer DEFAULT false NOT NULL,
	`number` integer PRIMARY KEY NOT NULL,
	`search_name` text DEFAULT '' NOT NULL,
	`search_text` text GENERATED ALWAYS AS (search_name || ' ' || email) VIRTUAL,
	`name_key` text GENERATED ALWAYS AS (CASE search_name WHEN '' THEN char(1114111) ELSE substr(search_name, 1, 60) END) VIRTUAL,
	`listed_role` text DEFAULT 'user' NOT NULL,
	`listed_factor` integer DEFAULT 0 NOT NULL,
	`is_staff` integer GENERATED ALWAYS AS (listed_role <> 'user') VIRTUAL,
	`factor_state` text GENERATED ALWAYS AS (CASE WHEN status <> 'active' THEN 'none' WHEN listed_factor = 1 THEN 'on' ELSE 'off' END) VIRTUAL,
	`search_state` text GENERATED ALWAYS AS ('r.' || substr(listed_role, 1, 1)) VIRTUAL,
	CONSTRAINT "known_status" CHECK("users"."status" in ('unverified', 'pending', 'active', 'deactivated'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_id_unique` ON `users` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_in_order` ON `users` (`number`);--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`listed_role`,`number`);--> statement-breakpoint
CREATE INDEX `users_by_role_and_name` ON `users` (`listed_role`,`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_factor` ON `users` (`factor_state`,`number`);--> statement-breakpoint
CREATE INDEX `users_by_side_and_factor` ON `users` (`is_staff`,`factor_state`,`number`);--> statement-breakpoint
CREATE INDEX `invited_users` ON `users` (`number`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `accounts_to_close` ON `users` (`closure_requested_at`) WHERE closure_requested_at is not null;--> statement-breakpoint
CREATE INDEX `unconfirmed_accounts` ON `users` (`updated_at`) WHERE status = 'unverified';--> statement-breakpoint
CREATE TABLE `archives` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`requested_by` text NOT NULL,
	`requested_at` integer NOT NULL,
	`for_staff` integer NOT NULL,
	`state` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer DEFAULT 0 NOT NULL,
	`progress_json` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`file_key` text,
	`size` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_archive_each` ON `archives` (`requested_by`,`organization_id`,`for_staff`) WHERE state <> 'ended';--> statement-breakpoint
CREATE INDEX `archives_to_make` ON `archives` (`requested_at`) WHERE state in ('asked', 'making');--> statement-breakpoint
CREATE INDEX `archives_by_end` ON `archives` (`expires_at`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text,
	`actor_role` text NOT NULL,
	`actor_name` text,
	`actor_email` text,
	`on_behalf_of` text,
	`action` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text,
	`subject_label` text,
	`org_id` text,
	`ip` text,
	`request_id` text,
	`meta_json` text,
	`search_text` text DEFAULT '' NOT NULL,
	`activity_type` text GENERATED ALWAYS AS (CASE WHEN action = 'submission.status_changed' THEN 'status_change' WHEN substr(action, 1, instr(action, '.')) in ('session.', 'mfa.', 'security.') THEN 'security' ELSE substr(action, 1, instr(action, '.') - 1) END) VIRTUAL
);
--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit_events` (`subject_type`,`subject_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit_events` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_type` ON `audit_events` (`activity_type`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit_events` (`at`);--> statement-breakpoint
CREATE INDEX `audit_by_organization` ON `audit_events` (`org_id`,`id`) WHERE org_id is not null;--> statement-breakpoint
CREATE INDEX `audit_without_security` ON `audit_events` (`id`) WHERE activity_type <> 'security';--> statement-breakpoint
CREATE TABLE `audit_seals` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`prev_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `import_rows` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`outcome` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`label` text NOT NULL,
	`key` text NOT NULL,
	`old_id` text,
	`at` integer DEFAULT 0 NOT NULL,
	`data` text,
	`target_id` text,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `import_rows_by_key` ON `import_rows` (`import_id`,`key`);--> statement-breakpoint
CREATE INDEX `import_rows_by_old_id` ON `import_rows` (`import_id`,`old_id`) WHERE old_id is not null;--> statement-breakpoint
CREATE INDEX `import_rows_to_write` ON `import_rows` (`import_id`,`at`,`row`) WHERE data is not null;--> statement-breakpoint
CREATE INDEX `import_rows_by_outcome` ON `import_rows` (`import_id`,`outcome`,`row`);--> statement-breakpoint
CREATE TABLE `import_words` (
	`source` text NOT NULL,
	`field` text NOT NULL,
	`word` text NOT NULL,
	`meaning` text NOT NULL,
	PRIMARY KEY(`source`, `field`, `word`)
);
--> statement-breakpoint
CREATE TABLE `imported_records` (
	`target_id` text NOT NULL,
	`import_id` text NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`old_number` text,
	`messages` integer DEFAULT 0 NOT NULL,
	`added_at` integer NOT NULL,
	`is_kept` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`target_id`, `source`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imported_once` ON `imported_records` (`kind`,`source`,`old_number`) WHERE old_number is not null;--> statement-breakpoint
CREATE INDEX `records_of_import` ON `imported_records` (`import_id`,`is_kept`,`kind`);--> statement-breakpoint
CREATE TABLE `backup_changes` (
	`table_name` text NOT NULL,
	`row` integer NOT NULL,
	PRIMARY KEY(`table_name`, `row`)
);
--> statement-breakpoint
CREATE TABLE `backup_files` (
	`key` text NOT NULL,
	`etag` text NOT NULL,
	`recipient` text NOT NULL,
	`sha256` text NOT NULL,
	`since` text NOT NULL,
	`gone` text,
	PRIMARY KEY(`key`, `etag`, `recipient`)
);
--> statement-breakpoint
CREATE INDEX `backup_files_by_hash` ON `backup_files` (`sha256`);--> statement-breakpoint
CREATE INDEX `backup_files_gone` ON `backup_files` (`gone`) WHERE gone is not null;--> statement-breakpoint
CREATE TABLE `backups` (
	`id` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`version` integer NOT NULL,
	`recipient` text NOT NULL,
	`progress` text,
	`finished_at` integer,
	`rows` integer,
	`files` integer,
	`bytes` integer,
	`removed_at` integer,
	`proven_at` integer,
	`proven_rows` integer,
	`proven_ms` integer
);
--> statement-breakpoint
CREATE INDEX `backups_present` ON `backups` (`id`) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX `backups_proven` ON `backups` (`proven_at`) WHERE proven_at is not null;--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`preset` text NOT NULL,
	`state` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`file_name` text NOT NULL,
	`file_key` text NOT NULL,
	`file_size` integer NOT NULL,
	`archive_key` text DEFAULT '' NOT NULL,
	`archive_size` integer DEFAULT 0 NOT NULL,
	`file_json` text,
	`mapping_json` text,
	`position` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`messages` integer DEFAULT 0 NOT NULL,
	`removed` integer DEFAULT 0 NOT NULL,
	`kept` integer DEFAULT 0 NOT NULL,
	`first_number` integer,
	`last_number` integer,
	`problem` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`undone_at` integer,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `imports_newest` ON `imports` (`created_at`);--> statement-breakpoint
CREATE INDEX `imports_by_person` ON `imports` (`created_by`) WHERE created_by is not null;--> statement-breakpoint
CREATE INDEX `imports_to_do` ON `imports` (`created_at`) WHERE state in ('reading', 'checking', 'running', 'undoing');--> statement-breakpoint
CREATE TABLE `blocked_senders` (
	`email` text PRIMARY KEY NOT NULL,
	`blocked_by` text NOT NULL,
	`blocked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `inbound_mail` (
	`id` text PRIMARY KEY NOT NULL,
	`envelope_from` text NOT NULL,
	`envelope_to` text NOT NULL,
	`size` integer NOT NULL,
	`object_key` text NOT NULL,
	`state` text NOT NULL,
	`class` text,
	`mail_key` text,
	`from_address` text DEFAULT '' NOT NULL,
	`from_name` text DEFAULT '' NOT NULL,
	`original_address` text,
	`subject` text DEFAULT '' NOT NULL,
	`ticket_id` text,
	`message_id` text,
	`effect` text,
	`reason` text,
	`details` text DEFAULT '{}' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`lease_until` integer,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `support_tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_once` ON `inbound_mail` (`mail_key`) WHERE state in ('processed', 'held', 'automatic', 'bounced');--> statement-breakpoint
CREATE INDEX `mail_to_process` ON `inbound_mail` (`next_at`) WHERE state = 'received';--> statement-breakpoint
CREATE INDEX `mail_by_state` ON `inbound_mail` (`state`,`received_at`);--> statement-breakpoint
CREATE INDEX `mail_in_order` ON `inbound_mail` (`received_at`);--> statement-breakpoint
CREATE INDEX `mail_of_ticket` ON `inbound_mail` (`ticket_id`,`received_at`) WHERE ticket_id is not null;--> statement-breakpoint
CREATE INDEX `mail_by_sender` ON `inbound_mail` (`from_address`);--> statement-breakpoint
CREATE INDEX `mail_by_original_sender` ON `inbound_mail` (`original_address`) WHERE original_address is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `mail_objects` ON `inbound_mail` (`object_key`);--> statement-breakpoint
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
CREATE TABLE `erasures` (
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subject_type`, `subject_id`)
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
CREATE TABLE `job_groups` (
	`name` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`lease_until` integer,
	`running` text,
	`ran_at` integer,
	`jobs` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `totals` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `letter_months` (
	`month` text PRIMARY KEY NOT NULL,
	`done_up_to` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `letters` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`status` text NOT NULL,
	`facts_json` text NOT NULL,
	`words_json` text NOT NULL,
	`letter_json` text,
	`letter_hash` text,
	`released_at` integer,
	`released_by_name` text,
	`recipients` integer,
	`number` integer DEFAULT 0 NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`search_state` text GENERATED ALWAYS AS ('s.' || substr(status, 1, 1)) VIRTUAL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "released_with_its_text" CHECK((status = 'released') = (letter_json is not null and letter_hash is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_letter_a_month` ON `letters` (`organization_id`,`month`);--> statement-breakpoint
CREATE UNIQUE INDEX `letters_in_order` ON `letters` (`number`);--> statement-breakpoint
CREATE INDEX `letters_by_status` ON `letters` (`status`,`number`);--> statement-breakpoint
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
	`subject_type` text DEFAULT '' NOT NULL,
	`subject_id` text NOT NULL,
	`label` text NOT NULL,
	`actor_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `live_events_by_audience` ON `live_events` (`audience`,`seq`);--> statement-breakpoint
CREATE INDEX `live_events_by_subject` ON `live_events` (`subject_type`,`subject_id`);--> statement-breakpoint
CREATE TABLE `live_readers` (
	`user_id` text PRIMARY KEY NOT NULL,
	`dismissed_through` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `calendars_in_force` (
	`since` integer PRIMARY KEY NOT NULL,
	`calendar` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_metrics` (
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
CREATE INDEX `metrics_by_day` ON `daily_metrics` (`day`,`organization_id`);--> statement-breakpoint
CREATE TABLE `days_to_sum` (
	`day` text NOT NULL,
	`organization_id` text NOT NULL,
	PRIMARY KEY(`day`, `organization_id`)
);
--> statement-breakpoint
CREATE TABLE `range_metrics` (
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
CREATE INDEX `ranked_organizations` ON `range_metrics` (`range`,`created`,`organization_id`);--> statement-breakpoint
CREATE INDEX `ranges_of_organization` ON `range_metrics` (`organization_id`);--> statement-breakpoint
CREATE TABLE `ticket_metrics` (
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
	`counts` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `support_tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `metrics_of_ticket` ON `ticket_metrics` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `metrics_of_kind` ON `ticket_metrics` (`kind`,`day`,`id`);--> statement-breakpoint
CREATE INDEX `metrics_of_organization` ON `ticket_metrics` (`organization_id`,`kind`,`day`,`id`);--> statement-breakpoint
CREATE INDEX `metrics_of_organization_by_day` ON `ticket_metrics` (`organization_id`,`day`);--> statement-breakpoint
CREATE TABLE `muted_subjects` (
	`user_id` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	PRIMARY KEY(`subject_type`, `subject_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `muted_by_person` ON `muted_subjects` (`user_id`);--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` text NOT NULL,
	`event` text NOT NULL,
	`by_mail` integer NOT NULL,
	`in_app` integer NOT NULL,
	PRIMARY KEY(`user_id`, `event`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`event` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`label` text NOT NULL,
	`at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notifications_of_person` ON `notifications` (`user_id`,`organization_id`,`seq`);--> statement-breakpoint
CREATE INDEX `unread_notifications` ON `notifications` (`user_id`,`organization_id`,`seq`) WHERE read_at is null;--> statement-breakpoint
CREATE INDEX `notifications_by_subject` ON `notifications` (`subject_type`,`subject_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `notifications_by_time` ON `notifications` (`at`);--> statement-breakpoint
CREATE INDEX `notifications_by_organization` ON `notifications` (`organization_id`) WHERE organization_id is not null;--> statement-breakpoint
CREATE TABLE `quiet_hours` (
	`user_id` text PRIMARY KEY NOT NULL,
	`from_clock` text NOT NULL,
	`until_clock` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`full_name` text NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`member_id` text,
	`needs_review_at` integer,
	`refused_at` integer,
	`number` integer PRIMARY KEY NOT NULL,
	`search_name` text DEFAULT '' NOT NULL,
	`search_text` text GENERATED ALWAYS AS (search_name || ' ' || email) VIRTUAL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_id_unique` ON `contacts` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_by_address` ON `contacts` (`email`,`organization_id`);--> statement-breakpoint
CREATE INDEX `contacts_of_organization` ON `contacts` (`organization_id`,`full_name`);--> statement-breakpoint
CREATE TABLE `other_addresses` (
	`email` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`contact_id` text,
	`added_by` text NOT NULL,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `other_addresses_of_account` ON `other_addresses` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `other_addresses_of_contact` ON `other_addresses` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE TABLE `contact_invitations` (
	`contact_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`chosen_by` text NOT NULL,
	`due_at` integer,
	`outcome` text,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `contact_invitations_due` ON `contact_invitations` (`due_at`,`organization_id`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `contact_invitations_waiting` ON `contact_invitations` (`organization_id`) WHERE due_at is not null;--> statement-breakpoint
CREATE TABLE `invitations` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`membership_id` text,
	`email` text NOT NULL,
	`invited_by` text NOT NULL,
	`inviter_name` text NOT NULL,
	`mail_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`membership_id`) REFERENCES `organization_memberships`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "account_or_membership" CHECK(("invitations"."user_id" is null) <> ("invitations"."membership_id" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `open_account_invitation` ON `invitations` (`user_id`) WHERE user_id is not null and consumed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `open_membership_invitation` ON `invitations` (`membership_id`) WHERE membership_id is not null and consumed_at is null;--> statement-breakpoint
CREATE INDEX `invitations_by_account` ON `invitations` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `invitations_by_membership` ON `invitations` (`membership_id`) WHERE membership_id is not null;--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `organization_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `domains_by_organization` ON `organization_domains` (`organization_id`);--> statement-breakpoint
CREATE TABLE `organization_memberships` (
	`id` text NOT NULL,
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
	`number` integer PRIMARY KEY NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`search_state` text GENERATED ALWAYS AS ('s.' || substr(status, 1, 1) || ' r.' || substr(role, 1, 1) || ' @' || organization_id || '.') VIRTUAL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "person_or_invitation" CHECK("organization_memberships"."user_id" is not null or ("organization_memberships"."status" = 'pending' and "organization_memberships"."invited_email" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_memberships_id_unique` ON `organization_memberships` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_membership` ON `organization_memberships` (`organization_id`,`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `one_invitation` ON `organization_memberships` (`organization_id`,`invited_email`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `invitations_by_address` ON `organization_memberships` (`invited_email`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `memberships_by_user` ON `organization_memberships` (`user_id`,`status`);--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_in_order` ON `organization_memberships` (`number`);--> statement-breakpoint
CREATE INDEX `memberships_by_status` ON `organization_memberships` (`status`,`number`);--> statement-breakpoint
CREATE INDEX `memberships_by_role` ON `organization_memberships` (`role`,`number`);--> statement-breakpoint
CREATE INDEX `memberships_by_role_and_status` ON `organization_memberships` (`role`,`status`,`number`);--> statement-breakpoint
CREATE INDEX `members_in_order` ON `organization_memberships` (`organization_id`,`number`);--> statement-breakpoint
CREATE INDEX `members_by_status` ON `organization_memberships` (`organization_id`,`status`,`number`);--> statement-breakpoint
CREATE INDEX `members_by_role` ON `organization_memberships` (`organization_id`,`role`,`number`);--> statement-breakpoint
CREATE INDEX `members_by_role_and_status` ON `organization_memberships` (`organization_id`,`role`,`status`,`number`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`plan` text DEFAULT 'none' NOT NULL,
	`contract_started_at` integer,
	`phone` text DEFAULT '' NOT NULL,
	`add_ons` text DEFAULT '' NOT NULL,
	`mfa_required_at` integer,
	`visibility` text DEFAULT 'all' NOT NULL,
	`allows_copies` integer DEFAULT false NOT NULL,
	`reviews_contacts` integer DEFAULT false NOT NULL,
	`default_role` text DEFAULT 'member' NOT NULL,
	`needs_review_at` integer,
	`onboarding_due_since` integer,
	`active_members` integer DEFAULT 0 NOT NULL,
	`all_members` integer DEFAULT 0 NOT NULL,
	`administrators` integer DEFAULT 0 NOT NULL,
	`members_without_mfa` integer DEFAULT 0 NOT NULL,
	`ticket_count` integer DEFAULT 0 NOT NULL,
	`active_ticket_count` integer DEFAULT 0 NOT NULL,
	`number` integer PRIMARY KEY NOT NULL,
	`sort_number` integer GENERATED ALWAYS AS (number) VIRTUAL,
	`search_name` text DEFAULT '' NOT NULL,
	`search_description` text DEFAULT '' NOT NULL,
	`search_text` text GENERATED ALWAYS AS (search_name || ' ' || slug || ' ' || search_description) VIRTUAL,
	`name_key` text GENERATED ALWAYS AS (CASE search_name WHEN '' THEN char(1114111) ELSE substr(search_name, 1, 60) END) VIRTUAL,
	`search_state` text GENERATED ALWAYS AS ('p.' || plan || (CASE WHEN needs_review_at is null THEN '' ELSE ' new' END)) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_id_unique` ON `organizations` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug_unique` ON `organizations` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_in_order` ON `organizations` (`number`);--> statement-breakpoint
CREATE INDEX `organizations_by_name` ON `organizations` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `organizations_by_active_tickets` ON `organizations` (`active_ticket_count`,`sort_number`);--> statement-breakpoint
CREATE INDEX `organizations_to_review` ON `organizations` (`number`) WHERE needs_review_at is not null;--> statement-breakpoint
CREATE INDEX `organizations_to_onboard` ON `organizations` (`onboarding_due_since`) WHERE onboarding_due_since is not null;--> statement-breakpoint
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
CREATE TABLE `mail_address_holds` (
	`to_hash` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer
);
--> statement-breakpoint
CREATE TABLE `mail_checks` (
	`direction` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`domain` text NOT NULL,
	`recipient` text NOT NULL,
	`mail_id` text NOT NULL,
	`asked_by` text,
	`asked_at` integer NOT NULL,
	`arrived_at` integer,
	`arrival` text,
	FOREIGN KEY (`asked_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE TABLE `mail_delivery_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`provider_message_id` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text,
	`holds` integer DEFAULT 0 NOT NULL,
	`held_until` integer,
	`at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`applied_at` integer
);
--> statement-breakpoint
CREATE INDEX `delivery_events_of_mail` ON `mail_delivery_events` (`provider_message_id`);--> statement-breakpoint
CREATE INDEX `delivery_events_by_time` ON `mail_delivery_events` (`received_at`);--> statement-breakpoint
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
CREATE TABLE `mail_pauses` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`retry_at` integer NOT NULL,
	`reason` text NOT NULL,
	CONSTRAINT "one_pause" CHECK("mail_pauses"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`to_hash` text NOT NULL,
	`params_enc` text,
	`user_id` text,
	`subject_type` text,
	`subject_id` text,
	`priority` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`lease_until` integer,
	`send_attempted_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`copy_id` text,
	`provider_message_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`copy_id`) REFERENCES `ticket_copies`(`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`priority`,`next_at`) WHERE status in ('pending', 'sending');--> statement-breakpoint
CREATE INDEX `outbox_by_status` ON `outbox` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_by_subject` ON `outbox` (`subject_type`,`subject_id`) WHERE subject_id is not null and params_enc is not null;--> statement-breakpoint
CREATE INDEX `outbox_by_copy` ON `outbox` (`copy_id`) WHERE copy_id is not null;--> statement-breakpoint
CREATE INDEX `outbox_by_person` ON `outbox` (`user_id`,`subject_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `outbox_held_by_address` ON `outbox` (`to_hash`) WHERE last_error = 'address_held';--> statement-breakpoint
CREATE INDEX `outbox_by_provider_id` ON `outbox` (`provider_message_id`) WHERE provider_message_id is not null;--> statement-breakpoint
CREATE TABLE `legal_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`reason` text NOT NULL,
	`placed_by_name` text NOT NULL,
	`placed_at` integer NOT NULL,
	`lifted_at` integer,
	`lifted_by_name` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `holds_in_force` ON `legal_holds` (`subject_type`,`subject_id`) WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX `holds_of_subject` ON `legal_holds` (`subject_type`,`subject_id`);--> statement-breakpoint
CREATE INDEX `holds_newest` ON `legal_holds` (`placed_at`);--> statement-breakpoint
CREATE TABLE `erased_addresses` (
	`email_hash` text PRIMARY KEY NOT NULL,
	`erased_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erased_addresses_by_time` ON `erased_addresses` (`erased_at`);--> statement-breakpoint
CREATE TABLE `person_erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`requested_at` integer NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`done_through` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `purges` (
	`id` text PRIMARY KEY NOT NULL,
	`quiet_since` integer NOT NULL,
	`requested_at` integer NOT NULL,
	`submissions` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`notes` integer DEFAULT 0 NOT NULL,
	`on_hold` integer DEFAULT 0 NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `purges_newest` ON `purges` (`requested_at`);--> statement-breakpoint
CREATE INDEX `purges_to_do` ON `purges` (`requested_at`) WHERE finished_at is null;--> statement-breakpoint
CREATE TABLE `retention_runs` (
	`day` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`retention_days` integer NOT NULL,
	`submissions` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`notes` integer DEFAULT 0 NOT NULL,
	`on_hold` integer DEFAULT 0 NOT NULL
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
CREATE INDEX `mfa_audit_by_time` ON `mfa_audit_log` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `failed_mfa_events` ON `mfa_audit_log` (`created_at`,`id`,`user_id`) WHERE success = 0;--> statement-breakpoint
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
CREATE TABLE `security_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text,
	`severity` text NOT NULL,
	`attempts` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`closed_at` integer,
	`acknowledged_by` text,
	`acknowledged_name` text,
	`note` text,
	`mailed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_open_alert` ON `security_alerts` (`kind`,`subject`) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX `open_alerts` ON `security_alerts` (`last_at`,`id`) WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX `acknowledged_alerts` ON `security_alerts` (`closed_at`) WHERE acknowledged_by is not null;--> statement-breakpoint
CREATE INDEX `closed_alerts` ON `security_alerts` (`closed_at`) WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX `alerts_by_subject` ON `security_alerts` (`subject`,`last_at`);--> statement-breakpoint
CREATE INDEX `alerts_by_person` ON `security_alerts` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `alerts_to_mail` ON `security_alerts` (`opened_at`) WHERE severity = 'high' and mailed_at is null and closed_at is null;--> statement-breakpoint
CREATE INDEX `mailed_alerts` ON `security_alerts` (`mailed_at`) WHERE mailed_at is not null;--> statement-breakpoint
CREATE TABLE `user_mfa_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`is_enabled` integer DEFAULT 0 NOT NULL,
	`totp_secret` text,
	`last_totp_step` integer DEFAULT 0 NOT NULL,
	`preferred_method` text DEFAULT 'totp' NOT NULL,
	`codes_unsaved` integer DEFAULT 0 NOT NULL,
	`setup_needs_link` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
CREATE INDEX `reserved_addresses` ON `auth_tokens` (`email`) WHERE purpose = 'email_undo' and consumed_at is null;--> statement-breakpoint
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
CREATE INDEX `blocked_attempts` ON `rate_limit_attempts` (`blocked_until`) WHERE blocked_until is not null;--> statement-breakpoint
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
	`ip_prefix` text NOT NULL,
	`revoked_at` integer,
	`revoke_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`abs_expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_by_use` ON `sessions` (`last_seen_at`) WHERE revoked_at is null;--> statement-breakpoint
CREATE TABLE `missing_paths` (
	`day` text NOT NULL,
	`path` text NOT NULL,
	`number` integer NOT NULL,
	`hits` integer NOT NULL,
	PRIMARY KEY(`day`, `path`)
);
--> statement-breakpoint
CREATE TABLE `page_views` (
	`day` text NOT NULL,
	`path` text NOT NULL,
	`views` integer NOT NULL,
	PRIMARY KEY(`day`, `path`)
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value_json` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` text
);
--> statement-breakpoint
CREATE TABLE `admin_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`admin_user_id` text NOT NULL,
	`author_name` text NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notes_by_subject` ON `admin_notes` (`subject_type`,`subject_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`r2_key` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` integer NOT NULL,
	`subject_type` text,
	`subject_id` text,
	`message_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_r2_key_unique` ON `attachments` (`r2_key`);--> statement-breakpoint
CREATE INDEX `attachments_by_time` ON `attachments` (`created_at`);--> statement-breakpoint
CREATE INDEX `attachments_by_subject` ON `attachments` (`subject_type`,`subject_id`);--> statement-breakpoint
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
	`source` text,
	`campaign` text,
	`attachment_id` text,
	`consent_at` integer NOT NULL,
	`consent_terms_version` text NOT NULL,
	`ip_hash` text NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`name_key` text DEFAULT '' NOT NULL,
	`status_rank` integer GENERATED ALWAYS AS (CASE status WHEN 'new' THEN 0 WHEN 'contacted' THEN 1 ELSE 2 END) VIRTUAL,
	`search_id` integer GENERATED ALWAYS AS (created_at / 1000 * 65536 + number % 65536) VIRTUAL,
	`search_state` text GENERATED ALWAYS AS ('s.' || (CASE WHEN held_reason is null THEN substr(status, 1, 1) ELSE 'h' END) || coalesce(' @' || owner_id || '.', '')) VIRTUAL,
	`submitted_on` text,
	`reply_due_at` integer NOT NULL,
	`owner_id` text,
	`follow_up_on` text,
	`organization_id` text,
	FOREIGN KEY (`attachment_id`) REFERENCES `attachments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "known_submission_status" CHECK("contact_submissions"."status" in ('new', 'contacted', 'resolved'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contact_submissions_number_unique` ON `contact_submissions` (`number`);--> statement-breakpoint
CREATE INDEX `submissions_newest` ON `contact_submissions` (`created_at`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE INDEX `submissions_by_status` ON `contact_submissions` (`status_rank`,`created_at`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE INDEX `submissions_by_name` ON `contact_submissions` (`name_key`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_found` ON `contact_submissions` (`search_id`);--> statement-breakpoint
CREATE INDEX `submissions_held` ON `contact_submissions` (`created_at`,`id`) WHERE held_reason is not null;--> statement-breakpoint
CREATE INDEX `submissions_by_email` ON `contact_submissions` (`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `submissions_by_owner` ON `contact_submissions` (`owner_id`,`created_at`,`id`) WHERE owner_id is not null;--> statement-breakpoint
CREATE INDEX `submissions_without_owner` ON `contact_submissions` (`created_at`,`id`) WHERE held_reason is null and owner_id is null;--> statement-breakpoint
CREATE INDEX `submissions_by_file` ON `contact_submissions` (`attachment_id`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE INDEX `submissions_waiting` ON `contact_submissions` (`owner_id`,`created_at`,`id`) WHERE held_reason is null and status = 'new';--> statement-breakpoint
CREATE INDEX `submissions_follow_up_by_day` ON `contact_submissions` (`follow_up_on`,`id`) WHERE held_reason is null and follow_up_on is not null and status <> 'resolved';--> statement-breakpoint
CREATE INDEX `submissions_by_last_change` ON `contact_submissions` (`updated_at`,`id`) WHERE held_reason is null and status = 'resolved' and organization_id is null;--> statement-breakpoint
CREATE INDEX `submissions_of_client` ON `contact_submissions` (`organization_id`,`created_at`) WHERE organization_id is not null;--> statement-breakpoint
CREATE INDEX `submissions_to_follow_up` ON `contact_submissions` (`created_at`,`id`,`follow_up_on`) WHERE held_reason is null and follow_up_on is not null and status <> 'resolved';--> statement-breakpoint
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
CREATE TABLE `submission_counts` (
	`period` text PRIMARY KEY NOT NULL,
	`new` integer DEFAULT 0 NOT NULL,
	`contacted` integer DEFAULT 0 NOT NULL,
	`resolved` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submission_events` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`at` integer NOT NULL,
	`made_client` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `contact_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_events_in_order` ON `submission_events` (`submission_id`,`at`);--> statement-breakpoint
CREATE TABLE `submission_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`message` text NOT NULL,
	`at` integer NOT NULL,
	`mail_id` text,
	FOREIGN KEY (`submission_id`) REFERENCES `contact_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_replies_in_order` ON `submission_replies` (`submission_id`,`at`);--> statement-breakpoint
CREATE TABLE `allowance_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`contract_year` text NOT NULL,
	`ticket_id` text,
	`ticket_number` integer,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`at` integer NOT NULL,
	`reversed_at` integer,
	`reversed_by_name` text,
	`reversal_reason` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`ticket_id`) REFERENCES `support_tickets`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `allowances_used` ON `allowance_entries` (`organization_id`,`kind`,`contract_year`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_after_hours_incident` ON `allowance_entries` (`ticket_id`) WHERE kind = 'after_hours' and reversed_at is null;--> statement-breakpoint
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
CREATE TABLE `canned_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`owner_id` text,
	`title` text NOT NULL,
	`message` text NOT NULL,
	`category` text,
	`status` text,
	`used` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `canned_replies_by_owner` ON `canned_replies` (`owner_id`,`title`);--> statement-breakpoint
CREATE TABLE `proposed_copies` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`email` text NOT NULL,
	`message_id` text,
	`proposed_at` integer NOT NULL,
	`ignored_at` integer,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposed_copies_of_ticket` ON `proposed_copies` (`ticket_id`,`email`);--> statement-breakpoint
CREATE INDEX `proposed_copies_by_address` ON `proposed_copies` (`email`);--> statement-breakpoint
CREATE TABLE `ticket_copies` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`email` text NOT NULL,
	`contact_id` text,
	`member_id` text,
	`added_by` text,
	`added_at` integer NOT NULL,
	`removed_at` integer,
	`stopped_mailbox` text,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `copies_of_ticket` ON `ticket_copies` (`ticket_id`,`email`);--> statement-breakpoint
CREATE INDEX `copies_by_member` ON `ticket_copies` (`member_id`) WHERE member_id is not null;--> statement-breakpoint
CREATE INDEX `copies_by_contact` ON `ticket_copies` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX `copies_by_address` ON `ticket_copies` (`email`,`added_at`);--> statement-breakpoint
CREATE INDEX `copies_stopped` ON `ticket_copies` (`stopped_mailbox`) WHERE stopped_mailbox is not null;--> statement-breakpoint
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
CREATE INDEX `undoable_replies_by_time` ON `undoable_replies` (`sent_at`);--> statement-breakpoint
CREATE TABLE `solved_questions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_counts` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`open` integer DEFAULT 0 NOT NULL,
	`in_progress` integer DEFAULT 0 NOT NULL,
	`waiting_for_customer` integer DEFAULT 0 NOT NULL,
	`resolved` integer DEFAULT 0 NOT NULL,
	`closed` integer DEFAULT 0 NOT NULL,
	`closed_after_resolved` integer DEFAULT 0 NOT NULL,
	`file_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_drafts` (
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`message` text NOT NULL,
	`begun_at_message` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`why_late` text DEFAULT '' NOT NULL,
	`what_was_done` text DEFAULT '' NOT NULL,
	`not_to` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`ticket_id`, `user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `drafts_of_person` ON `ticket_drafts` (`user_id`);--> statement-breakpoint
CREATE TABLE `ticket_events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`kind` text NOT NULL,
	`from_value` text,
	`to_value` text,
	`reason` text,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`actor_side` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_events_in_order` ON `ticket_events` (`ticket_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `ticket_messages` (
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text,
	`contact_id` text,
	`author_name` text NOT NULL,
	`side` text NOT NULL,
	`is_internal` integer DEFAULT false NOT NULL,
	`message` text NOT NULL,
	`number` integer PRIMARY KEY NOT NULL,
	`not_to` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade,
	CONSTRAINT "only_staff_write_internally" CHECK("ticket_messages"."is_internal" = 0 or "ticket_messages"."side" = 'staff')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_messages_id_unique` ON `ticket_messages` (`id`);--> statement-breakpoint
CREATE INDEX `ticket_messages_in_order` ON `ticket_messages` (`ticket_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `public_messages_in_order` ON `ticket_messages` (`ticket_id`,`created_at`,`id`) WHERE is_internal = 0;--> statement-breakpoint
CREATE INDEX `ticket_messages_by_author` ON `ticket_messages` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `ticket_messages_by_contact` ON `ticket_messages` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE TABLE `ticket_people` (
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`added_by` text,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tickets_of_person` ON `ticket_people` (`user_id`,`ticket_id`);--> statement-breakpoint
CREATE TABLE `ticket_votes` (
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`is_solved` integer NOT NULL,
	`comment` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `votes_of_person` ON `ticket_votes` (`user_id`);--> statement-breakpoint
CREATE TABLE `support_tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`number` integer NOT NULL,
	`organization_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`priority` text NOT NULL,
	`category` text,
	`impact` text,
	`status` text NOT NULL,
	`created_by` text,
	`creator_name` text NOT NULL,
	`contact_id` text,
	`opened_by` text,
	`assigned_to` text,
	`is_private` integer DEFAULT false NOT NULL,
	`follow_up_of` text,
	`old_number` text,
	`resolution` text,
	`resolved_at` integer,
	`closed_at` integer,
	`waiting_since` integer,
	`reminded_at` integer,
	`public_messages` integer DEFAULT 0 NOT NULL,
	`last_message_at` integer NOT NULL,
	`promise_json` text NOT NULL,
	`due_at` integer,
	`warn_at` integer,
	`miss_at` integer,
	`measured_version` integer,
	`viewers` text NOT NULL,
	`search_text` text NOT NULL,
	`search_state` text GENERATED ALWAYS AS ('s.' || substr(status, 1, 1) || ' p.' || substr(priority, 1, 1) || ' @' || organization_id || '.'
        || (CASE WHEN assigned_to is null THEN ' nobody' ELSE ' @' || assigned_to || '.' END)
        || (CASE WHEN is_private THEN ' private ' ELSE ' shared ' END) || viewers) VIRTUAL,
	`is_active` integer GENERATED ALWAYS AS (status in ('open', 'in_progress', 'waiting_for_customer')) VIRTUAL,
	`opened_rank` integer GENERATED ALWAYS AS (created_at / 1000 * 2097152 + number % 2097152) VIRTUAL,
	`due_rank` integer GENERATED ALWAYS AS (coalesce(due_at, 9007199254740991 - opened_rank)) VIRTUAL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`opened_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`assigned_to`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "known_ticket_status" CHECK("support_tickets"."status" in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
	CONSTRAINT "known_ticket_priority" CHECK("support_tickets"."priority" in ('low', 'medium', 'high', 'urgent'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `support_tickets_number_unique` ON `support_tickets` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_of_organization` ON `support_tickets` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_by_creator` ON `support_tickets` (`created_by`,`number`) WHERE created_by is not null;--> statement-breakpoint
CREATE INDEX `tickets_by_contact` ON `support_tickets` (`contact_id`) WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX `tickets_by_opener` ON `support_tickets` (`opened_by`) WHERE opened_by is not null;--> statement-breakpoint
CREATE INDEX `tickets_by_assignee` ON `support_tickets` (`assigned_to`,`number`) WHERE assigned_to is not null;--> statement-breakpoint
CREATE INDEX `follow_ups` ON `support_tickets` (`follow_up_of`,`number`) WHERE follow_up_of is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_in_order` ON `support_tickets` (`opened_rank`);--> statement-breakpoint
CREATE INDEX `tickets_by_old_number` ON `support_tickets` (`old_number`) WHERE old_number is not null;--> statement-breakpoint
CREATE INDEX `organization_tickets` ON `support_tickets` (`organization_id`,`opened_rank`);--> statement-breakpoint
CREATE INDEX `active_tickets_by_due` ON `support_tickets` (`due_rank`,`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `active_tickets_of_organization` ON `support_tickets` (`organization_id`,`due_rank`,`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `active_tickets_of_assignee` ON `support_tickets` (`assigned_to`,`due_rank`,`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `active_tickets_in_order` ON `support_tickets` (`opened_rank`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `tickets_to_measure` ON `support_tickets` (`number`) WHERE measured_version is not version;--> statement-breakpoint
CREATE INDEX `tickets_to_warn_about` ON `support_tickets` (`warn_at`) WHERE warn_at is not null;--> statement-breakpoint
CREATE INDEX `tickets_to_miss` ON `support_tickets` (`miss_at`) WHERE miss_at is not null;--> statement-breakpoint
CREATE INDEX `tickets_waiting` ON `support_tickets` (`reminded_at`,`waiting_since`) WHERE status = 'waiting_for_customer';--> statement-breakpoint
CREATE INDEX `tickets_to_close` ON `support_tickets` (`reminded_at`,`resolved_at`) WHERE status = 'resolved';
