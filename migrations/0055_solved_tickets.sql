-- Of the closed tickets, those that had been resolved before: they count as solved.
ALTER TABLE ticket_counts ADD closed_after_resolved integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER ticket_counted;
--> statement-breakpoint
CREATE TRIGGER ticket_counted AFTER INSERT ON support_tickets BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'ticket.' || NEW.status;
  INSERT INTO ticket_counts(organization_id, open, in_progress, waiting_for_customer, resolved, closed, closed_after_resolved)
  VALUES (NEW.organization_id, NEW.status = 'open', NEW.status = 'in_progress',
    NEW.status = 'waiting_for_customer', NEW.status = 'resolved', NEW.status = 'closed',
    NEW.status = 'closed' AND coalesce(NEW.resolved_at < NEW.closed_at, 0))
  ON CONFLICT(organization_id) DO UPDATE SET open = open + excluded.open,
    in_progress = in_progress + excluded.in_progress,
    waiting_for_customer = waiting_for_customer + excluded.waiting_for_customer,
    resolved = resolved + excluded.resolved, closed = closed + excluded.closed,
    closed_after_resolved = closed_after_resolved + excluded.closed_after_resolved;
  UPDATE organizations SET ticket_count = ticket_count + 1,
    active_ticket_count = active_ticket_count + (NEW.status NOT IN ('resolved', 'closed'))
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
DROP TRIGGER ticket_recounted;
--> statement-breakpoint
CREATE TRIGGER ticket_recounted AFTER UPDATE OF status, organization_id ON support_tickets
WHEN OLD.status <> NEW.status OR OLD.organization_id <> NEW.organization_id BEGIN
  UPDATE totals SET value = value + (name = 'ticket.' || NEW.status) - (name = 'ticket.' || OLD.status)
  WHERE name IN ('ticket.' || OLD.status, 'ticket.' || NEW.status);
  UPDATE ticket_counts SET open = open - (OLD.status = 'open'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer - (OLD.status = 'waiting_for_customer'),
    resolved = resolved - (OLD.status = 'resolved'), closed = closed - (OLD.status = 'closed'),
    closed_after_resolved = closed_after_resolved - (OLD.status = 'closed' AND coalesce(OLD.resolved_at < OLD.closed_at, 0))
  WHERE organization_id = OLD.organization_id;
  INSERT INTO ticket_counts(organization_id, open, in_progress, waiting_for_customer, resolved, closed, closed_after_resolved)
  VALUES (NEW.organization_id, NEW.status = 'open', NEW.status = 'in_progress',
    NEW.status = 'waiting_for_customer', NEW.status = 'resolved', NEW.status = 'closed',
    NEW.status = 'closed' AND coalesce(NEW.resolved_at < NEW.closed_at, 0))
  ON CONFLICT(organization_id) DO UPDATE SET open = open + excluded.open,
    in_progress = in_progress + excluded.in_progress,
    waiting_for_customer = waiting_for_customer + excluded.waiting_for_customer,
    resolved = resolved + excluded.resolved, closed = closed + excluded.closed,
    closed_after_resolved = closed_after_resolved + excluded.closed_after_resolved;
  UPDATE organizations SET
    ticket_count = ticket_count + (id = NEW.organization_id) - (id = OLD.organization_id),
    active_ticket_count = active_ticket_count
      + (id = NEW.organization_id) * (NEW.status NOT IN ('resolved', 'closed'))
      - (id = OLD.organization_id) * (OLD.status NOT IN ('resolved', 'closed'))
  WHERE id IN (OLD.organization_id, NEW.organization_id);
END;
--> statement-breakpoint
DROP TRIGGER ticket_uncounted;
--> statement-breakpoint
CREATE TRIGGER ticket_uncounted AFTER DELETE ON support_tickets BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'ticket.' || OLD.status;
  UPDATE ticket_counts SET open = open - (OLD.status = 'open'), in_progress = in_progress - (OLD.status = 'in_progress'),
    waiting_for_customer = waiting_for_customer - (OLD.status = 'waiting_for_customer'),
    resolved = resolved - (OLD.status = 'resolved'), closed = closed - (OLD.status = 'closed'),
    closed_after_resolved = closed_after_resolved - (OLD.status = 'closed' AND coalesce(OLD.resolved_at < OLD.closed_at, 0))
  WHERE organization_id = OLD.organization_id;
  UPDATE organizations SET ticket_count = ticket_count - 1,
    active_ticket_count = active_ticket_count - (OLD.status NOT IN ('resolved', 'closed'))
  WHERE id = OLD.organization_id;
END;
