CREATE TABLE `quiet_hours` (
	`user_id` text PRIMARY KEY NOT NULL,
	`from_clock` text NOT NULL,
	`until_clock` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
