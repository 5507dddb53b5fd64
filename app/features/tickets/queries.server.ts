import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import { referenceNumber } from "~/lib/ids";
import { fold } from "~/lib/text";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import { searchByNumber } from "~/lists/row-source.server";
import type { FoundSubject } from "~/platform/subjects.server";
import { type TicketViewer, visibleToClient } from "./access.server";

type NamedPerson = { id: string | null; name: string };

export type StoredTicket = {
  id: string;
  number: number;
  /** Is incremented by every change: what a command has read must still hold when it writes. */
  version: number;
  organization: { id: string; name: string; plan: OrganizationPlan; contractStartedAt: Instant | null };
  title: string;
  description: string;
  priority: TicketPriority;
  category: string | null;
  impact: string | null;
  status: TicketStatus;
  creator: NamedPerson;
  /** `needsReview`: staff have not looked at them yet. `isRefused`: they are not one of the organization. */
  contact: { id: string; email: string; phone: string; needsReview: boolean; isRefused: boolean } | null;
  /** Names the member of staff who opened it for the client; null: the client did. */
  openedBy: NamedPerson | null;
  /** Names the client who wrote its description, where that is not whose ticket it is. */
  writtenBy: NamedPerson | null;
  assignee: { id: string; name: string } | null;
  isPrivate: boolean;
  followUpOf: { id: string; number: number } | null;
  /** The number that it had in the product it was imported from. */
  oldNumber: string | null;
  resolution: string | null;
  resolvedAt: Instant | null;
  closedAt: Instant | null;
  waitingSince: Instant | null;
  remindedAt: Instant | null;
  publicMessages: number;
  lastMessageAt: Instant;
  createdAt: Instant;
  sla: { json: string; dueAt: Instant | null; warnAt: Instant | null; missAt: Instant | null };
};

type Nested = "organization" | "creator" | "contact" | "openedBy" | "writtenBy" | "assignee" | "followUpOf" | "sla";
type TicketRow = Omit<StoredTicket, Nested | "isPrivate"> & Record<Nested, string> & { isPrivate: number };

/**
 * Returns the condition that a ticket is the one that an address or a form names: by its number, `T-1042`, or its id.
 */
export function isNamed(ref: string): SQL {
  const number = /^[tT]-(\d{1,12})$/.exec(ref)?.[1];
  return number === undefined ? sql`t.id = ${ref}` : sql`t.number = ${Number(number)}`;
}

/**
 * Reads the name of the member of staff who opened a ticket, the row `t`, for the client; NULL: the client did. Where
 * their account is gone, its first event still tells.
 */
export const openerName: SQL = sql`coalesce((SELECT u.full_name FROM users u WHERE u.id = t.opened_by),
  (SELECT first.actor_name FROM (SELECT kind, actor_side, actor_name FROM ticket_events WHERE ticket_id = t.id
    ORDER BY at, id LIMIT 1) first WHERE first.kind = 'opened' AND first.actor_side = 'staff'))`;

/**
 * Reads of a ticket, the row `t`, that goes on from another one, who wrote it, as a column of its first event; NULL:
 * whose ticket it is.
 */
export const writerOf = (column: "actor_id" | "actor_name"): SQL => sql`(SELECT first.${sql.raw(column)}
  FROM (SELECT * FROM ticket_events WHERE ticket_id = t.id ORDER BY at, id LIMIT 1) first
  WHERE t.follow_up_of IS NOT NULL AND first.kind = 'opened' AND first.actor_side = 'client'
    AND first.actor_id <> coalesce(t.created_by, t.contact_id))`;

const isTrue = (condition: string): SQL => sql.raw(`json(iif(${condition}, 'true', 'false'))`);

async function readTickets(db: Db, condition: SQL): Promise<StoredTicket[]> {
  const rows = await db.all<TicketRow>(sql`
    SELECT t.id, t.number, t.version, t.title, t.description, t.priority, t.category, t.impact, t.status, t.resolution,
      t.old_number AS oldNumber, t.is_private AS isPrivate, t.resolved_at AS resolvedAt, t.closed_at AS closedAt,
      t.waiting_since AS waitingSince, t.reminded_at AS remindedAt, t.public_messages AS publicMessages,
      t.last_message_at AS lastMessageAt, t.created_at AS createdAt,
      json_object('id', o.id, 'name', o.name, 'plan', o.plan, 'contractStartedAt', o.contract_started_at) AS organization,
      json_object('id', t.created_by, 'name', t.creator_name) AS creator,
      json_object('id', contact.id, 'email', contact.email, 'phone', contact.phone,
        'needsReview', ${isTrue("contact.needs_review_at IS NOT NULL")},
        'isRefused', ${isTrue("contact.refused_at IS NOT NULL")}) AS contact,
      json_object('id', t.opened_by, 'name', ${openerName}) AS openedBy,
      json_object('id', ${writerOf("actor_id")}, 'name', ${writerOf("actor_name")}) AS writtenBy,
      json_object('id', t.assigned_to, 'name', assignee.full_name) AS assignee,
      json_object('id', t.follow_up_of, 'number', former.number) AS followUpOf,
      json_object('json', t.promise_json, 'dueAt', t.due_at, 'warnAt', t.warn_at, 'missAt', t.miss_at) AS sla
    FROM support_tickets t JOIN organizations o ON o.id = t.organization_id
      LEFT JOIN users assignee ON assignee.id = t.assigned_to
      LEFT JOIN contacts contact ON contact.id = t.contact_id
      LEFT JOIN support_tickets former ON former.id = t.follow_up_of AND former.organization_id = t.organization_id
    WHERE ${condition}`);
  return rows.map(ticketOf);
}

const findTicket = async (db: Db, condition: SQL): Promise<StoredTicket | null> =>
  (await readTickets(db, condition))[0] ?? null;

