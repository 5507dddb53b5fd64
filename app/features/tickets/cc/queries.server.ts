import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { proposedCopies, ticketCopies } from "~/db/schema/ticket-work";
import type { MemberActor } from "~/features/auth/guards.server";
import { adminEmail, isConfiguredAddress, PROGRAM_MAILBOX } from "~/features/contacts/queries.server";
import { withParams } from "~/lib/addresses";
import { EMAIL_MAX, isEmailAddress, mailboxOf, normalizeEmail } from "~/lib/email";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { readSigned, signed } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import { viewerOf } from "../access.server";
import { mayChangeAsClient } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";

export const CC_MAX = 10;

const STOP_CC_PATH = "/stop-copies";

/** Says whether the people of an organization may add addresses: it has not allowed it, is not reviewed yet, or may. */
export type CcRule = "off" | "in_review" | "open";

export const CLOSED: Record<Exclude<CcRule, "open">, string> = {
  off: "Your organization has not allowed copies. Its owner and admins can allow them",
  in_review: "Your organization is new here: you can add addresses as soon as we have reviewed it",
};

/** Limits what one mail proposes, and what waits or was ignored on one ticket. */
const PROPOSED_OF_MAIL = 10;
const PROPOSED_OF_TICKET = 50;

type WrittenMail = {
  ticketId: string;
  /** Null: it opened the ticket. */
  messageId: string | null;
  sender: string;
  envelopeTo: string;
  addresses: readonly string[];
};

/**
 * Returns the statements that propose to staff the addresses to which a client has written a mail too, but for ours,
 * those of staff, and those of people who are on the ticket. A private ticket has none.
 */
export function proposeCc(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  { ticketId, messageId, sender, envelopeTo, addresses }: WrittenMail,
): Statement[] {
  const isOurs = (email: string) =>
    isConfiguredAddress(ctx.config, email) || mailboxOf(email) === mailboxOf(envelopeTo);
  const proposed = [...new Set(addresses.map(normalizeEmail))]
    .filter((email) => email.length <= EMAIL_MAX && isEmailAddress(email) && !PROGRAM_MAILBOX.test(email))
    .filter((email) => email !== sender && !isOurs(email))
    .slice(0, PROPOSED_OF_MAIL);
  if (proposed.length === 0) return [];
  return [
    ctx.db
      .insert(proposedCopies)
      .select(sql`
        SELECT 'ccp_' || lower(hex(randomblob(13))), t.organization_id, t.id, x.value, ${messageId}, ${ctx.now()}, NULL
        FROM json_each(${JSON.stringify(proposed)}) x CROSS JOIN support_tickets t ON t.id = ${ticketId}
        WHERE t.is_private = 0
          AND (SELECT count(*) FROM proposed_copies p WHERE p.ticket_id = t.id) < ${PROPOSED_OF_TICKET}
          AND NOT EXISTS (SELECT 1 FROM ticket_copies c
            WHERE c.ticket_id = t.id AND c.email = x.value AND c.removed_at IS NULL)
          AND NOT EXISTS (SELECT 1 FROM users u WHERE u.email = x.value AND (u.is_staff = 1 OR u.id = t.created_by
            OR EXISTS (SELECT 1 FROM ticket_people q WHERE q.ticket_id = t.id AND q.user_id = u.id)))`)
      .onConflictDoNothing(),
  ];
}

export const endProposal = (db: Db, ticketId: string, email: string | SQL): Statement =>
  db.delete(proposedCopies).where(sql`ticket_id = ${ticketId} AND email = ${email}`);

export type ProposedCc = { id: string; email: string; by: string };

/** Lists what is proposed on a ticket. Our own address is none. */
export const listProposedCc = (db: Db, ticketId: string): Promise<ProposedCc[]> =>
  db.all(sql`
    SELECT p.id, p.email, coalesce(m.author_name, t.creator_name) AS "by"
    FROM proposed_copies p JOIN support_tickets t ON t.id = p.ticket_id
      LEFT JOIN ticket_messages m ON m.id = p.message_id
    WHERE p.ticket_id = ${ticketId} AND p.ignored_at IS NULL AND p.email <> lower(${adminEmail})
    ORDER BY p.proposed_at, p.id LIMIT ${PROPOSED_OF_TICKET}`);

type CcAddress = { id: string; email: string };

export type CcPage = {
  reference: string;
  title: string;
  copies: readonly CcAddress[];
  /** Says why no address can be added now. Null: one can. */
  closed: string | null;
};

/** The ticket is that of a contact whose mails are no copies. Whoever else answers by mail is in cc. */
const isNotRequester = sql`(ticket_copies.contact_id IS NULL OR ticket_copies.contact_id IS NOT
  (SELECT t.contact_id FROM support_tickets t WHERE t.id = ticket_copies.ticket_id))`;

