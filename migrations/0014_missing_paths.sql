CREATE TABLE `missing_paths` (
	`day` text NOT NULL,
	`path` text NOT NULL,
	`number` integer NOT NULL,
	`hits` integer NOT NULL,
	PRIMARY KEY(`day`, `path`)
);
--> statement-breakpoint
CREATE INDEX `missing_paths_by_number` ON `missing_paths` (`day`,`number`);--> statement-breakpoint
CREATE INDEX `missing_paths_by_hits` ON `missing_paths` (`day`,`hits`);