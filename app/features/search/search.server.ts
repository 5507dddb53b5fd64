import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { type FoundContact, findContacts } from "~/features/contacts/queries.server";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { memberList } from "~/features/members/definition";
import { memberRows } from "~/features/members/definition.server";
import type { ListedMember } from "~/features/members/model";
import { organizationList } from "~/features/organization-management/definition";
import { organizationRows } from "~/features/organization-management/definition.server";
import type { ListedOrganization } from "~/features/organization-management/model";
import { organizationContactsPath, organizationPath } from "~/features/organizations/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import { SUBMISSION_STATUS_LABELS } from "~/features/submissions/labels";
import { submissionList } from "~/features/submissions/list/definition";
import { submissionRows } from "~/features/submissions/list/definition.server";
import type { ListedSubmission } from "~/features/submissions/model";
import { submissionPath } from "~/features/submissions/subject";
import { type TicketViewer, viewerOf, visibleToClient } from "~/features/tickets/access.server";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { clientTicketRows } from "~/features/tickets/client-list/definition.server";
import { TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import type { TicketStatus } from "~/features/tickets/model";
import { clientTicketPath, staffTicketPath } from "~/features/tickets/paths";
import { ticketList } from "~/features/tickets/staff-list/definition";
import { ticketRows } from "~/features/tickets/staff-list/definition.server";
import { userList } from "~/features/user-management/definition";
import { userRows } from "~/features/user-management/definition.server";
import { userPath } from "~/features/users/model";
import { describeError } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import { firstNameOf, fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { dueInWords, dueOf } from "~/lib/time-labels";
import type { ListViewer } from "~/lists/criteria";
import { searchField } from "~/lists/define-list";
import type { ListRequest } from "~/lists/define-rows.server";
import { TOO_MANY_SEARCHES } from "~/lists/labels";
import type { ListRead } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { countSearch } from "~/platform/rate-limits.server";
import { MESSAGES_BY_WORD, NEWEST_ONLY, NO_ACCOUNT, SEARCH_FAILED, TOO_SHORT } from "./labels";
import {
  CONTACTS_SHOWN,
  excerptAround,
  type Hit,
  type HitGroup,
  hasMatch,
  MESSAGES_SCANNED,
  MESSAGES_SHOWN,
  markMatches,
  messageMatch,
  SEARCH_MIN,
  wordsOf,
} from "./model";

type TicketRow = {
  id: string;
  number: string;
  oldNumber?: string | null;
  title: string;
  status: TicketStatus;
  organization: string | null;
};

const NOTHING = { reason: null, at: null, excerpt: null } as const;

/** `description`: read where neither title, number nor organization has the term. */
function ticketHit(
  { id, number, oldNumber, title, status, organization }: TicketRow,
  { terms, path, description, due }: { terms: readonly string[]; path: string; description?: string; due?: string },
): Hit {
  const details = [TICKET_STATUS_LABELS[status], organization, due].filter(
    (detail) => detail !== null && detail !== undefined,
  );
  const hit = { id, to: path, reference: number, title: markMatches(title, terms), details };
  if (hasMatch(title, terms) || hasMatch(number, terms)) return { ...hit, ...NOTHING };
  if (oldNumber && hasMatch(oldNumber, terms))
    return { ...hit, reason: "in the old number", at: null, excerpt: excerptAround(oldNumber, terms) };
  if (description === undefined) return { ...hit, ...NOTHING, reason: "in the name of the organization" };
  return { ...hit, reason: "in the description", at: null, excerpt: excerptAround(description, terms) };
}

const isInDescription = ({ title, number, oldNumber, organization }: TicketRow, terms: readonly string[]): boolean =>
  ![title, number, oldNumber ?? "", organization ?? ""].some((text) => hasMatch(text, terms));

/** Where in a row the terms are, if not in its name. */
function reasonOf(name: string, fields: Readonly<Record<string, string | null>>, terms: readonly string[]) {
  const found = Object.entries(fields).find(([, text]) => text !== null && hasMatch(text, terms));
  if (hasMatch(name, terms) || !found) return NOTHING;
  const [reason, text] = found;
  return { reason, at: null, excerpt: excerptAround(text ?? "", terms) };
}

const submissionHit = (row: Omit<ListedSubmission, "due">, terms: readonly string[]): Hit => ({
  id: row.id,
  to: submissionPath(row.id),
  reference: row.number,
  title: markMatches(row.name, terms),
  ...reasonOf(row.name, { "in the email address": row.email, "in the company": row.company }, terms),
  details: [SUBMISSION_STATUS_LABELS[row.status]],
});

const organizationHit = (row: ListedOrganization, terms: readonly string[]): Hit => ({
  id: row.id,
  to: organizationPath(row.id),
  reference: null,
  title: markMatches(row.name, terms),
  ...reasonOf(row.name, { "in the short name": row.slug, "in the description": row.description }, terms),
  details: [],
});

type PersonRow = { id: string; name: string; email: string; phone?: string; details: readonly string[]; to: string };

const personHit = ({ id, name, email, phone, details, to }: PersonRow, terms: readonly string[]): Hit => ({
  id,
  to,
  reference: null,
  title: markMatches(name, terms),
  reason: hasMatch(name, terms) ? null : "in the email address",
  at: null,
  excerpt: markMatches(email, terms),
  details: phone ? [...details, phone] : details,
});

const userHit = (row: { id: string; name: string; email: string; phone: string }, terms: readonly string[]): Hit =>
  personHit({ ...row, details: [], to: userPath(row.id) }, terms);

const memberHit = (row: ListedMember, terms: readonly string[]): Hit =>
  personHit(
    {
      ...row,
      details: [ORGANIZATION_ROLE_LABELS[row.role], row.organizationName],
      to: organizationPath(row.organizationId),
    },
    terms,
  );

function contactGroup(found: readonly FoundContact[], terms: readonly string[]): HitGroup {
  const hits = found
    .slice(0, CONTACTS_SHOWN)
    .map(({ organizationId, organization, ...contact }) =>
      personHit(
        { ...contact, details: [NO_ACCOUNT, organization], to: organizationContactsPath(organizationId) },
        terms,
      ),
    );
  return {
    id: "contacts",
    title: "People without an account",
    hits,
    total: { count: hits.length, more: found.length > CONTACTS_SHOWN ? "certainly" : false },
    listPath: null,
    noun: { one: "person", many: "people" },
    note: null,
  };
}

/** As `defineList` and `defineRows` return them. */
type SearchedList<Filter, Row> = {
  list: {
    noun: { one: string; many: string };
    readFilter: (params: URLSearchParams) => Filter;
    pathTo: (filter: Filter) => string;
  };
  rows: { read: (db: Db, request: ListRequest<Filter>) => Promise<ListRead<Row>> };
};

/** The first rows of a list that match, and the group that they become. */
async function searchList<Filter, Row>(
  db: Db,
  { list, rows, viewer, text }: SearchedList<Filter, Row> & { viewer: ListViewer; text: string },
) {
  const filter = list.readFilter(new URLSearchParams({ q: text }));
  const { page, total } = await rows.read(db, { filter, page: pageRequest(new URLSearchParams()), viewer });
  const groupOf = (title: string, hitOf: (row: Row) => Hit, id = title.toLowerCase()): HitGroup => ({
    id,
    title,
    hits: page.rows.map(hitOf),
    total,
    listPath: list.pathTo(filter),
    noun: list.noun,
    note: null,
  });
  return { rows: page.rows, groupOf };
}

type MessageGroup = {
  text: string;
  messages: readonly FoundMessage[];
  pathOf: (number: string) => string;
  authorOf: (message: FoundMessage) => string;
  withOrganization: boolean;
  note?: string;
};

function messageGroup({ text, messages, pathOf, authorOf, withOrganization, note }: MessageGroup): HitGroup {
  const terms = wordsOf(text).map(fold);
  const isMore = messages.length > MESSAGES_SHOWN;
  const hits = messages.slice(0, MESSAGES_SHOWN).map((message): Hit => {
    const number = `T-${message.ticketNumber}`;
    return {
      id: message.id,
      to: pathOf(number),
      reference: number,
      title: markMatches(message.title, terms),
      reason: message.isInternal ? "in an internal note of" : "in a reply of",
      at: message.at,
      excerpt: excerptAround(message.part, terms),
      details: [authorOf(message), ...(withOrganization ? [message.organization] : [])],
    };
  });
  return {
    id: "messages",
    title: "Messages",
    hits,
    total: { count: hits.length, more: isMore ? "certainly" : false },
    listPath: null,
    noun: { one: "message", many: "messages" },
    note: note ?? MESSAGES_BY_WORD,
  };
}

/** Of the tickets in which nothing else has the terms. */
async function findDescriptions(
  db: Db,
  tickets: readonly TicketRow[],
  terms: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = tickets.filter((row) => isInDescription(row, terms)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ id: string; description: string }>(sql`
    SELECT t.id, t.description FROM json_each(${JSON.stringify(ids)}) asked
    CROSS JOIN support_tickets t ON t.id = asked.value`);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

type FoundMessage = {
  id: string;
  ticketNumber: number;
  title: string;
  organization: string;
  author: string;
  side: "client" | "staff";
  isInternal: 0 | 1;
  at: Instant;
  part: string;
};

/** Over `m` of messages and `t` of tickets. Where letters have accents, the beginning is read. */
function columns(word: string): SQL {
  const place = sql`instr(lower(m.message), ${word.toLowerCase()})`;
  return sql`m.id, t.number AS ticketNumber, t.title, m.author_name AS author, m.side, ${isInternalNote()} AS isInternal,
    m.created_at AS at, (SELECT o.name FROM organizations o WHERE o.id = t.organization_id) AS organization,
    iif(${place} = 0, substr(m.message, 1, 4000), substr(m.message, max(1, ${place} - 150), 600)) AS part`;
}

async function findMessagesForStaff(db: Db, words: readonly string[]): Promise<FoundMessage[]> {
  const match = messageMatch(words, { organizationId: null, onlyPublic: false });
  if (match === null) return [];
  return db.all<FoundMessage>(sql`
    SELECT ${columns(words[0] ?? "")} FROM (SELECT rowid AS number FROM message_search f
      WHERE f.message_search MATCH ${match} ORDER BY f.rowid DESC LIMIT ${MESSAGES_SHOWN + 1}) found
    CROSS JOIN ticket_messages m ON m.number = found.number CROSS JOIN support_tickets t ON t.id = m.ticket_id
    ORDER BY m.number DESC`);
}

/** Somebody who sees all tickets of the organization is shown all; for others the newest messages are looked at. */
async function findMessagesForClient(db: Db, words: readonly string[], viewer: TicketViewer): Promise<FoundMessage[]> {
  const match = messageMatch(words, { organizationId: viewer.organizationId, onlyPublic: true });
  if (match === null) return [];
  return db.all<FoundMessage>(sql`
    SELECT ${columns(words[0] ?? "")} FROM (SELECT rowid AS number FROM message_search f
      WHERE f.message_search MATCH ${match} ORDER BY f.rowid DESC LIMIT ${MESSAGES_SCANNED}) found
    CROSS JOIN ticket_messages m ON m.number = found.number AND ${isPublic()}
    CROSS JOIN support_tickets t ON t.id = m.ticket_id AND ${visibleToClient(viewer)}
    ORDER BY m.number DESC LIMIT ${MESSAGES_SHOWN + 1}`);
}

/** Two round trips. */
export async function searchForClient(
  { db }: Pick<Ctx, "db">,
  viewer: ListViewer & { actor: MemberActor },
  text: string,
): Promise<HitGroup[]> {
  const [tickets, messages] = await Promise.all([
    searchList(db, { list: clientTicketList, rows: clientTicketRows, viewer, text }),
    findMessagesForClient(db, wordsOf(text), viewerOf(viewer.actor)),
  ]);
  const terms = [fold(text)];
  const asTicketRow = <Row extends { number: number }>(row: Row) => ({
    ...row,
    number: referenceNumber("ticket", row.number),
    organization: null,
  });
  const descriptions = await findDescriptions(db, tickets.rows.map(asTicketRow), terms);
  return [
    tickets.groupOf("Tickets", (row) => {
      const ticket = asTicketRow(row);
      return ticketHit(ticket, { terms, path: clientTicketPath(ticket.number), description: descriptions.get(row.id) });
    }),
    messageGroup({
      text,
      messages,
      pathOf: clientTicketPath,
      withOrganization: false,
      authorOf: ({ author, side }) => (side === "staff" ? firstNameOf(author) : author),
      ...(viewer.actor.membership.role === "member" ? { note: NEWEST_ONLY } : {}),
    }),
  ];
}

/** Two round trips. */
export async function searchForStaff(
  { db }: Pick<Ctx, "db">,
  viewer: ListViewer & { actor: StaffActor },
  text: string,
): Promise<HitGroup[]> {
  const search = <Filter, Row>(searched: SearchedList<Filter, Row>) => searchList(db, { ...searched, viewer, text });
  const seesUsers = can(viewer.actor, userList.ability);
  const [tickets, messages, submissions, organizations, users, members, contacts] = await Promise.all([
    search({ list: ticketList, rows: ticketRows }),
    findMessagesForStaff(db, wordsOf(text)),
    search({ list: submissionList, rows: submissionRows }),
    search({ list: organizationList, rows: organizationRows }),
    seesUsers ? search({ list: userList, rows: userRows }) : null,
    seesUsers ? null : search({ list: memberList, rows: memberRows }),
    can(viewer.actor, organizationList.ability) ? findContacts(db, text, CONTACTS_SHOWN + 1) : [],
  ]);
  const terms = [fold(text)];
  const descriptions = await findDescriptions(db, tickets.rows, terms);
  return [
    tickets.groupOf("Tickets", (row) => {
      const description = descriptions.get(row.id);
      const due = row.dueAt === null ? undefined : dueInWords(dueOf({ ...viewer, dueAt: row.dueAt, answeredAt: null }));
      return ticketHit(row, { terms, path: staffTicketPath(row.number), description, due });
    }),
    messageGroup({
      text,
      messages,
      pathOf: staffTicketPath,
      withOrganization: true,
      authorOf: ({ author }) => author,
    }),
    submissions.groupOf("Submissions", (row) => submissionHit(row, terms)),
    organizations.groupOf("Organizations", (row) => organizationHit(row, terms)),
    ...(users ? [users.groupOf("People", (row) => userHit(row, terms))] : []),
    ...(members ? [members.groupOf("Members", (row) => memberHit(row, terms), "people")] : []),
    contactGroup(contacts, terms),
  ];
}

type Reads<Viewing extends Actor> = {
  actor: Viewing;
  findPage: (text: string) => Promise<string | null>;
  search: (viewer: ListViewer & { actor: Viewing }, text: string) => Promise<HitGroup[]>;
};

const TEXT = searchField();

export async function loadSearch<Viewing extends Actor & { userId: string }>(
  ctx: Ctx,
  { actor, findPage, search }: Reads<Viewing>,
) {
  const text = TEXT.parse(ctx.request.url.searchParams.get("q") ?? "");
  const isLong = [...fold(text)].length >= SEARCH_MIN;
  const reading = readInSiteZone(ctx.db, async (zone) =>
    isLong ? search({ actor, zone, now: ctx.now() }, text) : null,
  );
  const nothing = { text, groups: null, jumpTo: null, retryAt: null, zone: "UTC" };
  try {
    const [{ settings, value }, jumpTo, retryAt] = await Promise.all([
      reading,
      findPage(text),
      countSearch(ctx, actor.userId, text),
    ]);
    const shown = { ...nothing, zone: settings.timeZone };
    if (retryAt !== null) return { ...shown, retryAt, problem: { message: TOO_MANY_SEARCHES, isFailure: true } };
    if (jumpTo !== null) return { ...shown, jumpTo, problem: null };
    const problem = text && !isLong ? { message: TOO_SHORT, isFailure: false } : null;
    return { ...shown, groups: value, problem };
  } catch (error) {
    ctx.log("error", { event: "search_failed", request_id: ctx.request.id, error: describeError(error) });
    return { ...nothing, problem: { message: SEARCH_FAILED, isFailure: true } };
  }
}

const NUMBER = /^([TL])-?(\d{1,9})$/i;

/** `T-1042`; null: none that staff may open. */
export async function findByNumber(db: Db, actor: Actor, text: string): Promise<string | null> {
  const [, letter = "", digits = ""] = NUMBER.exec(text.trim()) ?? [];
  const number = Number(digits);
  if (letter.toUpperCase() === "T" && can(actor, "ticket.handle")) {
    const [ticket] = await db.all(sql`SELECT 1 FROM support_tickets WHERE number = ${number}`);
    return ticket ? staffTicketPath(referenceNumber("ticket", number)) : null;
  }
  if (letter.toUpperCase() === "L" && can(actor, "submission.view")) {
    const [found] = await db.all<{ id: string }>(sql`SELECT id FROM contact_submissions WHERE number = ${number}`);
    return found ? submissionPath(found.id) : null;
  }
  return null;
}

/** Null: none that the client may see. */
export async function findOwnByNumber(db: Db, viewer: TicketViewer, text: string): Promise<string | null> {
  const [, letter = "", digits = ""] = NUMBER.exec(text.trim()) ?? [];
  if (letter.toUpperCase() !== "T") return null;
  const number = Number(digits);
  const [ticket] = await db.all(
    sql`SELECT 1 FROM support_tickets t WHERE t.number = ${number} AND ${visibleToClient(viewer)}`,
  );
  return ticket ? clientTicketPath(referenceNumber("ticket", number)) : null;
}
