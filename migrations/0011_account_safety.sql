-- The job that removes accounts nobody has confirmed looks here.
CREATE INDEX `unconfirmed_accounts` ON `users` (`updated_at`) WHERE status = 'unverified';--> statement-breakpoint
-- The name is typed again on the page that confirms the address.
ALTER TABLE `users` DROP COLUMN `pending_organization_name`;--> statement-breakpoint
CREATE INDEX `reserved_addresses` ON `auth_tokens` (`email`) WHERE purpose = 'email_undo' and consumed_at is null;--> statement-breakpoint
-- A session is made for the role its person has, so a new role ends it, whichever statement gives the role.
CREATE TRIGGER role_given BEFORE INSERT ON user_roles
WHEN NEW.role <> coalesce((SELECT role FROM user_roles WHERE user_id = NEW.user_id), 'user')
  AND EXISTS (SELECT 1 FROM sessions WHERE user_id = NEW.user_id)
BEGIN
  UPDATE users SET auth_epoch = auth_epoch + 1 WHERE id = NEW.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER role_changed AFTER UPDATE OF role ON user_roles WHEN OLD.role <> NEW.role BEGIN
  UPDATE users SET auth_epoch = auth_epoch + 1 WHERE id = NEW.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER role_taken AFTER DELETE ON user_roles WHEN OLD.role <> 'user' BEGIN
  UPDATE users SET auth_epoch = auth_epoch + 1 WHERE id = OLD.user_id;
END;
--> statement-breakpoint
-- Sessions keep the first part of the network address only: /24 of IPv4, /48 of IPv6.
UPDATE sessions SET ip_prefix = CASE
  WHEN ip_prefix LIKE '%::/64' THEN rtrim(rtrim(replace(ip_prefix, '::/64', ''), '0123456789abcdef'), ':') || '::/48'
  WHEN ip_prefix LIKE '%.%.%.%' AND ip_prefix NOT LIKE '%/%' THEN rtrim(ip_prefix, '0123456789') || '0/24'
  ELSE ip_prefix END;
