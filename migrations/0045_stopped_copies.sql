ALTER TABLE `ticket_copies` ADD `stopped_at` integer;--> statement-breakpoint
ALTER TABLE `ticket_copies` ADD `stopped_mailbox` text;--> statement-breakpoint
CREATE INDEX `copies_stopped` ON `ticket_copies` (`stopped_mailbox`) WHERE stopped_mailbox is not null;