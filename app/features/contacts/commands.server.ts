import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { expectChange, type Statement } from "~/db/client.server";
import { contacts, otherAddresses } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { organizationSubject } from "~/features/organizations/model";
import { nameColumns } from "~/features/users/model";
import { fail, ok, type Result } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { isNotErased, shortened } from "./queries.server";

export type NamedContact = {
  email: string;
  fullName: string;
  phone: string;
  /** Nobody but they themselves says that they are one of the organization. */
  isUnasked?: boolean;
};

/**
 * Makes somebody a contact of an organization. Of one who is, name and phone are as they were typed last, and whoever
 * types them has looked at them. Where the organization wants it, staff look at those who have come by themselves.
 */
export function saveContact(
  { db, newId, now }: Pick<Ctx, "db" | "newId" | "now">,
  organizationId: string,
  { email, fullName, phone, isUnasked = false }: NamedContact,
  id = newId("con"),
): Statement {
  const wantsReview = sql`(SELECT ${now()} FROM organizations o WHERE o.id = ${organizationId} AND o.reviews_contacts = 1)`;
  return db
    .insert(contacts)
    .values({
      id,
      organization_id: organizationId,
      email,
      ...nameColumns(fullName),
      phone,
      created_at: now(),
      needs_review_at: isUnasked ? wantsReview : null,
    })
    .onConflictDoUpdate({
      target: [contacts.email, contacts.organization_id],
      set: {
        ...nameColumns(fullName),
        phone: sql`iif(excluded.phone = '', ${contacts.phone}, excluded.phone)`,
        ...(isUnasked ? {} : KNOWN),
      },
    });
}

const KNOWN = { needs_review_at: null, refused_at: null };

/** Makes a contact known again whom staff had refused, or had not looked at. */
export const acceptContact = ({ db }: Pick<Ctx, "db">, id: string): Statement =>
  db.update(contacts).set(KNOWN).where(eq(contacts.id, id));

type ReviewedContact = {
  email: string;
  organization: string;
  needsReview: number;
  isRefused: number;
};

type Review = { contactId: string; organizationId: string; isOurs: boolean; nonce: string };

/**
 * Says of a contact whom their first mail has made one whether they are one of the organization. If not, no ticket of
 * it is mailed to their address any more, and what they write is held. `decided`: a colleague has said the other.
 */
export function reviewContact(
  ctx: Ctx,
  actor: StaffActor,
  { contactId, organizationId, isOurs, nonce }: Review,
): Promise<Result<string, "contact_not_found" | "decided">> {
  const { db } = ctx;
  const isTheirs = and(eq(contacts.id, contactId), eq(contacts.organization_id, organizationId));
  return runCommand(
    ctx,
    { scope: "contact-review", key: `${nonce}:${contactId}` },
    {
      read: async () => {
        const [row] = await db.all<ReviewedContact>(sql`
          SELECT c.email, o.name AS organization, c.needs_review_at IS NOT NULL AS needsReview,
            c.refused_at IS NOT NULL AS isRefused
          FROM contacts c JOIN organizations o ON o.id = c.organization_id
          WHERE c.id = ${contactId} AND c.organization_id = ${organizationId} AND ${isNotErased(contactId)}`);
        return row;
      },
      plan: (contact): Planned<"contact_not_found" | "decided"> => {
        if (!contact) return fail("contact_not_found");
        if (contact.needsReview === 0)
          return (contact.isRefused === 0) === isOurs ? ok({ resultId: contactId }) : fail("decided");
        return ok({
          resultId: contactId,
          expects: [{ that: stillAllowed(actor, "ticket.handle", ""), otherwise: "contact_not_found" }],
          statements: [
            db
              .update(contacts)
              .set({ needs_review_at: null, refused_at: isOurs ? null : ctx.now() })
              .where(and(isTheirs, eq(contacts.email, contact.email), isNotNull(contacts.needs_review_at))),
            expectChange(db),
            ...(isOurs ? [] : endMails(ctx, { email: contact.email, organizationId })),
            // Without the organization, whose owner may read its audit.
            recordAudit(ctx, isOurs ? "organization.contact_confirmed" : "organization.contact_refused", {
              subject: organizationSubject({ id: organizationId, name: contact.organization }),
              meta: { person: shortened(contact.email) },
            }),
          ],
        });
      },
    },
  );
}

/** Takes a further address from a person: what comes from it is held again. What is written in their name stays. */
export const removeAddress = (
  ctx: Ctx,
  actor: StaffActor,
  { email, nonce }: { email: string; nonce: string },
): Promise<Result<string, "not_allowed">> =>
  runCommand(
    ctx,
    { scope: "address-remove", key: `${nonce}:${email}` },
    {
      read: async () => {
        const [row] = await ctx.db.all<{ userId: string | null; organizationId: string | null; name: string }>(sql`
          SELECT a.user_id AS userId, c.organization_id AS organizationId, coalesce(u.full_name, o.name) AS name
          FROM other_addresses a LEFT JOIN users u ON u.id = a.user_id LEFT JOIN contacts c ON c.id = a.contact_id
            LEFT JOIN organizations o ON o.id = c.organization_id WHERE a.email = ${email}`);
        return row;
      },
      plan: (row): Planned<"not_allowed"> => {
        if (!row) return ok({ resultId: email });
        return ok({
          resultId: email,
          expects: [{ that: stillAllowed(actor, "ticket.handle", ""), otherwise: "not_allowed" }],
          statements: [
            ctx.db.delete(otherAddresses).where(eq(otherAddresses.email, email)),
            addressAudit(ctx, "user.address_removed", { ...row, email }),
          ],
        });
      },
    },
  );

