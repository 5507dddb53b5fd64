DROP INDEX `notifications_of_person`;--> statement-breakpoint
DROP INDEX `unread_notifications`;--> statement-breakpoint
CREATE INDEX `notifications_of_person` ON `notifications` (`user_id`,`organization_id`,`seq`);--> statement-breakpoint
CREATE INDEX `unread_notifications` ON `notifications` (`user_id`,`organization_id`,`seq`) WHERE read_at is null;