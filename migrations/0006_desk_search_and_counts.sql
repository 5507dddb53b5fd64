-- Requests that were stored before names could be sorted. Their search text begins with the folded name, and what
-- follows it is the e-mail.
UPDATE contact_submissions SET name_key = substr(
  CASE WHEN instr(search_text, ' ' || lower(email)) > 1
    THEN substr(search_text, 1, instr(search_text, ' ' || lower(email)) - 1)
    ELSE lower(first_name || ' ' || last_name) END, 1, 60)
WHERE name_key = '';
--> statement-breakpoint
-- Requests that were stored before days were counted. The exact day needs the application; this is at most an hour off.
UPDATE contact_submissions SET submitted_on = date(created_at / 1000 - 21600, 'unixepoch') WHERE submitted_on IS NULL;
--> statement-breakpoint
DROP TRIGGER submission_findable;
--> statement-breakpoint
DROP TRIGGER submission_refindable;
--> statement-breakpoint
DROP TRIGGER submission_unfindable;
--> statement-breakpoint
DROP TABLE submission_search;
--> statement-breakpoint
DROP VIEW searchable_submissions;
--> statement-breakpoint
CREATE VIEW searchable_submissions AS SELECT search_id, search_text, search_state FROM contact_submissions;
--> statement-breakpoint
-- Finds any three letters or more in a stored text, newest first by row id, within a status, an owner or what is held.
-- It keeps no copy of the text.
CREATE VIRTUAL TABLE submission_search USING fts5(
  search_text, search_state, content = 'searchable_submissions', content_rowid = 'search_id',
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO submission_search(submission_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER submission_findable AFTER INSERT ON contact_submissions BEGIN
  INSERT INTO submission_search(rowid, search_text, search_state)
  VALUES (NEW.search_id, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER submission_refindable AFTER UPDATE OF search_text, status, held_reason, owner_id ON contact_submissions
WHEN OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state BEGIN
  INSERT INTO submission_search(submission_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.search_id, OLD.search_text, OLD.search_state);
  INSERT INTO submission_search(rowid, search_text, search_state)
  VALUES (NEW.search_id, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER submission_unfindable AFTER DELETE ON contact_submissions BEGIN
  INSERT INTO submission_search(submission_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.search_id, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- Every letter and every two letters in a row of a stored text, each written as the hexadecimal digits of its bytes, so
-- that no letter, sign or emoji means anything to the index.
CREATE VIEW submission_letter_pairs AS
SELECT search_id, held_reason, (
  WITH RECURSIVE place(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM place WHERE i < length(search_text))
  SELECT group_concat(hex(substr(search_text, i, 1)) || ' ' || hex(substr(search_text, i, 2)), ' ') FROM place
) AS letters FROM contact_submissions;
--> statement-breakpoint
-- Finds one or two letters. Held requests, which are few, are looked through instead.
CREATE VIRTUAL TABLE submission_letters USING fts5(
  letters, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
--> statement-breakpoint
INSERT INTO submission_letters(rowid, letters)
SELECT search_id, letters FROM submission_letter_pairs WHERE held_reason IS NULL ORDER BY search_id;
--> statement-breakpoint
CREATE TRIGGER submission_letters_findable AFTER INSERT ON contact_submissions WHEN NEW.held_reason IS NULL BEGIN
  INSERT INTO submission_letters(rowid, letters)
  SELECT search_id, letters FROM submission_letter_pairs WHERE search_id = NEW.search_id;
END;
--> statement-breakpoint
CREATE TRIGGER submission_letters_refindable AFTER UPDATE OF search_text, held_reason ON contact_submissions
WHEN OLD.search_text <> NEW.search_text OR (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL) BEGIN
  DELETE FROM submission_letters WHERE rowid = OLD.search_id;
  INSERT INTO submission_letters(rowid, letters)
  SELECT search_id, letters FROM submission_letter_pairs
  WHERE search_id = NEW.search_id AND NEW.held_reason IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER submission_letters_unfindable AFTER DELETE ON contact_submissions WHEN OLD.held_reason IS NULL BEGIN
  DELETE FROM submission_letters WHERE rowid = OLD.search_id;
END;
--> statement-breakpoint
DROP TRIGGER submission_day_counted;
--> statement-breakpoint
DROP TRIGGER submission_day_recounted;
--> statement-breakpoint
DROP TRIGGER submission_day_uncounted;
--> statement-breakpoint
DELETE FROM totals WHERE name LIKE 'submission.day.%' OR name = 'health.probe';
--> statement-breakpoint
INSERT INTO submission_counts(period, new, contacted, resolved)
SELECT period, sum(status = 'new'), sum(status = 'contacted'), sum(status = 'resolved') FROM (
  SELECT submitted_on AS period, status FROM contact_submissions WHERE held_reason IS NULL
  UNION ALL
  SELECT 'm' || substr(submitted_on, 1, 7), status FROM contact_submissions WHERE held_reason IS NULL)
WHERE period IS NOT NULL GROUP BY period;
--> statement-breakpoint
-- Requests per day and month: held ones count from the moment they are released, and then for the day they came.
CREATE TRIGGER submission_period_counted AFTER INSERT ON contact_submissions
WHEN NEW.held_reason IS NULL AND NEW.submitted_on IS NOT NULL BEGIN
  INSERT INTO submission_counts(period, new, contacted, resolved)
  VALUES (NEW.submitted_on, NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved'),
    ('m' || substr(NEW.submitted_on, 1, 7), NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved')
  ON CONFLICT(period) DO UPDATE SET new = new + excluded.new, contacted = contacted + excluded.contacted,
    resolved = resolved + excluded.resolved;
END;
--> statement-breakpoint
CREATE TRIGGER submission_period_uncounted AFTER DELETE ON contact_submissions
WHEN OLD.held_reason IS NULL AND OLD.submitted_on IS NOT NULL BEGIN
  UPDATE submission_counts SET new = new - (OLD.status = 'new'), contacted = contacted - (OLD.status = 'contacted'),
    resolved = resolved - (OLD.status = 'resolved')
  WHERE period IN (OLD.submitted_on, 'm' || substr(OLD.submitted_on, 1, 7));
END;
--> statement-breakpoint
CREATE TRIGGER submission_period_moved AFTER UPDATE OF status ON contact_submissions
WHEN OLD.status <> NEW.status AND OLD.held_reason IS NULL AND NEW.held_reason IS NULL
  AND OLD.submitted_on IS NEW.submitted_on BEGIN
  UPDATE submission_counts SET new = new + (NEW.status = 'new') - (OLD.status = 'new'),
    contacted = contacted + (NEW.status = 'contacted') - (OLD.status = 'contacted'),
    resolved = resolved + (NEW.status = 'resolved') - (OLD.status = 'resolved')
  WHERE period IN (NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7));
END;
--> statement-breakpoint
CREATE TRIGGER submission_period_recounted AFTER UPDATE OF held_reason, submitted_on ON contact_submissions
WHEN (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL) OR OLD.submitted_on IS NOT NEW.submitted_on BEGIN
  UPDATE submission_counts SET new = new - (OLD.status = 'new'), contacted = contacted - (OLD.status = 'contacted'),
    resolved = resolved - (OLD.status = 'resolved')
  WHERE OLD.held_reason IS NULL AND period IN (OLD.submitted_on, 'm' || substr(OLD.submitted_on, 1, 7));
  INSERT INTO submission_counts(period, new, contacted, resolved)
  SELECT period.value, NEW.status = 'new', NEW.status = 'contacted', NEW.status = 'resolved'
  FROM json_each(json_array(NEW.submitted_on, 'm' || substr(NEW.submitted_on, 1, 7))) AS period
  WHERE NEW.held_reason IS NULL AND period.value IS NOT NULL
  ON CONFLICT(period) DO UPDATE SET new = new + excluded.new, contacted = contacted + excluded.contacted,
    resolved = resolved + excluded.resolved;
END;
