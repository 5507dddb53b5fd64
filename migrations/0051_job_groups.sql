-- What is known of the scheduled jobs is one value for each group that runs together: a minute without work writes one
-- row or none, instead of two for each job. What the former table knew is known again after the next run.
DROP TABLE `jobs`;
--> statement-breakpoint
CREATE TABLE `job_groups` (
	`name` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`lease_until` integer,
	`running` text,
	`ran_at` integer,
	`jobs` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `job_groups`(`name`, `version`, `jobs`) VALUES ('mail', 0, '{}'), ('clocks', 0, '{}'), ('upkeep', 0, '{}');