export const findTicketsForStaff = (db: Db, ids: readonly string[]): Promise<StoredTicket[]> =>
  readTickets(db, sql`t.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);

function ticketOf({ isPrivate, ...row }: TicketRow): StoredTicket {
  /** Null: the ticket has none. */
  const optional = (json: string, needed: string) => {
    const found = JSON.parse(json);
    return found[needed] === null ? null : found;
  };
  return {
    ...row,
    organization: JSON.parse(row.organization),
    creator: JSON.parse(row.creator),
    contact: optional(row.contact, "id"),
    openedBy: optional(row.openedBy, "name"),
    writtenBy: optional(row.writtenBy, "name"),
    assignee: optional(row.assignee, "name"),
    isPrivate: isPrivate === 1,
    followUpOf: optional(row.followUpOf, "number"),
    sla: JSON.parse(row.sla),
  };
}

export const findTicketForStaff = (db: Db, ref: string): Promise<StoredTicket | null> => findTicket(db, isNamed(ref));

/** Finds a ticket that a client may see. A foreign one, or a colleague's private one, is not found. */
export const findTicketForClient = (db: Db, ref: string, viewer: TicketViewer): Promise<StoredTicket | null> =>
  findTicket(db, sql`${isNamed(ref)} AND ${visibleToClient(viewer)}`);

export const findTicketForContact = (db: Db, ref: string, contactId: string): Promise<StoredTicket | null> =>
  findTicket(
    db,
    sql`${isNamed(ref)} AND EXISTS (SELECT 1 FROM ticket_copies c
      WHERE c.ticket_id = t.id AND c.contact_id = ${contactId} AND c.removed_at IS NULL)`,
  );

export const listPeople = (db: Db, ticketId: string): Promise<{ id: string; name: string }[]> =>
  db.all(sql`
    SELECT u.id, u.full_name AS name FROM ticket_people p CROSS JOIN users u ON u.id = p.user_id
    JOIN organization_memberships m ON m.organization_id = p.organization_id AND m.user_id = p.user_id
      AND m.status = 'active'
    WHERE p.ticket_id = ${ticketId} ORDER BY u.full_name LIMIT 100`);

/** Limits the colleagues who are offered to be put on a ticket; others are found by their address. */
const COLLEAGUES_OFFERED = 100;

/** Lists active members who could be put on a ticket of their organization by name: of many, those who joined first. */
export async function listColleagues(
  db: Db,
  { id, organization, creator }: Pick<StoredTicket, "id" | "organization" | "creator">,
): Promise<{
  colleagues: { id: string; name: string }[];
  isMore: boolean;
}> {
  const rows = await db.all<{ id: string; name: string }>(sql`
    SELECT u.id, u.full_name AS name FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organization.id} AND m.status = 'active' AND u.status = 'active'
      AND m.user_id <> ${creator.id ?? ""}
      AND NOT EXISTS (SELECT 1 FROM ticket_people p WHERE p.ticket_id = ${id} AND p.user_id = m.user_id)
    ORDER BY m.number LIMIT ${COLLEAGUES_OFFERED + 1}`);
  const offered = rows.slice(0, COLLEAGUES_OFFERED);
  return {
    colleagues: offered.toSorted((left, right) => left.name.localeCompare(right.name)),
    isMore: rows.length > COLLEAGUES_OFFERED,
  };
}

/** Lists the tickets that go on from one, the newest last. A client sees those that they may open. */
export const listFollowUps = (
  db: Db,
  ticketId: string,
  viewer: TicketViewer | null,
): Promise<{ id: string; number: number; title: string }[]> =>
  db.all(sql`
    SELECT t.id, t.number, t.title FROM support_tickets t
    WHERE t.follow_up_of = ${ticketId} AND ${viewer ? visibleToClient(viewer) : sql`1`} ORDER BY t.number LIMIT 20`);

/**
 * Finds tickets as subjects, with title and number. Their organization is left out: which of its people may see a
 * ticket depends on more than the organization, and `visibleToClient` decides it. So only staff find tickets here.
 */
export async function findTicketSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string; number: number }>(sql`
    SELECT t.id, t.title AS label, t.number
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN support_tickets t ON t.id = requested.value`);
  return rows.map(({ number, ...row }) => ({ ...row, reference: referenceNumber("ticket", number) }));
}

export const ticketExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM support_tickets WHERE id = ${id})`;

type Searched = {
  title: string;
  number: number;
  oldNumber?: string | null;
  description: string;
  organization: string;
};

/** `searchMatches` in lists/search-sql.server.ts builds the SQL of the search. */
export const TICKET_SEARCH = searchByNumber("ticket_search", {
  rowIdIndex: "tickets_in_order",
  order: "created",
  rowIdColumn: "opened_rank",
});

/**
 * Returns the text that a search reads, folded: title, number, description and organization, one per line. A trigger of
 * the database replaces the last line when the organization gets another name.
 */
export const ticketSearchText = ({ title, number, oldNumber, description, organization }: Searched): string =>
  [title, `${referenceNumber("ticket", number)} ${oldNumber ?? ""}`, description, organization].map(fold).join("\n");

export const searchTextOfNew = ({
  title,
  number,
  oldNumber,
  description,
  organization,
}: Omit<Searched, "number"> & { number: SQL }): SQL =>
  sql`${`${fold(title)}\nt-`} || ${number} || ${searchTextBehindNumber({ oldNumber, description, organization })}`;

export const searchTextBehindNumber = ({
  oldNumber,
  description,
  organization,
}: Omit<Searched, "title" | "number">): string =>
  `${oldNumber ? ` ${fold(oldNumber)}` : ""}\n${[description, organization].map(fold).join("\n")}`;
