-- Who leaves an organization leaves its tickets: somebody who is invited again sees only what they are added to again.
CREATE TRIGGER member_off_tickets AFTER DELETE ON organization_memberships WHEN OLD.user_id IS NOT NULL BEGIN
  DELETE FROM ticket_people WHERE user_id = OLD.user_id AND organization_id = OLD.organization_id;
END;
