CREATE TABLE `muted_subjects` (
	`user_id` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	PRIMARY KEY(`subject_type`, `subject_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `muted_by_person` ON `muted_subjects` (`user_id`);--> statement-breakpoint
CREATE TABLE `notification_preferences` (
	`user_id` text NOT NULL,
	`event` text NOT NULL,
	`by_mail` integer NOT NULL,
	`in_app` integer NOT NULL,
	PRIMARY KEY(`user_id`, `event`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text,
	`event` text NOT NULL,
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`label` text NOT NULL,
	`at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notifications_of_person` ON `notifications` (`user_id`,`seq`);--> statement-breakpoint
CREATE INDEX `unread_notifications` ON `notifications` (`user_id`,`seq`) WHERE read_at is null;--> statement-breakpoint
CREATE INDEX `notifications_by_subject` ON `notifications` (`subject_type`,`subject_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `notifications_by_time` ON `notifications` (`at`);--> statement-breakpoint
CREATE INDEX `notifications_by_organization` ON `notifications` (`organization_id`) WHERE organization_id is not null;--> statement-breakpoint
CREATE TABLE `allowance_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`contract_year` text NOT NULL,
	`ticket_id` text,
	`ticket_number` integer,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`at` integer NOT NULL,
	`reversed_at` integer,
	`reversed_by_name` text,
	`reversal_reason` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`ticket_id`) REFERENCES `support_tickets`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `allowances_used` ON `allowance_entries` (`organization_id`,`kind`,`contract_year`,`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `one_after_hours_incident` ON `allowance_entries` (`ticket_id`) WHERE kind = 'after_hours' and reversed_at is null;--> statement-breakpoint
CREATE TABLE `canned_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`owner_id` text,
	`title` text NOT NULL,
	`message` text NOT NULL,
	`category` text,
	`status` text,
	`used` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `canned_replies_by_owner` ON `canned_replies` (`owner_id`,`title`);--> statement-breakpoint
CREATE TABLE `solved_questions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_counts` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`open` integer DEFAULT 0 NOT NULL,
	`in_progress` integer DEFAULT 0 NOT NULL,
	`waiting_for_customer` integer DEFAULT 0 NOT NULL,
	`resolved` integer DEFAULT 0 NOT NULL,
	`closed` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_drafts` (
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`message` text NOT NULL,
	`begun_at_message` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `drafts_of_person` ON `ticket_drafts` (`user_id`);--> statement-breakpoint
CREATE TABLE `ticket_events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`kind` text NOT NULL,
	`from_value` text,
	`to_value` text,
	`reason` text,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`actor_side` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_events_in_order` ON `ticket_events` (`ticket_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `ticket_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text,
	`author_name` text NOT NULL,
	`side` text NOT NULL,
	`is_internal` integer DEFAULT false NOT NULL,
	`message` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade,
	CONSTRAINT "only_staff_write_internally" CHECK("ticket_messages"."is_internal" = 0 or "ticket_messages"."side" = 'staff')
);
--> statement-breakpoint
CREATE INDEX `ticket_messages_in_order` ON `ticket_messages` (`ticket_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `public_messages_in_order` ON `ticket_messages` (`ticket_id`,`created_at`,`id`) WHERE is_internal = 0;--> statement-breakpoint
CREATE INDEX `ticket_messages_by_author` ON `ticket_messages` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
CREATE TABLE `ticket_people` (
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`added_by` text,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tickets_of_person` ON `ticket_people` (`user_id`,`ticket_id`);--> statement-breakpoint
CREATE TABLE `ticket_votes` (
	`organization_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`user_id` text NOT NULL,
	`is_solved` integer NOT NULL,
	`comment` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`ticket_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_id`,`ticket_id`) REFERENCES `support_tickets`(`organization_id`,`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `votes_of_person` ON `ticket_votes` (`user_id`);--> statement-breakpoint
CREATE TABLE `support_tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`number` integer NOT NULL,
	`organization_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`priority` text NOT NULL,
	`category` text,
	`impact` text,
	`status` text NOT NULL,
	`created_by` text,
	`creator_name` text NOT NULL,
	`opened_by` text,
	`assigned_to` text,
	`is_private` integer DEFAULT false NOT NULL,
	`follow_up_of` text,
	`resolution` text,
	`resolved_at` integer,
	`closed_at` integer,
	`waiting_since` integer,
	`reminded_at` integer,
	`public_messages` integer DEFAULT 0 NOT NULL,
	`last_message_at` integer NOT NULL,
	`promise_json` text NOT NULL,
	`due_at` integer,
	`warn_at` integer,
	`miss_at` integer,
	`viewers` text NOT NULL,
	`search_text` text NOT NULL,
	`search_state` text GENERATED ALWAYS AS ('s.' || substr(status, 1, 1) || ' p.' || substr(priority, 1, 1) || ' @' || organization_id || '.'
        || case when assigned_to is null then ' nobody' else ' @' || assigned_to || '.' end
        || case when is_private then ' private ' else ' shared ' end || viewers) VIRTUAL,
	`is_active` integer GENERATED ALWAYS AS (status in ('open', 'in_progress', 'waiting_for_customer')) VIRTUAL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`opened_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`assigned_to`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "known_ticket_status" CHECK("support_tickets"."status" in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
	CONSTRAINT "known_ticket_priority" CHECK("support_tickets"."priority" in ('low', 'medium', 'high', 'urgent'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `support_tickets_number_unique` ON `support_tickets` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_of_organization` ON `support_tickets` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_by_creator` ON `support_tickets` (`created_by`,`number`) WHERE created_by is not null;--> statement-breakpoint
CREATE INDEX `tickets_by_opener` ON `support_tickets` (`opened_by`) WHERE opened_by is not null;--> statement-breakpoint
CREATE INDEX `tickets_by_assignee` ON `support_tickets` (`assigned_to`,`number`) WHERE assigned_to is not null;--> statement-breakpoint
CREATE INDEX `organization_tickets` ON `support_tickets` (`organization_id`,`number`);--> statement-breakpoint
CREATE INDEX `active_tickets_by_due` ON `support_tickets` (`due_at`,`number`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `tickets_to_warn_about` ON `support_tickets` (`warn_at`) WHERE warn_at is not null;--> statement-breakpoint
CREATE INDEX `tickets_to_miss` ON `support_tickets` (`miss_at`) WHERE miss_at is not null;--> statement-breakpoint
CREATE INDEX `tickets_waiting` ON `support_tickets` (`waiting_since`) WHERE status = 'waiting_for_customer';--> statement-breakpoint
CREATE INDEX `tickets_to_close` ON `support_tickets` (`resolved_at`) WHERE status = 'resolved';
--> statement-breakpoint
-- Finds any three letters or more of a ticket; the last line of its text is the name of its organization.
CREATE VIEW searchable_tickets AS SELECT number, search_text, search_state FROM support_tickets;
--> statement-breakpoint
CREATE VIRTUAL TABLE ticket_search USING fts5(
  search_text, search_state, content = 'searchable_tickets', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO ticket_search(ticket_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER ticket_findable AFTER INSERT ON support_tickets BEGIN
  INSERT INTO ticket_search(rowid, search_text, search_state) VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_refindable
AFTER UPDATE OF search_text, status, priority, organization_id, assigned_to, is_private, viewers ON support_tickets
WHEN OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state BEGIN
  INSERT INTO ticket_search(ticket_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO ticket_search(rowid, search_text, search_state) VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_unfindable AFTER DELETE ON support_tickets BEGIN
  INSERT INTO ticket_search(ticket_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_of_ticket_renamed AFTER UPDATE OF search_name ON organizations
WHEN OLD.search_name <> NEW.search_name BEGIN
  UPDATE support_tickets
  SET search_text = substr(search_text, 1, length(search_text) - length(OLD.search_name)) || NEW.search_name
  WHERE organization_id = NEW.id;
END;
--> statement-breakpoint
-- The figures of the lists: of all tickets, and of each organization.
INSERT INTO totals(name, value) VALUES
  ('ticket.open', 0), ('ticket.in_progress', 0), ('ticket.waiting_for_customer', 0), ('ticket.resolved', 0),
  ('ticket.closed', 0);
--> statement-breakpoint
CREATE TRIGGER ticket_counted AFTER INSERT ON support_tickets BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'ticket.' || NEW.status;
  INSERT INTO ticket_counts(organization_id, open, in_progress, waiting_for_customer, resolved, closed)
  VALUES (NEW.organization_id, NEW.status = 'open', NEW.status = 'in_progress',
    NEW.status = 'waiting_for_customer', NEW.status = 'resolved', NEW.status = 'closed')
  ON CONFLICT(organization_id) DO UPDATE SET open = open + excluded.open,
    in_progress = in_progress + excluded.in_progress,
    waiting_for_customer = waiting_for_customer + excluded.waiting_for_customer,
    resolved = resolved + excluded.resolved, closed = closed + excluded.closed;
  UPDATE organizations SET ticket_count = ticket_count + 1,
    active_ticket_count = active_ticket_count + (NEW.status NOT IN ('resolved', 'closed'))
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER ticket_recounted AFTER UPDATE OF status, organization_id ON support_tickets
WHEN OLD.status <> NEW.status OR OLD.organization_id <> NEW.organization_id BEGIN
  UPDATE totals SET value = value + (name = 'ticket.' || NEW.status) - (name = 'ticket.' || OLD.status)
  WHERE name IN ('ticket.' || OLD.status, 'ticket.' || NEW.status);
  UPDATE ticket_counts SET open = open - (OLD.status = 'open'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer - (OLD.status = 'waiting_for_customer'),
    resolved = resolved - (OLD.status = 'resolved'), closed = closed - (OLD.status = 'closed')
  WHERE organization_id = OLD.organization_id;
  INSERT INTO ticket_counts(organization_id, open, in_progress, waiting_for_customer, resolved, closed)
  VALUES (NEW.organization_id, NEW.status = 'open', NEW.status = 'in_progress',
    NEW.status = 'waiting_for_customer', NEW.status = 'resolved', NEW.status = 'closed')
  ON CONFLICT(organization_id) DO UPDATE SET open = open + excluded.open,
    in_progress = in_progress + excluded.in_progress,
    waiting_for_customer = waiting_for_customer + excluded.waiting_for_customer,
    resolved = resolved + excluded.resolved, closed = closed + excluded.closed;
  UPDATE organizations SET
    ticket_count = ticket_count + (id = NEW.organization_id) - (id = OLD.organization_id),
    active_ticket_count = active_ticket_count
      + (id = NEW.organization_id) * (NEW.status NOT IN ('resolved', 'closed'))
      - (id = OLD.organization_id) * (OLD.status NOT IN ('resolved', 'closed'))
  WHERE id IN (OLD.organization_id, NEW.organization_id);
END;
--> statement-breakpoint
CREATE TRIGGER ticket_uncounted AFTER DELETE ON support_tickets BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'ticket.' || OLD.status;
  UPDATE ticket_counts SET open = open - (OLD.status = 'open'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer - (OLD.status = 'waiting_for_customer'),
    resolved = resolved - (OLD.status = 'resolved'), closed = closed - (OLD.status = 'closed')
  WHERE organization_id = OLD.organization_id;
  UPDATE organizations SET ticket_count = ticket_count - 1,
    active_ticket_count = active_ticket_count - (OLD.status NOT IN ('resolved', 'closed'))
  WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
-- Public messages are counted, so that a reply that was begun before another one can be told from the latest.
CREATE TRIGGER public_message_counted AFTER INSERT ON ticket_messages WHEN NEW.is_internal = 0 BEGIN
  UPDATE support_tickets SET public_messages = public_messages + 1, last_message_at = NEW.created_at
  WHERE id = NEW.ticket_id;
END;
--> statement-breakpoint
-- Who is added to a ticket sees it, and who is taken off it does not, unless it is their own.
CREATE TRIGGER person_on_ticket AFTER INSERT ON ticket_people BEGIN
  UPDATE support_tickets SET viewers = viewers || ' ~' || NEW.user_id || '.'
  WHERE id = NEW.ticket_id AND instr(viewers, '~' || NEW.user_id || '.') = 0;
END;
--> statement-breakpoint
CREATE TRIGGER person_off_ticket AFTER DELETE ON ticket_people BEGIN
  UPDATE support_tickets SET viewers = trim(replace(viewers, '~' || OLD.user_id || '.', ''))
  WHERE id = OLD.ticket_id AND created_by IS NOT OLD.user_id;
END;
