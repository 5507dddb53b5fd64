DROP INDEX `active_tickets_by_due`;--> statement-breakpoint
ALTER TABLE `support_tickets` ADD `due_rank` integer GENERATED ALWAYS AS (coalesce(due_at, 9000000000000 - number)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `active_tickets_of_organization` ON `support_tickets` (`organization_id`,`due_rank`,`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `active_tickets_of_assignee` ON `support_tickets` (`assigned_to`,`due_rank`,`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `active_tickets_in_order` ON `support_tickets` (`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');--> statement-breakpoint
CREATE INDEX `active_tickets_by_due` ON `support_tickets` (`due_rank`,`number`) WHERE status in ('open', 'in_progress', 'waiting_for_customer');