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
CREATE INDEX `purges_to_do` ON `purges` (`requested_at`) WHERE finished_at is null;