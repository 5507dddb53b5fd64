DROP INDEX `letters_by_status`;--> statement-breakpoint
ALTER TABLE `letters` ADD `number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `letters` ADD `search_state` text GENERATED ALWAYS AS ('s.' || substr(status, 1, 1)) VIRTUAL;--> statement-breakpoint
-- Letters are numbered in the order of their months, whenever they are made: the row id of the search, and the order of
-- the list.
UPDATE letters SET number = placed.number, search_text = placed.search_text
FROM (SELECT l.id, o.search_name AS search_text, CAST(replace(l.month, '-', '') AS INTEGER) * 1000000
    + row_number() OVER (PARTITION BY l.month ORDER BY l.id) AS number
  FROM letters l JOIN organizations o ON o.id = l.organization_id) AS placed
WHERE placed.id = letters.id;
--> statement-breakpoint
CREATE UNIQUE INDEX `letters_in_order` ON `letters` (`number`);
--> statement-breakpoint
CREATE INDEX `letters_by_status` ON `letters` (`status`,`number`);
--> statement-breakpoint
-- Finds letters by three letters or more of the name of their organization. What is taken out of the index leaves its
-- pages at once.
CREATE VIEW searchable_letters AS SELECT number, search_text, search_state FROM letters;
--> statement-breakpoint
CREATE VIRTUAL TABLE letter_search USING fts5(
  search_text, search_state, content = 'searchable_letters', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO letter_search(letter_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO letter_search(letter_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER letter_numbered AFTER INSERT ON letters WHEN NEW.number = 0 BEGIN
  UPDATE letters SET search_text = (SELECT search_name FROM organizations WHERE id = NEW.organization_id),
    number = 1 + coalesce((SELECT max(number) FROM letters
      WHERE number BETWEEN CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000
        AND CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000 + 999999),
      CAST(replace(NEW.month, '-', '') AS INTEGER) * 1000000)
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER letter_findable AFTER UPDATE OF number ON letters WHEN OLD.number = 0 BEGIN
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_restored AFTER INSERT ON letters WHEN NEW.number <> 0 BEGIN
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_refindable AFTER UPDATE OF search_text, status ON letters
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO letter_search(letter_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO letter_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER letter_unfindable AFTER DELETE ON letters WHEN OLD.number <> 0 BEGIN
  INSERT INTO letter_search(letter_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_of_letter_renamed AFTER UPDATE OF search_name ON organizations
WHEN OLD.search_name <> NEW.search_name BEGIN
  UPDATE letters SET search_text = NEW.search_name WHERE organization_id = NEW.id;
END;
