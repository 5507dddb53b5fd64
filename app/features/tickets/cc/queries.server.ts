import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { ticketCopies } from "~/db/schema/ticket-work";
import type { MemberActor } from "~/features/auth/guards.server";
import { withParams } from "~/lib/addresses";
import { mailboxOf } from "~/lib/email";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { equalInConstantTime, keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import { viewerOf } from "../access.server";
import { mayChangeAsClient } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";

export const CC_MAX = 10;

const STOP_CC_PATH = "/stop-copies";

/** Says whether the people of an organization may add addresses: it has not allowed it, is not reviewed yet, or may. */
export type CcRule = "off" | "in_review" | "open";

/** Says to clients why they cannot add an address. */
export const CLOSED: Record<Exclude<CcRule, "open">, string> = {
  off: "Your organization has not allowed copies. Its owner and admins can allow them",
  in_review: "Your organization is new here: you can add addresses as soon as we have reviewed it",
};

type CcAddress = { id: string; email: string };

export type CcPage = {
  reference: string;
  title: string;
  copies: readonly CcAddress[];
  /** Says why no address can be added now. Null: one can. */
  closed: string | null;
};

/** Returns an address as the history keeps it, which stays when the address is erased: "s…@larkspur.example". */
export const shortened = (email: string): string => `${email.slice(0, 1)}…${email.slice(email.lastIndexOf("@"))}`;

/**
 * Lists the addresses that were added to get copies of a ticket, in the order in which they were. Those that get none,
 * because they asked for no more, are among them: nobody is told.
 */
export const listCc = (db: Db, ticketId: string): Promise<CcAddress[]> =>
  db.all(
    sql`SELECT id, email FROM ticket_copies WHERE ticket_id = ${ticketId} AND removed_at IS NULL AND contact_id IS NULL
      ORDER BY added_at, id
      LIMIT ${CC_MAX}`,
  );

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

export const mayChangeCc = (ticket: StoredTicket, { userId, membership }: MemberActor): boolean =>
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

type CcRules = { isPrivate: boolean; rule: CcRule; count: number };

function closedBecause({ isPrivate, rule, count }: CcRules): string | null {
  if (isPrivate) return "The ticket is private: no copies are sent.";
  if (rule !== "open") return `${CLOSED[rule]}.`;
  return count >= CC_MAX ? `A ticket has at most ${CC_MAX} addresses.` : null;
}

export function endCc({ db, now }: Pick<Ctx, "db" | "now">, ticketId: string, ccId?: string): Statement[] {
  const ofTicket = and(eq(ticketCopies.ticket_id, ticketId), isNull(ticketCopies.contact_id));
  const ended: SQL | undefined = ccId ? and(ofTicket, eq(ticketCopies.id, ccId)) : ofTicket;
  return [
    db.delete(ticketCopies).where(and(ended, isNull(ticketCopies.stopped_mailbox))),
    // Addresses that asked for no more stay, so that this lasts.
    db
      .update(ticketCopies)
      .set({ removed_at: now() })
      .where(and(ended, isNull(ticketCopies.removed_at))),
  ];
}

type Signer = Pick<Config, "FORM_KEY_1">;

const mac = ({ FORM_KEY_1 }: Signer, ccId: string): string => keyedHash(FORM_KEY_1, "stop-copies", ccId);

export const stopCcPath = (config: Signer, ccId: string): string =>
  withParams(STOP_CC_PATH, { token: `${ccId}.${mac(config, ccId)}` });

export function readStopCc(config: Signer, token: string): string | null {
  const [ccId = "", signature = "", ...rest] = token.split(".");
  return rest.length === 0 && equalInConstantTime(signature, mac(config, ccId)) ? ccId : null;
}
