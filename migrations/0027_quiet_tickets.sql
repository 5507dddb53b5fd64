DROP INDEX `tickets_waiting`;--> statement-breakpoint
DROP INDEX `tickets_to_close`;--> statement-breakpoint
CREATE INDEX `tickets_waiting` ON `support_tickets` (`reminded_at`,`waiting_since`) WHERE status = 'waiting_for_customer';--> statement-breakpoint
CREATE INDEX `tickets_to_close` ON `support_tickets` (`reminded_at`,`resolved_at`) WHERE status = 'resolved';