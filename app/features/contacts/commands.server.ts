import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { contacts } from "~/db/schema/organizations";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import { nameColumns } from "~/features/users/model";
import type { Ctx } from "~/platform/context.server";
import { isNotErased } from "./queries.server";

export type NamedContact = { email: string; fullName: string; phone: string };

/** Makes somebody a contact of an organization. Of one who is, name and phone are as they were typed last. */
export function saveContact(
  { db, newId, now }: Pick<Ctx, "db" | "newId" | "now">,
  organizationId: string,
  { email, fullName, phone }: NamedContact,
  id = newId("con"),
): Statement {
  return db
    .insert(contacts)
    .values({
      id,
      organization_id: organizationId,
      email,
      ...nameColumns(fullName),
      phone,
      created_at: now(),
    })
    .onConflictDoUpdate({
      target: [contacts.email, contacts.organization_id],
      set: { ...nameColumns(fullName), phone: sql`iif(excluded.phone = '', ${contacts.phone}, excluded.phone)` },
    });
}

/**
 * Makes the contacts of a ticket, and those who have written on it, contacts of its new organization, where they may be
 * known already, or have an account, which takes over. Somebody who is being erased stays who they were: that is how
 * the erasure finds what they have written.
 */
export function moveContacts(
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticketId, organizationId }: { ticketId: string; organizationId: string },
): Statement[] {
  const ofTicket = sql`(SELECT contact_id FROM support_tickets WHERE id = ${ticketId}
    UNION SELECT contact_id FROM ticket_messages WHERE ticket_id = ${ticketId}
    UNION SELECT contact_id FROM ticket_copies WHERE ticket_id = ${ticketId})`;
  const there = (id: SQL) => sql`(SELECT moved.id FROM contacts former
    JOIN contacts moved ON moved.email = former.email AND moved.organization_id = ${organizationId}
    WHERE former.id = ${id})`;
  const moves = (id: SQL) => sql`${there(id)} IS NOT NULL AND ${isNotErased(id)}`;
  return [
    db
      .insert(contacts)
      .select(sql`
        SELECT 'con_' || lower(hex(randomblob(13))), ${organizationId}, email, full_name, phone, ${now()}, NULL, NULL,
          search_name
        FROM contacts
        WHERE id IN ${ofTicket} AND ${isNotErased(sql`contacts.id`)}`)
      .onConflictDoNothing(),
    // Before the rows by which its contacts are known.
    db
      .update(ticketEvents)
      .set({ actor_id: there(sql`${ticketEvents.actor_id}`) })
      .where(
        sql`${ticketEvents.ticket_id} = ${ticketId} AND ${ticketEvents.actor_id} IN ${ofTicket}
          AND ${moves(sql`${ticketEvents.actor_id}`)}`,
      ),
    ...[ticketMessages, ticketCopies].map((table) =>
      db
        .update(table)
        .set({ contact_id: there(sql`${table.contact_id}`) })
        .where(and(eq(table.ticket_id, ticketId), moves(sql`${table.contact_id}`))),
    ),
    db
      .update(tickets)
      .set({ contact_id: there(sql`${tickets.contact_id}`) })
      .where(and(eq(tickets.id, ticketId), moves(sql`${tickets.contact_id}`))),
    db
      .update(contacts)
      .set({
        member_id: sql`(SELECT u.id FROM users u JOIN organization_memberships m ON m.user_id = u.id
          AND m.organization_id = ${organizationId} AND m.status = 'active' WHERE u.email = ${contacts.email})`,
      })
      .where(sql`${contacts.organization_id} = ${organizationId} AND ${contacts.id} IN ${ofTicket}`),
  ];
}