/**
 * Lists the addresses that were added to get copies of a ticket, in the order in which they were. Those that get none,
 * because they asked for no more, are among them: nobody is told.
 */
export const listCc = (db: Db, ticketId: string): Promise<CcAddress[]> =>
  db.all(
    sql`SELECT id, email FROM ticket_copies WHERE ticket_id = ${ticketId} AND removed_at IS NULL AND ${isNotRequester}
      ORDER BY added_at, id
      LIMIT ${CC_MAX}`,
  );

/** Returns the condition that an address is in cc of a ticket, is that of its requester, or can be added. */
export const hasRoomForCc = (ticketId: string, email: string): SQL => sql`(
  EXISTS (SELECT 1 FROM ticket_copies WHERE ticket_id = ${ticketId} AND email = ${email} AND removed_at IS NULL)
  OR (SELECT count(*) FROM ticket_copies WHERE ticket_id = ${ticketId} AND removed_at IS NULL AND ${isNotRequester})
    < ${CC_MAX})`;

/** Returns the mailbox of an address if it has asked for no more copies, of whatever ticket, else NULL. */
export const stoppedMailbox = (email: string) =>
  sql<
    string | null
  >`(SELECT s.stopped_mailbox FROM ticket_copies s WHERE s.stopped_mailbox = ${mailboxOf(email)} LIMIT 1)`;

/**
 * Returns whether the people of an organization may add addresses, as a `CcRule`: it allows them and has been
 * reviewed, so that nobody makes an organization to mail strangers.
 */
export const ccRule = (organizationId: string): SQL<CcRule> =>
  sql`(SELECT CASE WHEN a.allows_copies = 0 THEN 'off' WHEN a.needs_review_at IS NOT NULL THEN 'in_review' ELSE 'open' END
    FROM organizations a WHERE a.id = ${organizationId})`;

const mayChangeCc = (ticket: StoredTicket, { userId, membership }: MemberActor): boolean =>
  mayChangeAsClient({ userId, role: membership.role }, { createdBy: ticket.creator.id });

export async function readCcForStaff(db: Db, ref: string): Promise<CcPage | null> {
  const ticket = await findTicketForStaff(db, ref);
  return ticket && pageOf(db, ticket, sql`'open'`);
}

/** Reads the page for a client. Null: no such ticket, or not theirs to change. */
export async function readCcForClient(db: Db, actor: MemberActor, ref: string): Promise<CcPage | null> {
  const ticket = await findTicketForClient(db, ref, viewerOf(actor));
  return ticket && mayChangeCc(ticket, actor) ? pageOf(db, ticket, ccRule(ticket.organization.id)) : null;
}

async function pageOf(db: Db, ticket: StoredTicket, rule: SQL<CcRule>): Promise<CcPage> {
  const { id, number, title, isPrivate } = ticket;
  const [copies, [row]] = await Promise.all([listCc(db, id), db.all<{ rule: CcRule }>(sql`SELECT ${rule} AS rule`)]);
  const closed = closedBecause({ isPrivate, rule: row?.rule ?? "off", count: copies.length });
  return { reference: referenceNumber("ticket", number), title, copies, closed };
}

function closedBecause({ isPrivate, rule, count }: { isPrivate: boolean; rule: CcRule; count: number }): string | null {
  if (isPrivate) return "The ticket is private: no copies are sent.";
  if (rule !== "open") return `${CLOSED[rule]}.`;
  return count >= CC_MAX ? `A ticket has at most ${CC_MAX} addresses.` : null;
}

export function endCc({ db, now }: Pick<Ctx, "db" | "now">, ticketId: string, ccId?: string): Statement[] {
  const ofTicket = and(eq(ticketCopies.ticket_id, ticketId), isNotRequester, isNull(ticketCopies.member_id));
  const ended: SQL | undefined = ccId ? and(ofTicket, eq(ticketCopies.id, ccId)) : ofTicket;
  return [
    db.delete(ticketCopies).where(and(ended, isNull(ticketCopies.stopped_mailbox))),
    // Addresses that asked for no more stay, so that this lasts.
    db
      .update(ticketCopies)
      .set({ removed_at: now() })
      .where(and(ended, isNull(ticketCopies.removed_at))),
    ...(ccId ? [] : [db.delete(proposedCopies).where(eq(proposedCopies.ticket_id, ticketId))]),
  ];
}

type Signer = Pick<Config, "FORM_KEY_1">;

export const stopCcPath = ({ FORM_KEY_1 }: Signer, ccId: string): string =>
  withParams(STOP_CC_PATH, { token: signed(FORM_KEY_1, "stop-copies", ccId) });

export const readStopCc = ({ FORM_KEY_1 }: Signer, token: string): string | null =>
  readSigned(FORM_KEY_1, "stop-copies", token);
