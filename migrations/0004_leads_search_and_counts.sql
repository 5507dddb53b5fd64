-- Requests that were stored before searching existed. Folding accents needs the application; new ones have it.
UPDATE contact_submissions
SET search_text = lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(company, ''))
WHERE search_text = '';
--> statement-breakpoint
-- Held requests are found among held ones only, so the index leaves them out until they are released.
CREATE VIEW searchable_submissions AS
SELECT number, search_text FROM contact_submissions WHERE held_reason IS NULL;
--> statement-breakpoint
-- Finds any three letters or more in a stored text. It keeps no copy of the text, and rows are known by their number,
-- because implicit row ids do not survive a restored backup.
CREATE VIRTUAL TABLE submission_search USING fts5(
  search_text, content = 'searchable_submissions', content_rowid = 'number', tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO submission_search(submission_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER submission_findable AFTER INSERT ON contact_submissions WHEN NEW.held_reason IS NULL BEGIN
  INSERT INTO submission_search(rowid, search_text) VALUES (NEW.number, NEW.search_text);
END;
--> statement-breakpoint
CREATE TRIGGER submission_refindable AFTER UPDATE OF search_text, held_reason ON contact_submissions BEGIN
  INSERT INTO submission_search(submission_search, rowid, search_text)
  SELECT 'delete', OLD.number, OLD.search_text WHERE OLD.held_reason IS NULL;
  INSERT INTO submission_search(rowid, search_text) SELECT NEW.number, NEW.search_text WHERE NEW.held_reason IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER submission_unfindable AFTER DELETE ON contact_submissions WHEN OLD.held_reason IS NULL BEGIN
  INSERT INTO submission_search(submission_search, rowid, search_text) VALUES ('delete', OLD.number, OLD.search_text);
END;
--> statement-breakpoint
-- Requests per day: held ones count from the moment they are released, and then for the day on which they came.
CREATE TRIGGER submission_day_counted AFTER INSERT ON contact_submissions
WHEN NEW.held_reason IS NULL AND NEW.submitted_on IS NOT NULL BEGIN
  INSERT INTO totals(name, value) VALUES ('submission.day.' || NEW.submitted_on, 1)
  ON CONFLICT(name) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER submission_day_recounted AFTER UPDATE OF held_reason ON contact_submissions
WHEN (OLD.held_reason IS NULL) <> (NEW.held_reason IS NULL) AND NEW.submitted_on IS NOT NULL BEGIN
  INSERT INTO totals(name, value) VALUES ('submission.day.' || NEW.submitted_on, 0) ON CONFLICT(name) DO NOTHING;
  UPDATE totals SET value = value + CASE WHEN NEW.held_reason IS NULL THEN 1 ELSE -1 END
  WHERE name = 'submission.day.' || NEW.submitted_on;
END;
--> statement-breakpoint
CREATE TRIGGER submission_day_uncounted AFTER DELETE ON contact_submissions
WHEN OLD.held_reason IS NULL AND OLD.submitted_on IS NOT NULL BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'submission.day.' || OLD.submitted_on;
END;
--> statement-breakpoint
-- The figures of the activity screen.
INSERT INTO totals(name, value)
SELECT 'activity.all', count(*) FROM audit_events
UNION ALL SELECT 'activity.submission', count(*) FROM audit_events WHERE activity_type IN ('submission', 'status_change')
UNION ALL SELECT 'activity.people', count(*) FROM audit_events WHERE actor_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER activity_counted AFTER INSERT ON audit_events BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'activity.all'
    OR (name = 'activity.submission' AND NEW.activity_type IN ('submission', 'status_change'))
    OR (name = 'activity.people' AND NEW.actor_id IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER activity_uncounted AFTER DELETE ON audit_events BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'activity.all'
    OR (name = 'activity.submission' AND OLD.activity_type IN ('submission', 'status_change'))
    OR (name = 'activity.people' AND OLD.actor_id IS NOT NULL);
END;
