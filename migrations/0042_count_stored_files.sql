INSERT INTO totals(name, value)
SELECT 'file.all', count(*) FROM attachments UNION ALL SELECT 'file.bytes', coalesce(sum(size), 0) FROM attachments;
--> statement-breakpoint
CREATE TRIGGER file_counted AFTER INSERT ON attachments BEGIN
  UPDATE totals SET value = value + CASE name WHEN 'file.all' THEN 1 ELSE NEW.size END
  WHERE name IN ('file.all', 'file.bytes');
END;
--> statement-breakpoint
CREATE TRIGGER file_uncounted AFTER DELETE ON attachments BEGIN
  UPDATE totals SET value = value - CASE name WHEN 'file.all' THEN 1 ELSE OLD.size END
  WHERE name IN ('file.all', 'file.bytes');
END;
