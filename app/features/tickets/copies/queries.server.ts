import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { referenceNumber } from "~/lib/reference-number";
import { viewerOf } from "../conversation/reply-as-client.server";
import { mayChangeAsClient } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";
import { COPIES_MAX, type CopiesPage, type TicketCopy } from "./model";

/** Lists the addresses that get copies of a ticket, in the order in which they were added. */
export const listCopies = (db: Db, ticketId: string): Promise<TicketCopy[]> =>
  db.all(
    sql`SELECT id, email FROM ticket_copies WHERE ticket_id = ${ticketId} ORDER BY added_at, id LIMIT ${COPIES_MAX}`,
  );

/** Tells whether the people of an organization may add addresses. */
export async function allowsCopies(db: Db, organizationId: string): Promise<boolean> {
  const [row] = await db.all<{ allowed: number }>(
    sql`SELECT allows_copies AS allowed FROM organizations WHERE id = ${organizationId}`,
  );
  return row?.allowed === 1;
}

/** Tells whether a client may change who gets copies of a ticket: if its organization allows them, whoever may change it. */
export const mayChangeCopies = async (db: Db, ticket: StoredTicket, { userId, membership }: MemberActor) =>
  mayChangeAsClient({ userId, role: membership.role }, { createdBy: ticket.creator.id }) &&
  (await allowsCopies(db, ticket.organization.id));

/** Reads the page for staff. Null: there is no such ticket. */
export async function readCopiesForStaff(db: Db, ref: string): Promise<CopiesPage | null> {
  const ticket = await findTicketForStaff(db, ref);
  return ticket && pageOf(db, ticket);
}

/** Reads the page for a client. Null: no such ticket, or not theirs to change. */
export async function readCopiesForClient(db: Db, actor: MemberActor, ref: string): Promise<CopiesPage | null> {
  const ticket = await findTicketForClient(db, ref, viewerOf(actor));
  return ticket && (await mayChangeCopies(db, ticket, actor)) ? pageOf(db, ticket) : null;
}

async function pageOf(db: Db, { id, number, title, isPrivate }: StoredTicket): Promise<CopiesPage> {
  const copies = await listCopies(db, id);
  const closed = isPrivate
    ? "The ticket is private: no copies are sent."
    : copies.length >= COPIES_MAX
      ? `A ticket has at most ${COPIES_MAX} addresses.`
      : null;
  return { reference: referenceNumber("ticket", number), title, copies, closed };
}
