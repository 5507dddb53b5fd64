CREATE TABLE `mail_pauses` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`retry_at` integer NOT NULL,
	`reason` text NOT NULL,
	CONSTRAINT "one_pause" CHECK("mail_pauses"."id" = 1)
);
