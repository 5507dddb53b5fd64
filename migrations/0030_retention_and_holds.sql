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
CREATE TABLE `person_erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`requested_at` integer NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`done_through` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `submissions_by_last_change` ON `contact_submissions` (`updated_at`,`id`) WHERE held_reason is null and status = 'resolved';
--> statement-breakpoint
-- What is held is deleted by nobody, whichever command or job tries.
CREATE TRIGGER held_submission_stays BEFORE DELETE ON contact_submissions
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'submission' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
--> statement-breakpoint
CREATE TRIGGER held_organization_stays BEFORE DELETE ON organizations
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'organization' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
--> statement-breakpoint
CREATE TRIGGER held_person_stays BEFORE DELETE ON users
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'user' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
