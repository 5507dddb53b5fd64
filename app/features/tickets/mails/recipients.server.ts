import { type SQL, sql } from "drizzle-orm";
import { activeStaff } from "~/features/notifications/notify-people.server";

/*
 * Queries for people who hear of a ticket: `user_id`, and `organization_id` for those who read it in the portal. They
 * run inside the batch of a change and after it, so that the new assignee hears of it, and nobody who was just removed.
 */

const ticketWhere = (id: string, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM support_tickets t WHERE t.id = ${id} AND ${condition})`;

export const allStaff: SQL = activeStaff;

/** Returns the query for the person a ticket is assigned to. */
export const assigneeOf = (id: string): SQL =>
  sql`${activeStaff} AND r.user_id = (SELECT assigned_to FROM support_tickets WHERE id = ${id})`;

/** Returns the query for those among some people who work here. */
export const staffAmong = (userIds: readonly string[]): SQL =>
  sql`${activeStaff} AND r.user_id IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`;

/** Returns the query for all staff, if a ticket is assigned to nobody, or to somebody who no longer works here. */
export const staffIfUnassigned = (id: string): SQL =>
  sql`${activeStaff} AND ${ticketWhere(
    id,
    sql`(t.assigned_to IS NULL OR NOT EXISTS (SELECT 1 FROM user_roles h JOIN users p ON p.id = h.user_id
      WHERE h.user_id = t.assigned_to AND h.role IN ('admin', 'moderator') AND p.status = 'active'))`,
  )}`;

/** Returns the query for a ticket's creator and the people on it who still belong to its organization. */
const readersOf = (id: string): SQL => sql`
  SELECT m.user_id, m.organization_id FROM support_tickets t
  JOIN (SELECT id AS ticket_id, created_by AS user_id FROM support_tickets WHERE id = ${id}
    UNION SELECT ticket_id, user_id FROM ticket_people WHERE ticket_id = ${id}) p ON p.ticket_id = t.id
  JOIN organization_memberships m ON m.user_id = p.user_id AND m.organization_id = t.organization_id
    AND m.status = 'active'
  JOIN users u ON u.id = m.user_id AND u.status = 'active'
  WHERE t.id = ${id}`;

/**
 * Returns the query for the clients who hear of a ticket: its creator and the people on it. If none of them belongs to
 * its organization any more, because they have left or it was moved, its owner and admins hear of it.
 */
export const clientsOn = (id: string): SQL => sql`${readersOf(id)} UNION ALL
  SELECT m.user_id, m.organization_id FROM support_tickets t
  JOIN organization_memberships m ON m.organization_id = t.organization_id AND m.role <> 'member'
    AND m.status = 'active'
  JOIN users u ON u.id = m.user_id AND u.status = 'active'
  WHERE t.id = ${id} AND NOT EXISTS (${readersOf(id)})`;

/** Returns the query for one of a ticket's creator and the people on it. */
export const clientOn = (id: string, userId: string | null): SQL => sql`${readersOf(id)} AND m.user_id = ${userId}`;
