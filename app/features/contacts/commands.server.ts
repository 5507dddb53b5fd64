import { and, eq, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { contacts } from "~/db/schema/organizations";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import { nameColumns } from "~/features/users/model";
import type { Ctx } from "~/platform/context.server";
import { contactIdOf, isNotErased } from "./queries.server";

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
 * Makes the person of a ticket one of its new organization, where they may be known already, or have an account, which
 * takes it over. Somebody who is being erased stays who they were: that is how the erasure finds what they have
 * written.
 */
export function moveContact(
  { db, newId, now }: Pick<Ctx, "db" | "newId" | "now">,
  { id, email }: { id: string; email: string },
  { ticketId, organizationId }: { ticketId: string; organizationId: string },
): Statement[] {
  const moved = contactIdOf(organizationId, email);
  return [
    db
      .insert(contacts)
      .select(sql`
        SELECT ${newId("con")}, ${organizationId}, email, full_name, phone, ${now()}, NULL, NULL, search_name
        FROM contacts
        WHERE id = ${id} AND ${isNotErased(id)}`)
      .onConflictDoNothing(),
    ...[ticketMessages, ticketCopies].map((table) =>
      db
        .update(table)
        .set({ contact_id: moved })
        .where(and(eq(table.ticket_id, ticketId), eq(table.contact_id, id), isNotErased(id))),
    ),
    db
      .update(ticketEvents)
      .set({ actor_id: moved })
      .where(and(eq(ticketEvents.ticket_id, ticketId), eq(ticketEvents.actor_id, id), isNotErased(id))),
    db
      .update(tickets)
      .set({ contact_id: moved })
      .where(and(eq(tickets.id, ticketId), eq(tickets.contact_id, id), isNotErased(id))),
    db
      .update(contacts)
      .set({
        member_id: sql`(SELECT u.id FROM users u JOIN organization_memberships m ON m.user_id = u.id
          AND m.organization_id = ${organizationId} AND m.status = 'active' WHERE u.email = ${email})`,
      })
      .where(and(eq(contacts.organization_id, organizationId), eq(contacts.email, email))),
  ];
}
