import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Db, Statement } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import type { StaffActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { contactIdOf, isOurAddress, listContacts } from "~/features/contacts/queries.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { ok, type Result } from "~/lib/errors";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { withoutViewer, withViewer } from "./access.server";
import { endProposal } from "./cc/queries.server";
import { changeTicket } from "./change-ticket.server";
import { ADDRESS_OF_OURS, DETAILS_NOT_SAVED, REQUESTER_CHANGED } from "./labels";
import { asStaff, type TicketActor } from "./model";
import {
  creatorStatements,
  mailToContact,
  type OpeningError,
  type Requester,
  readOpeningContext,
} from "./opening/open-ticket.server";
import { listOpeningMembers, requesterOf, requesterRefusal } from "./opening/staff-opening.server";
import { staffTicketPath } from "./paths";
import { findTicketForStaff, type StoredTicket } from "./queries.server";

export async function readRequesterChange(db: Db, ref: string) {
  const ticket = await findTicketForStaff(db, ref);
  if (!ticket) return null;
  const { number, title, organization, creator, contact } = ticket;
  const [people, { contacts, hasMoreContacts }] = await Promise.all([
    listOpeningMembers(db, { organizationId: organization.id }),
    listContacts(db, organization.id),
  ]);
  return {
    reference: referenceNumber("ticket", number),
    title,
    organization: organization.name,
    former: contact ? `${creator.name}, ${contact.email}` : creator.name,
    people: people.filter(({ id }) => id !== creator.id),
    hasMoreContacts,
    contacts: contacts.filter(({ id }) => id !== contact?.id).map(({ id, name, email }) => ({ id, name, email })),
  };
}

/**
 * Makes a ticket that of somebody else of its organization, who is told of it; whoever was not known becomes a contact.
 * The one before hears nothing more of it unless they are on it besides, and no mail to them lets anybody write on it.
 */
function changeRequester(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, requester, nonce }: { ticketId: string; requester: Requester; nonce: string },
): Promise<Result<string, "ticket_not_found" | "changed_since" | OpeningError>> {
  return changeTicket<OpeningError>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-requester",
    key: `${nonce}:${ticketId}`,
    choice: JSON.stringify(requester),
    plan: async (ticket) => {
      const { id, organization, creator: former } = ticket;
      const opening = await readOpeningContext(ctx.db, { organizationId: organization.id, requester });
      if (!opening.ok) return opening;
      const { creator, contact } = opening.value;
      const isSame = contact ? contact.email === ticket.contact?.email : creator.id === former.id;
      if (isSame) return ok(null);
      const copyId = ctx.newId("cpy");
      const mailed = { copyId, ticketId: id, organizationId: organization.id, by };
      const [copy] = contact ? await findCopy(ctx.db, id, contact.email) : [];
      return ok({
        events: [{ kind: "requester", from: former.name, to: creator.name }],
        statements: [
          ...creatorStatements(ctx, organization.id, opening.value),
          ...formerLeaves(ctx, ticket),
          ctx.db
            .update(tickets)
            .set({
              created_by: creator.id,
              creator_name: creator.name,
              contact_id: contact ? contactIdOf(organization.id, contact.email) : null,
            })
            .where(eq(tickets.id, id)),
          ...(creator.id === null ? [] : creatorSees(ctx, id, creator.id)),
          ...(contact ? mailToContact(ctx, { ...mailed, email: contact.email }) : []),
        ],
        audit: [
          {
            action: "ticket.requester_changed",
            meta: {
              ...{ from: former.name, to: creator.name },
              people: {
                from: former.id ?? (ticket.contact && recipientHash(ctx, ticket.contact.email)),
                to: creator.id ?? (contact && recipientHash(ctx, contact.email)),
              },
            },
          },
        ],
        notification: creator.id
          ? { personAdded: { id: creator.id, name: creator.name } }
          : { ccAdded: copy?.id ?? copyId },
        label: `Requester: ${creator.name}`,
      });
    },
  });
}

