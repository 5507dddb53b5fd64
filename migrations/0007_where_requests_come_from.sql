ALTER TABLE `contact_submissions` ADD `source` text;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `campaign` text;--> statement-breakpoint
CREATE INDEX `invitations_by_address` ON `organization_memberships` (`invited_email`) WHERE status = 'pending';