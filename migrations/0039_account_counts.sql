CREATE TABLE `account_counts` (
	`length` integer NOT NULL,
	`step` integer NOT NULL,
	`admin` integer DEFAULT 0 NOT NULL,
	`moderator` integer DEFAULT 0 NOT NULL,
	`user` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`length`, `step`)
);
--> statement-breakpoint
DROP INDEX `users_by_creation`;
--> statement-breakpoint
INSERT INTO account_counts(length, step, admin, moderator, user)
SELECT l.value, u.created_at / (60000 * l.value), sum(u.listed_role = 'admin'), sum(u.listed_role = 'moderator'),
  sum(u.listed_role = 'user')
FROM users u CROSS JOIN json_each('[15, 1440]') l GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER account_counted AFTER INSERT ON users BEGIN
  INSERT INTO account_counts(length, step, admin, moderator, user)
  SELECT l.value, NEW.created_at / (60000 * l.value), NEW.listed_role = 'admin', NEW.listed_role = 'moderator',
    NEW.listed_role = 'user'
  FROM json_each('[15, 1440]') l WHERE 1
  ON CONFLICT(length, step) DO UPDATE SET admin = admin + excluded.admin, moderator = moderator + excluded.moderator,
    user = user + excluded.user;
END;
--> statement-breakpoint
CREATE TRIGGER account_recounted AFTER UPDATE OF listed_role, created_at ON users
WHEN OLD.listed_role <> NEW.listed_role OR OLD.created_at <> NEW.created_at BEGIN
  UPDATE account_counts SET admin = admin - (OLD.listed_role = 'admin'),
    moderator = moderator - (OLD.listed_role = 'moderator'), user = user - (OLD.listed_role = 'user')
  WHERE (length, step) IN (VALUES (15, OLD.created_at / 900000), (1440, OLD.created_at / 86400000));
  INSERT INTO account_counts(length, step, admin, moderator, user)
  SELECT l.value, NEW.created_at / (60000 * l.value), NEW.listed_role = 'admin', NEW.listed_role = 'moderator',
    NEW.listed_role = 'user'
  FROM json_each('[15, 1440]') l WHERE 1
  ON CONFLICT(length, step) DO UPDATE SET admin = admin + excluded.admin, moderator = moderator + excluded.moderator,
    user = user + excluded.user;
END;
--> statement-breakpoint
CREATE TRIGGER account_uncounted AFTER DELETE ON users BEGIN
  UPDATE account_counts SET admin = admin - (OLD.listed_role = 'admin'),
    moderator = moderator - (OLD.listed_role = 'moderator'), user = user - (OLD.listed_role = 'user')
  WHERE (length, step) IN (VALUES (15, OLD.created_at / 900000), (1440, OLD.created_at / 86400000));
END;