/** Finds the row by which an address is in cc already, and which it keeps. */
const findCopy = (db: Db, ticketId: string, email: string): Promise<{ id: string }[]> =>
  db.all(sql`SELECT id FROM ticket_copies
    WHERE ticket_id = ${ticketId} AND email = ${email} AND removed_at IS NULL`);

/**
 * What a contact was mailed stays on record, as that of an address which is off the ticket; what waits goes. Whoever
 * was added to the ticket besides goes on seeing it.
 */
const formerLeaves = ({ db, now }: Pick<Ctx, "db" | "now">, { id, creator, contact }: StoredTicket): Statement[] => [
  ...(contact
    ? [
        db.delete(outbox).where(
          sql`${outbox.status} = 'pending' AND ${outbox.copy_id} IN (SELECT c.id FROM ticket_copies c
            WHERE c.ticket_id = ${id} AND c.contact_id = ${contact.id})`,
        ),
        db
          .update(ticketCopies)
          .set({ removed_at: now(), contact_id: null })
          .where(and(eq(ticketCopies.ticket_id, id), eq(ticketCopies.contact_id, contact.id))),
      ]
    : []),
  ...(creator.id === null
    ? []
    : [
        db
          .update(tickets)
          .set(withoutViewer(creator.id))
          .where(
            sql`${eq(tickets.id, id)} AND NOT EXISTS (SELECT 1 FROM ticket_people p
              WHERE p.ticket_id = ${id} AND p.user_id = ${creator.id})`,
          ),
        // What they were to be told and has not left is not theirs any more.
        db.delete(outbox).where(
          sql`${outbox.user_id} = ${creator.id} AND ${outbox.subject_type} = 'ticket' AND ${outbox.subject_id} = ${id}
            AND ${outbox.status} = 'pending' AND NOT EXISTS (SELECT 1 FROM ticket_people p
              WHERE p.ticket_id = ${id} AND p.user_id = ${creator.id})`,
        ),
      ]),
];

const creatorSees = ({ db }: Pick<Ctx, "db">, id: string, userId: string): Statement[] => [
  db.update(tickets).set(withViewer(userId)).where(eq(tickets.id, id)),
  // Their own ticket is nothing that they were added to.
  db.delete(ticketPeople).where(and(eq(ticketPeople.ticket_id, id), eq(ticketPeople.user_id, userId))),
  endProposal(db, id, sql`(SELECT email FROM users WHERE id = ${userId})`),
];

/** What was typed is kept as it was, and read with the list of people: see `requesterOf`. */
const text = z.string().max(400).optional();
const RequesterForm = z.object({ person: text, requester_name: text, requester_email: text });

export const requesterActions = formActions<StaffActor, { ticket: string }, ValidationError>({ intentField: null })({
  change: {
    failed: DETAILS_NOT_SAVED,
    ability: "ticket.handle",
    purpose: "ticket-requester",
    form: RequesterForm,
    invalid: invalidForm(DETAILS_NOT_SAVED),
    run: async (ctx, actor, { params, input, nonce }) => {
      const { requester, errors } = requesterOf(input);
      const again = (problems: FieldErrors, title: string = TITLES.validation) =>
        invalid<ValidationError>({ title, errors: problems, values: input });
      if ("contact" in requester && (await isOurAddress(ctx, requester.contact.email)))
        errors.requester_email = ADDRESS_OF_OURS;
      if (Object.keys(errors).length > 0) return again(errors);
      const changed = await changeRequester(ctx, asStaff(actor), { ticketId: params.ticket, requester, nonce });
      if (changed.ok)
        return done({ to: staffTicketPath(params.ticket), flash: { kind: "success", ...REQUESTER_CHANGED } });
      if (changed.code === "ticket_not_found" || changed.code === "organization_not_found") return notFound();
      if (changed.code === "changed_since") return again({ form: CHANGED_SINCE }, DETAILS_NOT_SAVED);
      return again(requesterRefusal(changed.code, requester));
    },
  },
});