type AddressOf = { userId: string | null; organizationId: string | null; name: string; email: string };

/** Of a contact without the organization, whose owner may read its audit. */
export const addressAudit = (
  ctx: Ctx,
  action: "user.address_added" | "user.address_removed",
  { userId, organizationId, name, email }: AddressOf,
): Statement =>
  recordAudit(ctx, action, {
    subject: userId
      ? { type: "user", id: userId, label: name }
      : organizationSubject({ id: organizationId ?? "", name }),
    meta: { person: shortened(email) },
  });

/** Takes an address off all tickets of an organization, with what waits for it. What it was mailed stays on record. */
function endMails(
  { db, now }: Pick<Ctx, "db" | "now">,
  { email, organizationId }: { email: string; organizationId: string },
): Statement[] {
  const theirs = sql`SELECT c.id FROM ticket_copies c WHERE c.email = ${email} AND c.organization_id = ${organizationId}`;
  return [
    db.delete(outbox).where(sql`${outbox.status} = 'pending' AND ${outbox.copy_id} IN (${theirs})`),
    db
      .update(ticketCopies)
      .set({ removed_at: now(), contact_id: null })
      .where(sql`${ticketCopies.id} IN (${theirs}) AND ${ticketCopies.removed_at} IS NULL`),
  ];
}

/**
 * Makes the contacts of a ticket, and those who have written on it, contacts of its new organization, where they may be
 * known already, or have an account, which takes over. Its person belongs there, and who writes from a domain of it:
 * they leave the former one if this ticket was all they had there. Whoever else has written on it does not, and their
 * next mail is none of its. Somebody who is being erased stays who they were: that is how the erasure finds what they
 * have written.
 */
export function moveContacts(
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticketId, organizationId, formerId }: { ticketId: string; organizationId: string; formerId: string },
): Statement[] {
  const itsPerson = sql`(SELECT contact_id FROM support_tickets WHERE id = ${ticketId})`;
  const ofTicket = sql`(SELECT contact_id FROM support_tickets WHERE id = ${ticketId}
    UNION SELECT contact_id FROM ticket_messages WHERE ticket_id = ${ticketId}
    UNION SELECT contact_id FROM ticket_copies WHERE ticket_id = ${ticketId})`;
  const there = (id: SQL) => sql`(SELECT moved.id FROM contacts former
    JOIN contacts moved ON moved.email = former.email AND moved.organization_id = ${organizationId}
    WHERE former.id = ${id})`;
  const belongs = sql`(id = ${itsPerson} OR EXISTS (SELECT 1 FROM organization_domains d
    WHERE d.organization_id = ${organizationId} AND d.domain = substr(email, instr(email, '@') + 1)))`;
  const moves = (id: SQL) => sql`${there(id)} IS NOT NULL AND ${isNotErased(id)}`;
  return [
    db
      .insert(contacts)
      .select(sql`
        SELECT 'con_' || lower(hex(randomblob(13))), ${organizationId}, email, full_name, phone, ${now()}, NULL,
          needs_review_at, iif(${belongs}, NULL, ${now()}), NULL, search_name
        FROM contacts
        WHERE id IN ${ofTicket} AND ${isNotErased(sql`contacts.id`)}`)
      .onConflictDoNothing(),
    db
      .update(otherAddresses)
      .set({ contact_id: there(sql`${otherAddresses.contact_id}`) })
      .where(sql`${otherAddresses.contact_id} IN ${ofTicket} AND ${moves(sql`${otherAddresses.contact_id}`)}`),
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
    db.delete(contacts).where(sql`organization_id = ${formerId}
      AND email IN (SELECT email FROM contacts WHERE id IN ${ofTicket} AND ${belongs})
      AND created_at >= coalesce((SELECT r.added_at FROM imported_records r WHERE r.target_id = ${ticketId}),
        (SELECT t.created_at FROM support_tickets t WHERE t.id = ${ticketId}))
      AND NOT EXISTS (SELECT 1 FROM imported_records r JOIN imports i ON i.id = r.import_id
        WHERE r.target_id = contacts.id AND i.kind = 'people')
      AND ${isNotErased(sql`contacts.id`)}
      AND NOT EXISTS (SELECT 1 FROM support_tickets t WHERE t.contact_id = contacts.id)
      AND NOT EXISTS (SELECT 1 FROM ticket_messages m WHERE m.contact_id = contacts.id)
      AND NOT EXISTS (SELECT 1 FROM ticket_copies c WHERE c.contact_id = contacts.id)`),
    db
      .update(contacts)
      .set({
        member_id: sql`(SELECT u.id FROM users u JOIN organization_memberships m ON m.user_id = u.id
          AND m.organization_id = ${organizationId} AND m.status = 'active' WHERE u.email = ${contacts.email})`,
      })
      .where(sql`${contacts.organization_id} = ${organizationId} AND ${contacts.id} IN ${ofTicket}`),
  ];
}
