CREATE TABLE `submission_counts` (
	`period` text PRIMARY KEY NOT NULL,
	`new` integer DEFAULT 0 NOT NULL,
	`contacted` integer DEFAULT 0 NOT NULL,
	`resolved` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
DROP INDEX `submissions_by_status`;--> statement-breakpoint
DROP INDEX `submissions_by_owner`;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `name_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `status_rank` integer GENERATED ALWAYS AS (case status when 'new' then 0 when 'contacted' then 1 else 2 end) VIRTUAL;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `search_id` integer GENERATED ALWAYS AS (created_at / 1000 * 65536 + number % 65536) VIRTUAL;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `search_state` text GENERATED ALWAYS AS ('s.' || case when held_reason is null then substr(status, 1, 1) else 'h' end || coalesce(' @' || owner_id || '.', '')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `submissions_by_name` ON `contact_submissions` (`name_key`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_found` ON `contact_submissions` (`search_id`);--> statement-breakpoint
CREATE INDEX `submissions_by_file` ON `contact_submissions` (`attachment_id`) WHERE attachment_id is not null;--> statement-breakpoint
CREATE INDEX `submissions_by_status` ON `contact_submissions` (`status_rank`,`created_at`,`id`) WHERE held_reason is null;--> statement-breakpoint
CREATE INDEX `submissions_by_owner` ON `contact_submissions` (`owner_id`,`created_at`,`id`) WHERE owner_id is not null;--> statement-breakpoint
ALTER TABLE `outbox` ADD `object_id` text;--> statement-breakpoint
CREATE INDEX `outbox_by_object` ON `outbox` (`object_id`) WHERE object_id is not null and params_enc is not null;--> statement-breakpoint
CREATE INDEX `live_events_by_object` ON `live_events` (`object_id`);