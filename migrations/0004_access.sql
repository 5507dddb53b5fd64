-- == Roles ==
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
-- == Second factors ==
-- The list of second factors filters by a copy of whether one is set up.
CREATE TRIGGER factor_state_listed AFTER INSERT ON user_mfa_settings WHEN NEW.is_enabled = 1 BEGIN
  UPDATE users SET listed_factor = 1 WHERE id = NEW.user_id AND listed_factor = 0;
END;
--> statement-breakpoint
CREATE TRIGGER factor_state_relisted AFTER UPDATE OF is_enabled ON user_mfa_settings BEGIN
  UPDATE users SET listed_factor = NEW.is_enabled WHERE id = NEW.user_id AND listed_factor <> NEW.is_enabled;
END;
--> statement-breakpoint
CREATE TRIGGER factor_state_unlisted AFTER DELETE ON user_mfa_settings WHEN OLD.is_enabled = 1 BEGIN
  UPDATE users SET listed_factor = 0 WHERE id = OLD.user_id AND listed_factor = 1;
END;
--> statement-breakpoint
-- == People on tickets ==
-- Who is added to a ticket sees it, and who is taken off it does not, unless it is their own.
CREATE TRIGGER person_on_ticket AFTER INSERT ON ticket_people BEGIN
  UPDATE support_tickets SET viewers = viewers || ' ~' || NEW.user_id || '.'
  WHERE id = NEW.ticket_id AND instr(viewers, '~' || NEW.user_id || '.') = 0;
END;
--> statement-breakpoint
CREATE TRIGGER person_off_ticket AFTER DELETE ON ticket_people BEGIN
  UPDATE support_tickets SET viewers = trim(replace(viewers, '~' || OLD.user_id || '.', ''))
  WHERE id = OLD.ticket_id AND created_by IS NOT OLD.user_id;
END;
--> statement-breakpoint
-- Who leaves an organization leaves its tickets: somebody who is invited again sees only what they are added to again.
CREATE TRIGGER member_off_tickets AFTER DELETE ON organization_memberships WHEN OLD.user_id IS NOT NULL BEGIN
  DELETE FROM ticket_people WHERE user_id = OLD.user_id AND organization_id = OLD.organization_id;
END;
