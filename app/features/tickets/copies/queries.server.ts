import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { mailboxOf } from "~/lib/email";
import { referenceNumber } from "~/lib/reference-number";
import { viewerOf } from "../conversation/reply-as-client.server";
import { mayChangeAsClient } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";
import { COPIES_MAX, type CopiesPage, type TicketCopy } from "./model";

/** Lists the addresses that get copies of a ticket, in the order in which they were added. */
export const listCopies = (db: Db, ticketId: string): Promise<TicketCopy[]> =>
  db.all(
    sql`SELECT id, email FROM ticket_copies WHERE ticket_id = ${ticketId} AND stopped_at IS NULL ORDER BY added_at, id
      LIMIT ${COPIES_MAX}`,
  );

/** Returns the condition that a mailbox has asked for no more copies, of whatever ticket. */
export const hasStoppedCopies = (email: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ticket_copies s WHERE s.stopped_mailbox = ${mailboxOf(email)})`;

/**
 * Returns the condition that the people of an organization may add addresses: it allows them and has been reviewed, so
 * that nobody makes an organization to mail strangers.
 */
export const allowsCopies = (organizationId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM organizations a WHERE a.id = ${organizationId} AND a.allows_copies = 1
    AND a.needs_review_at IS NULL)`;

/** Tells whether a client may see and take off the addresses of a ticket: whoever may change it. */
export const mayChangeCopies = (ticket: StoredTicket, { userId, membership }: MemberActor): boolean =>
  mayChangeAsClient({ userId, role: membership.role }, { createdBy: ticket.creator.id });

/** Reads the page for staff. Null: there is no such ticket. */
export async function readCopiesForStaff(db: Db, ref: string): Promise<CopiesPage | null> {
  const ticket = await findTicketForStaff(db, ref);
  return ticket && pageOf(db, ticket, sql`1`);
}

/** Reads the page for a client. Null: no such ticket, or not theirs to change. */
export async function readCopiesForClient(db: Db, actor: MemberActor, ref: string): Promise<CopiesPage | null> {
  const ticket = await findTicketForClient(db, ref, viewerOf(actor));
  return ticket && mayChangeCopies(ticket, actor) ? pageOf(db, ticket, allowsCopies(ticket.organization.id)) : null;
}

async function pageOf(db: Db, ticket: StoredTicket, isAllowed: SQL): Promise<CopiesPage> {
  const { id, number, title, isPrivate } = ticket;
  const [copies, [row]] = await Promise.all([
    listCopies(db, id),
    db.all<{ isAllowed: number }>(sql`SELECT ${isAllowed} AS isAllowed`),
  ]);
  const closed = closedBecause({ isPrivate, isAllowed: row?.isAllowed === 1, count: copies.length });
  return { reference: referenceNumber("ticket", number), title, copies, closed };
}

type CopyRules = { isPrivate: boolean; isAllowed: boolean; count: number };

function closedBecause({ isPrivate, isAllowed, count }: CopyRules): string | null {
  if (isPrivate) return "The ticket is private: no copies are sent.";
  if (!isAllowed) return "Your organization cannot add addresses now.";
  return count >= COPIES_MAX ? `A ticket has at most ${COPIES_MAX} addresses.` : null;
}
