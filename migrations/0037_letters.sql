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
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "released_with_its_text" CHECK((status = 'released') = (letter_json is not null and letter_hash is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_letter_a_month` ON `letters` (`organization_id`,`month`);--> statement-breakpoint
CREATE INDEX `letters_by_status` ON `letters` (`status`,`month`,`id`);--> statement-breakpoint
CREATE TRIGGER letters_stay_as_released BEFORE UPDATE OF organization_id, month, status, facts_json, words_json, letter_json, letter_hash, released_at
  ON letters WHEN OLD.status = 'released'
BEGIN
  SELECT RAISE(ABORT, 'A released letter stays as it was sent');
END;
