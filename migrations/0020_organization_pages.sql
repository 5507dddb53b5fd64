CREATE TABLE `erasures` (
	`subject_type` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subject_type`, `subject_id`)
);
--> statement-breakpoint
ALTER TABLE `organizations` ADD `members_without_mfa` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE organizations SET members_without_mfa = (SELECT count(*) FROM organization_memberships m
  WHERE m.organization_id = organizations.id AND m.status = 'active'
    AND NOT EXISTS (SELECT 1 FROM user_mfa_settings f WHERE f.user_id = m.user_id AND f.is_enabled = 1));
--> statement-breakpoint
-- An active member without a second factor counts once for each organization, whichever of the two tables changes.
CREATE TRIGGER unprotected_member_counted AFTER INSERT ON organization_memberships WHEN NEW.status = 'active' BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa + 1
  WHERE id = NEW.organization_id
    AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = NEW.user_id AND is_enabled = 1);
END;
--> statement-breakpoint
CREATE TRIGGER unprotected_member_recounted AFTER UPDATE OF status, user_id ON organization_memberships
WHEN OLD.status <> NEW.status OR OLD.user_id IS NOT NEW.user_id BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa
    + (NEW.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = NEW.user_id AND is_enabled = 1))
    - (OLD.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = OLD.user_id AND is_enabled = 1))
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER unprotected_member_uncounted AFTER DELETE ON organization_memberships WHEN OLD.status = 'active' BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa - 1
  WHERE id = OLD.organization_id
    AND NOT EXISTS (SELECT 1 FROM user_mfa_settings WHERE user_id = OLD.user_id AND is_enabled = 1);
END;
--> statement-breakpoint
CREATE TRIGGER factor_counted AFTER INSERT ON user_mfa_settings WHEN NEW.is_enabled = 1 BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa - 1
  WHERE id IN (SELECT organization_id FROM organization_memberships
    WHERE user_id = NEW.user_id AND status = 'active');
END;
--> statement-breakpoint
CREATE TRIGGER factor_recounted AFTER UPDATE OF is_enabled ON user_mfa_settings
WHEN (OLD.is_enabled = 1) <> (NEW.is_enabled = 1) BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa + CASE NEW.is_enabled WHEN 1 THEN -1 ELSE 1 END
  WHERE id IN (SELECT organization_id FROM organization_memberships
    WHERE user_id = NEW.user_id AND status = 'active');
END;
--> statement-breakpoint
CREATE TRIGGER factor_uncounted AFTER DELETE ON user_mfa_settings WHEN OLD.is_enabled = 1 BEGIN
  UPDATE organizations SET members_without_mfa = members_without_mfa + 1
  WHERE id IN (SELECT organization_id FROM organization_memberships
    WHERE user_id = OLD.user_id AND status = 'active');
END;
--> statement-breakpoint
INSERT INTO totals(name, value)
SELECT 'organization.to_review', count(*) FROM organizations WHERE needs_review_at IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER review_counted AFTER INSERT ON organizations WHEN NEW.needs_review_at IS NOT NULL BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'organization.to_review';
END;
--> statement-breakpoint
CREATE TRIGGER review_recounted AFTER UPDATE OF needs_review_at ON organizations
WHEN (OLD.needs_review_at IS NULL) <> (NEW.needs_review_at IS NULL) BEGIN
  UPDATE totals SET value = value + CASE WHEN NEW.needs_review_at IS NULL THEN -1 ELSE 1 END
  WHERE name = 'organization.to_review';
END;
--> statement-breakpoint
CREATE TRIGGER review_uncounted AFTER DELETE ON organizations WHEN OLD.needs_review_at IS NOT NULL BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'organization.to_review';
END;
