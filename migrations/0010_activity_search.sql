-- What the search of the activity looks in. The three letters of the type narrow a search to it: no two types begin alike.
CREATE VIEW searchable_activity AS
SELECT id, search_text, substr(activity_type, 1, 3) AS type_word FROM audit_events;
--> statement-breakpoint
-- Finds any three letters or more in what has happened, newest first by row id. It keeps no copy of the text.
CREATE VIRTUAL TABLE audit_search USING fts5(
  search_text, type_word, content = 'searchable_activity', content_rowid = 'id', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
-- What is taken out of the index leaves its pages at once: it is the name of somebody whose data were deleted.
INSERT INTO audit_search(audit_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO audit_search(audit_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER audit_findable AFTER INSERT ON audit_events BEGIN
  INSERT INTO audit_search(rowid, search_text, type_word)
  VALUES (NEW.id, NEW.search_text, substr(NEW.activity_type, 1, 3));
END;
--> statement-breakpoint
CREATE TRIGGER audit_refindable AFTER UPDATE OF search_text ON audit_events WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO audit_search(audit_search, rowid, search_text, type_word)
  VALUES ('delete', OLD.id, OLD.search_text, substr(OLD.activity_type, 1, 3));
  INSERT INTO audit_search(rowid, search_text, type_word)
  VALUES (NEW.id, NEW.search_text, substr(NEW.activity_type, 1, 3));
END;
--> statement-breakpoint
CREATE TRIGGER audit_unfindable AFTER DELETE ON audit_events BEGIN
  INSERT INTO audit_search(audit_search, rowid, search_text, type_word)
  VALUES ('delete', OLD.id, OLD.search_text, substr(OLD.activity_type, 1, 3));
END;
