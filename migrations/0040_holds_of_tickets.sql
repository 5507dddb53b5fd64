-- A ticket on legal hold is deleted by nobody either, nor is the organization it belongs to.
CREATE TRIGGER held_ticket_stays BEFORE DELETE ON support_tickets
WHEN EXISTS (SELECT 1 FROM legal_holds WHERE subject_type = 'ticket' AND subject_id = OLD.id AND lifted_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'on legal hold');
END;
