ALTER TABLE `ticket_drafts` ADD `why_late` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `ticket_drafts` ADD `what_was_done` text DEFAULT '' NOT NULL;