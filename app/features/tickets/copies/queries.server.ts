import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { mailboxOf } from "~/lib/email";
import { referenceNumber } from "~/lib/reference-number";
import { viewerOf } from "../access.server";
import { mayChangeAsClient } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";
import { CLOSED, COPIES_MAX, type CopiesPage, type CopiesRule, type TicketCopy } from "./model";

/**
 * Lists the addresses that were added to get copies of a ticket, in the order in which they were. Those that get none,
 * because they asked for no more, are among them: nobody is told.
 */
export const listCopies = (db: Db, ticketId: string): Promise<TicketCopy[]> =>
  db.all(
    sql`SELECT id, email FROM ticket_copies WHERE ticket_id = ${ticketId} AND removed_at IS NULL ORDER BY added_at, id
      LIMIT ${COPIES_MAX}`,
  );

/** Returns the mailbox of an address if it has asked for no more copies, of whatever ticket, else NULL. */
export const stoppedMailbox = (email: string) =>
  sql<
    string | null
  >`(SELECT s.stopped_mailbox FROM ticket_copies s WHERE s.stopped_mailbox = ${mailboxOf(email)} LIMIT 1)`;

/**
 * Returns whether the people of an organization may add addresses, as a `CopiesRule`: it allows them and has been
 * reviewed, so that nobody makes an organization to mail strangers.
 */
export const copiesRule = (organizationId: string): SQL<CopiesRule> =>
  sql`(SELECT CASE WHEN a.allows_copies = 0 THEN 'off' WHEN a.needs_review_at IS NOT NULL THEN 'in_review' ELSE 'open' END
    FROM organizations a WHERE a.id = ${organizationId})`;

/** Tells whether a client may see and take off the addresses of a ticket: whoever may change it. */
export const mayChangeCopies = (ticket: StoredTicket, { userId, membership }: MemberActor): boolean =>
  mayChangeAsClient({ userId, role: membership.role }, { createdBy: ticket.creator.id });

/** Reads the page for staff. Null: there is no such ticket. */
export async function readCopiesForStaff(db: Db, ref: string): Promise<CopiesPage | null> {
  const ticket = await findTicketForStaff(db, ref);
  return ticket && pageOf(db, ticket, sql`'open'`);
}

/** Reads the page for a client. Null: no such ticket, or not theirs to change. */
export async function readCopiesForClient(db: Db, actor: MemberActor, ref: string): Promise<CopiesPage | null> {
  const ticket = await findTicketForClient(db, ref, viewerOf(actor));
  return ticket && mayChangeCopies(ticket, actor) ? pageOf(db, ticket, copiesRule(ticket.organization.id)) : null;
}

async function pageOf(db: Db, ticket: StoredTicket, rule: SQL<CopiesRule>): Promise<CopiesPage> {
  const { id, number, title, isPrivate } = ticket;
  const [copies, [row]] = await Promise.all([
    listCopies(db, id),
    db.all<{ rule: CopiesRule }>(sql`SELECT ${rule} AS rule`),
  ]);
  const closed = closedBecause({ isPrivate, rule: row?.rule ?? "off", count: copies.length });
  return { reference: referenceNumber("ticket", number), title, copies, closed };
}

type CopyRules = { isPrivate: boolean; rule: CopiesRule; count: number };

function closedBecause({ isPrivate, rule, count }: CopyRules): string | null {
  if (isPrivate) return "The ticket is private: no copies are sent.";
  if (rule !== "open") return `${CLOSED[rule]}.`;
  return count >= COPIES_MAX ? `A ticket has at most ${COPIES_MAX} addresses.` : null;
}
