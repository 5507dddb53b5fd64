DROP INDEX `missing_paths_by_number`;--> statement-breakpoint
DROP INDEX `missing_paths_by_hits`;--> statement-breakpoint
INSERT OR REPLACE INTO `missing_paths`(`day`, `path`, `number`, `hits`)
SELECT `day`, '', max(`number`), sum(`hits`) FROM `missing_paths` GROUP BY `day`;
