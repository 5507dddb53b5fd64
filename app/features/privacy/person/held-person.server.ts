import { type SQL, sql } from "drizzle-orm";
import { HOLDS_IN_FORCE, isOnHold } from "~/features/subjects/legal-hold.server";
import type { Person } from "../model";

/** Returns the condition that a person has left an organization on hold, or has written on its tickets. */
const hasLeftHeld = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${HOLDS_IN_FORCE} h
  WHERE h.subject_type = 'organization' AND (
    EXISTS (SELECT 1 FROM audit_events e INDEXED BY audit_by_subject WHERE e.subject_type = 'user'
      AND e.subject_id = ${userId} AND e.org_id = h.subject_id
      AND e.action IN ('organization.member_removed', 'organization.member_left'))
    OR EXISTS (SELECT 1 FROM support_tickets t INDEXED BY tickets_by_creator
      WHERE t.created_by = ${userId} AND t.organization_id = h.subject_id)
    OR EXISTS (SELECT 1 FROM ticket_messages m INDEXED BY ticket_messages_by_author
      WHERE m.user_id = ${userId} AND m.organization_id = h.subject_id)))`;

/** Returns the condition that a person has opened a ticket on hold, or has written on it. */
const hasWrittenOnHeld = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${HOLDS_IN_FORCE} h
  CROSS JOIN support_tickets t ON t.id = h.subject_id WHERE h.subject_type = 'ticket' AND (t.created_by = ${userId}
    OR EXISTS (SELECT 1 FROM ticket_messages m WHERE m.ticket_id = t.id AND m.user_id = ${userId})))`;

/** Returns the condition that an address gets copies of a ticket on hold, or asked for no more of them. */
const hasCopiesOfHeld = (email: string): SQL => sql`EXISTS (SELECT 1 FROM ticket_copies c WHERE c.email = ${email}
  AND (${isOnHold("ticket", sql`c.ticket_id`)} OR ${isOnHold("organization", sql`c.organization_id`)}))`;

/**
 * Returns the condition that something of a person is on hold: themselves, a submission, a ticket they have written
 * on or get copies of, an organization they belong to or belonged to.
 */
export const isPersonHeld = ({ userId, email }: Person): SQL => sql`(${isOnHold("user", userId ?? "")}
  OR EXISTS (SELECT 1 FROM contact_submissions s WHERE s.email = ${email} AND ${isOnHold("submission", sql`s.id`)})
  OR EXISTS (SELECT 1 FROM organization_memberships m WHERE m.user_id = ${userId ?? ""}
    AND ${isOnHold("organization", sql`m.organization_id`)})
  OR ${hasLeftHeld(userId ?? "")} OR ${hasWrittenOnHeld(userId ?? "")}
  OR ${hasCopiesOfHeld(email)})`;
