CREATE TABLE `invitations` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`membership_id` text,
	`email` text NOT NULL,
	`invited_by` text NOT NULL,
	`inviter_name` text NOT NULL,
	`mail_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`membership_id`) REFERENCES `organization_memberships`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "account_or_membership" CHECK(("invitations"."user_id" is null) <> ("invitations"."membership_id" is null))
);
--> statement-breakpoint
CREATE TABLE `organization_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `users` ADD `number` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `search_name` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `search_text` text GENERATED ALWAYS AS (search_name || ' ' || email) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `users` ADD `name_key` text GENERATED ALWAYS AS (case search_name when '' then char(1114111) else substr(search_name, 1, 60) end) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `users` ADD `listed_role` text DEFAULT 'user' NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `search_state` text GENERATED ALWAYS AS ('r.' || substr(listed_role, 1, 1)) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `organization_memberships` ADD `number` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organization_memberships` ADD `search_text` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `organization_memberships` ADD `search_state` text GENERATED ALWAYS AS ('s.' || substr(status, 1, 1) || ' r.' || substr(role, 1, 1) || ' @' || organization_id || '.') VIRTUAL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `visibility` text DEFAULT 'all' NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `default_role` text DEFAULT 'member' NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `needs_review_at` integer;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `active_members` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `all_members` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `administrators` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `ticket_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `active_ticket_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `number` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `search_name` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `search_description` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `search_text` text GENERATED ALWAYS AS (search_name || ' ' || slug || ' ' || search_description) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `name_key` text GENERATED ALWAYS AS (case search_name when '' then char(1114111) else substr(search_name, 1, 60) end) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `search_state` text GENERATED ALWAYS AS ('p.' || plan || case when needs_review_at is null then '' else ' new' end) VIRTUAL;
--> statement-breakpoint
-- People and organizations that were stored before they could be listed. Folding accents needs the application: those
-- of them that have any are found by their letters without accents once they are saved again.
UPDATE users SET number = placed.place
FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM users) AS placed
WHERE placed.id = users.id;
--> statement-breakpoint
UPDATE organizations SET number = placed.place
FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM organizations) AS placed
WHERE placed.id = organizations.id;
--> statement-breakpoint
UPDATE organization_memberships SET number = placed.place
FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM organization_memberships) AS placed
WHERE placed.id = organization_memberships.id;
--> statement-breakpoint
UPDATE users SET search_name = lower(full_name),
  listed_role = coalesce((SELECT role FROM user_roles WHERE user_id = users.id), 'user');
--> statement-breakpoint
UPDATE organizations SET search_name = lower(name), search_description = lower(description),
  active_members = (SELECT count(*) FROM organization_memberships
    WHERE organization_id = organizations.id AND status = 'active'),
  all_members = (SELECT count(*) FROM organization_memberships WHERE organization_id = organizations.id),
  administrators = (SELECT count(*) FROM organization_memberships
    WHERE organization_id = organizations.id AND role <> 'member');
--> statement-breakpoint
UPDATE organization_memberships SET search_text =
  coalesce((SELECT search_text FROM users WHERE id = user_id), lower(invited_email), '') || char(10)
  || (SELECT search_name FROM organizations WHERE id = organization_id);
--> statement-breakpoint
CREATE UNIQUE INDEX `open_account_invitation` ON `invitations` (`user_id`) WHERE user_id is not null and consumed_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX `open_membership_invitation` ON `invitations` (`membership_id`) WHERE membership_id is not null and consumed_at is null;
--> statement-breakpoint
CREATE INDEX `invitations_by_account` ON `invitations` (`user_id`) WHERE user_id is not null;
--> statement-breakpoint
CREATE INDEX `invitations_by_membership` ON `invitations` (`membership_id`) WHERE membership_id is not null;
--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `domains_by_organization` ON `organization_domains` (`organization_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_in_order` ON `users` (`number`);
--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`listed_role`,`number`);
--> statement-breakpoint
CREATE INDEX `users_by_role_and_name` ON `users` (`listed_role`,`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `invited_users` ON `users` (`number`) WHERE status = 'pending';
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_in_order` ON `organization_memberships` (`number`);
--> statement-breakpoint
CREATE INDEX `memberships_by_status` ON `organization_memberships` (`status`,`number`);
--> statement-breakpoint
CREATE INDEX `memberships_by_role` ON `organization_memberships` (`role`,`number`);
--> statement-breakpoint
CREATE INDEX `memberships_by_role_and_status` ON `organization_memberships` (`role`,`status`,`number`);
--> statement-breakpoint
CREATE INDEX `members_in_order` ON `organization_memberships` (`organization_id`,`number`);
--> statement-breakpoint
CREATE INDEX `members_by_status` ON `organization_memberships` (`organization_id`,`status`,`number`);
--> statement-breakpoint
CREATE INDEX `members_by_role` ON `organization_memberships` (`organization_id`,`role`,`number`);
--> statement-breakpoint
CREATE INDEX `members_by_role_and_status` ON `organization_memberships` (`organization_id`,`role`,`status`,`number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_in_order` ON `organizations` (`number`);
--> statement-breakpoint
CREATE INDEX `organizations_by_name` ON `organizations` (`name_key`,`id`);
--> statement-breakpoint
CREATE INDEX `organizations_by_active_tickets` ON `organizations` (`active_ticket_count`,`number`);
--> statement-breakpoint
CREATE INDEX `organizations_to_review` ON `organizations` (`number`) WHERE needs_review_at is not null;
--> statement-breakpoint
CREATE INDEX `audit_by_organization` ON `audit_events` (`org_id`,`id`) WHERE org_id is not null;
--> statement-breakpoint
-- Every row is given a number in the order of creation: the row id of the search, and the order of the list.
CREATE TRIGGER user_numbered AFTER INSERT ON users WHEN NEW.number = 0 BEGIN
  UPDATE users SET number = (SELECT max(number) + 1 FROM users) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organization_numbered AFTER INSERT ON organizations WHEN NEW.number = 0 BEGIN
  UPDATE organizations SET number = (SELECT max(number) + 1 FROM organizations) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_numbered AFTER INSERT ON organization_memberships WHEN NEW.number = 0 BEGIN
  UPDATE organization_memberships SET number = (SELECT max(number) + 1 FROM organization_memberships), search_text =
    coalesce((SELECT search_text FROM users WHERE id = NEW.user_id), lower(NEW.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = NEW.organization_id) WHERE id = NEW.id;
END;
--> statement-breakpoint
-- A membership is found by its person and by its organization, whichever of them gets another name.
CREATE TRIGGER membership_renamed AFTER UPDATE OF user_id, invited_email ON organization_memberships
WHEN OLD.user_id IS NOT NEW.user_id OR OLD.invited_email IS NOT NEW.invited_email BEGIN
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = NEW.user_id), lower(NEW.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = NEW.organization_id)
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER person_of_membership_renamed AFTER UPDATE OF search_name, email ON users
WHEN OLD.search_text <> NEW.search_text BEGIN
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = organization_memberships.user_id),
      lower(organization_memberships.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = organization_memberships.organization_id)
  WHERE user_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organization_of_membership_renamed AFTER UPDATE OF search_name ON organizations
WHEN OLD.search_name <> NEW.search_name BEGIN
  UPDATE organization_memberships SET search_text =
    coalesce((SELECT search_text FROM users WHERE id = organization_memberships.user_id),
      lower(organization_memberships.invited_email), '') || char(10)
    || (SELECT search_name FROM organizations WHERE id = organization_memberships.organization_id)
  WHERE organization_id = NEW.id;
END;
--> statement-breakpoint
-- The list of users filters by a copy of the role.
CREATE TRIGGER role_listed AFTER INSERT ON user_roles BEGIN
  UPDATE users SET listed_role = NEW.role WHERE id = NEW.user_id AND listed_role <> NEW.role;
END;
--> statement-breakpoint
CREATE TRIGGER role_relisted AFTER UPDATE OF role ON user_roles BEGIN
  UPDATE users SET listed_role = NEW.role WHERE id = NEW.user_id AND listed_role <> NEW.role;
END;
--> statement-breakpoint
CREATE TRIGGER role_unlisted AFTER DELETE ON user_roles BEGIN
  UPDATE users SET listed_role = 'user' WHERE id = OLD.user_id AND listed_role <> 'user';
END;
--> statement-breakpoint
-- Finds any three letters or more, newest first by row id. The indexes keep no copy of the text, and what is taken out
-- of them leaves their pages at once, because it is the name of somebody who is gone.
CREATE VIEW searchable_users AS SELECT number, search_text, search_state FROM users;
--> statement-breakpoint
CREATE VIRTUAL TABLE user_search USING fts5(
  search_text, search_state, content = 'searchable_users', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO user_search(user_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO user_search(user_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER user_findable AFTER UPDATE OF number ON users WHEN OLD.number = 0 BEGIN
  INSERT INTO user_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER user_restored AFTER INSERT ON users WHEN NEW.number <> 0 BEGIN
  INSERT INTO user_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER user_refindable AFTER UPDATE OF search_name, email, listed_role ON users
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO user_search(user_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO user_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER user_unfindable AFTER DELETE ON users WHEN OLD.number <> 0 BEGIN
  INSERT INTO user_search(user_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE VIEW searchable_organizations AS SELECT number, search_text, search_state FROM organizations;
--> statement-breakpoint
CREATE VIRTUAL TABLE organization_search USING fts5(
  search_text, search_state, content = 'searchable_organizations', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO organization_search(organization_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO organization_search(organization_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER organization_findable AFTER UPDATE OF number ON organizations WHEN OLD.number = 0 BEGIN
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_restored AFTER INSERT ON organizations WHEN NEW.number <> 0 BEGIN
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_refindable AFTER UPDATE OF search_name, slug, search_description, plan, needs_review_at ON organizations
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO organization_search(organization_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO organization_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER organization_unfindable AFTER DELETE ON organizations WHEN OLD.number <> 0 BEGIN
  INSERT INTO organization_search(organization_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
CREATE VIEW searchable_memberships AS SELECT number, search_text, search_state FROM organization_memberships;
--> statement-breakpoint
CREATE VIRTUAL TABLE membership_search USING fts5(
  search_text, search_state, content = 'searchable_memberships', content_rowid = 'number', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
--> statement-breakpoint
INSERT INTO membership_search(membership_search, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
INSERT INTO membership_search(membership_search) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER membership_findable AFTER UPDATE OF number ON organization_memberships WHEN OLD.number = 0 BEGIN
  INSERT INTO membership_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER membership_restored AFTER INSERT ON organization_memberships WHEN NEW.number <> 0 BEGIN
  INSERT INTO membership_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER membership_refindable AFTER UPDATE OF search_text, status, role ON organization_memberships
WHEN OLD.number <> 0 AND (OLD.search_text <> NEW.search_text OR OLD.search_state <> NEW.search_state) BEGIN
  INSERT INTO membership_search(membership_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
  INSERT INTO membership_search(rowid, search_text, search_state)
  VALUES (NEW.number, NEW.search_text, NEW.search_state);
END;
--> statement-breakpoint
CREATE TRIGGER membership_unfindable AFTER DELETE ON organization_memberships WHEN OLD.number <> 0 BEGIN
  INSERT INTO membership_search(membership_search, rowid, search_text, search_state)
  VALUES ('delete', OLD.number, OLD.search_text, OLD.search_state);
END;
--> statement-breakpoint
-- The figures of the lists.
INSERT INTO totals(name, value)
SELECT 'user.admin', count(*) FROM users WHERE listed_role = 'admin'
UNION ALL SELECT 'user.moderator', count(*) FROM users WHERE listed_role = 'moderator'
UNION ALL SELECT 'user.user', count(*) FROM users WHERE listed_role = 'user';
--> statement-breakpoint
INSERT INTO totals(name, value)
SELECT 'organization.all', count(*) FROM organizations
UNION ALL SELECT 'membership.administrators', count(*) FROM organization_memberships WHERE role <> 'member';
--> statement-breakpoint
INSERT INTO totals(name, value)
SELECT 'membership.active', count(*) FROM organization_memberships WHERE status = 'active'
UNION ALL SELECT 'membership.pending', count(*) FROM organization_memberships WHERE status = 'pending'
UNION ALL SELECT 'membership.suspended', count(*) FROM organization_memberships WHERE status = 'suspended';
--> statement-breakpoint
CREATE TRIGGER user_counted AFTER INSERT ON users BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'user.' || NEW.listed_role;
END;
--> statement-breakpoint
CREATE TRIGGER user_recounted AFTER UPDATE OF listed_role ON users WHEN OLD.listed_role <> NEW.listed_role BEGIN
  UPDATE totals SET value = value + CASE name WHEN 'user.' || NEW.listed_role THEN 1 ELSE -1 END
  WHERE name IN ('user.' || OLD.listed_role, 'user.' || NEW.listed_role);
END;
--> statement-breakpoint
CREATE TRIGGER user_uncounted AFTER DELETE ON users BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'user.' || OLD.listed_role;
END;
--> statement-breakpoint
CREATE TRIGGER organization_counted AFTER INSERT ON organizations BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'organization.all';
END;
--> statement-breakpoint
CREATE TRIGGER organization_uncounted AFTER DELETE ON organizations BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'organization.all';
END;
--> statement-breakpoint
CREATE TRIGGER membership_counted AFTER INSERT ON organization_memberships BEGIN
  UPDATE totals SET value = value + 1
  WHERE name = 'membership.' || NEW.status OR (name = 'membership.administrators' AND NEW.role <> 'member');
  UPDATE organizations SET all_members = all_members + 1,
    active_members = active_members + (NEW.status = 'active'), administrators = administrators + (NEW.role <> 'member')
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_recounted AFTER UPDATE OF status, role ON organization_memberships
WHEN OLD.status <> NEW.status OR OLD.role <> NEW.role BEGIN
  UPDATE totals SET value = value + (name = 'membership.' || NEW.status) - (name = 'membership.' || OLD.status)
    + (name = 'membership.administrators') * ((NEW.role <> 'member') - (OLD.role <> 'member'))
  WHERE name IN ('membership.' || OLD.status, 'membership.' || NEW.status, 'membership.administrators');
  UPDATE organizations SET active_members = active_members + (NEW.status = 'active') - (OLD.status = 'active'),
    administrators = administrators + (NEW.role <> 'member') - (OLD.role <> 'member')
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER membership_uncounted AFTER DELETE ON organization_memberships BEGIN
  UPDATE totals SET value = value - 1
  WHERE name = 'membership.' || OLD.status OR (name = 'membership.administrators' AND OLD.role <> 'member');
  UPDATE organizations SET all_members = all_members - 1,
    active_members = active_members - (OLD.status = 'active'), administrators = administrators - (OLD.role <> 'member')
  WHERE id = OLD.organization_id;
END;
