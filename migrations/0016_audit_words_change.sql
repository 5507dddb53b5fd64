-- An event is found by the words the screen has for it, and these change: the part of the searchable text behind the
-- subject's name may be written anew from the columns it is made of. Those cannot be changed, and neither can the name.
DROP TRIGGER audit_is_append_only;
--> statement-breakpoint
CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit_events
WHEN iif(NEW.subject_label IS OLD.subject_label,
    substr(NEW.search_text, 1, instr(NEW.search_text, char(10))) <> substr(OLD.search_text, 1, instr(OLD.search_text, char(10))),
    NEW.subject_label IS NOT NULL OR NEW.search_text <> substr(OLD.search_text, instr(OLD.search_text, char(10))))
  OR (NEW.id, NEW.at, NEW.actor_id, NEW.actor_role, NEW.actor_name, NEW.actor_email, NEW.on_behalf_of, NEW.action,
      NEW.subject_type, NEW.subject_id, NEW.org_id, NEW.ip, NEW.request_id, NEW.meta_json)
    IS NOT (OLD.id, OLD.at, OLD.actor_id, OLD.actor_role, OLD.actor_name, OLD.actor_email, OLD.on_behalf_of, OLD.action,
      OLD.subject_type, OLD.subject_id, OLD.org_id, OLD.ip, OLD.request_id, OLD.meta_json)
BEGIN
  SELECT RAISE(ABORT, 'audit events cannot be changed');
END;
