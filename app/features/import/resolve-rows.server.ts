import { type SQL, sql } from "drizzle-orm";
import { type Db, jsonParameters } from "~/db/client.server";
import { isNotErased, PROGRAM_MAILBOX, primaryAddressOf } from "~/features/contacts/queries.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { readDomains } from "~/features/organization-management/forms.server";
import { ERASED_ROW } from "~/features/privacy/labels";
import { domainOf } from "~/lib/email";
import { FORMER_MEMBER, fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import {
  leftOut,
  madeWithIt,
  newerRow,
  newMessages,
  REASONS,
  sameAsRow,
  severalOrganizations,
  unknownOrganization,
} from "./labels";
import {
  type ImportedMessage,
  type ImportOutcome,
  type ImportPreset,
  type ImportRow,
  ORGANIZATION_MAX,
  type TicketRow,
} from "./model";

/** `isNew`: it is made with the rows that name it. */
type Organization = { id: string; name: string; isNew?: true };

/** `address`: as a row names them, perhaps by a further address of theirs. */
type Account = {
  address: string;
  id: string;
  name: string;
  isStaff: number;
  organizationId: string | null;
  organization: string | null;
  /** Active only if account and membership are. */
  isActive: number;
};

/** `isRefused`: staff have said that they are not one of the organization. */
type Contact = {
  address: string;
  email: string;
  organizationId: string;
  organization: string;
  name: string;
  isRefused: number;
};

type Author = { userId: string | null; contactEmail: string | null; name: string };

type WrittenMessage = Pick<ImportedMessage, "text" | "isInternal" | "files"> & {
  at: Instant;
  side: "client" | "staff";
  author: Author;
};

/** A row with all that is written of it. */
export type ResolvedRow =
  | { kind: "organizations"; row: Extract<ImportRow, { kind: "organizations" }>; domains: string[] }
  /** One that was here before: by the old id, later rows name it. */
  | { kind: "known_organization"; id: string; oldId: string }
  /** What a later file has more of a ticket that came with an earlier one. */
  | { kind: "new_messages"; ticketId: string; organization: Organization; messages: WrittenMessage[] }
  | { kind: "people"; row: Extract<ImportRow, { kind: "people" }>; organization: Organization }
  | {
      kind: "tickets";
      row: TicketRow;
      organization: Organization;
      creator: Author;
      /** The requester becomes known with the ticket. */
      isNewContact: boolean;
      messages: WrittenMessage[];
    };

/** `isOfErased`: the row is of a person who must not come back. */
export type Resolution = { outcome: ImportOutcome; reason: string; resolved: ResolvedRow | null; isOfErased?: boolean };

type Resolving = Pick<Ctx, "config" | "db" | "newId">;
type Asked = { source: ImportPreset; organizationId: string | null; now: Instant };

const listOf = (values: Iterable<string>): SQL =>
  sql`json_each(${JSON.stringify([...new Set(values)].filter((value) => value !== ""))})`;

/**
 * Says what would become of rows now, in one round trip: of the dry run and of the run alike. What earlier rows of the
 * same call add counts for the later ones.
 */
export async function resolveRows(
  ctx: Resolving,
  rows: readonly ImportRow[],
  asked: Asked,
  { places = [], seen = new Map(), named = new Map() }: Repeats = {},
): Promise<Resolution[]> {
  const known: Known = { ...(await readKnown(ctx, rows, asked)), named, newId: () => ctx.newId("org") };
  return rows.map((row, index) => {
    const at = places[index];
    const same = at?.keys.map((key) => seen.get(key)).find((found) => found && found.newest >= at.newest);
    if (at && same) {
      const reason = same.newest > at.newest ? newerRow(same.row) : sameAsRow(same.row);
      return { ...refused(reason), isOfErased: forgetErased(row, known) };
    }
    const resolution = resolveRow(row, known, asked);
    // A row of which nothing is written does not stand for another.
    if (at && resolution.resolved) for (const key of at.keys) seen.set(key, at);
    return { ...resolution, isOfErased: forgetErased(row, known, resolution.resolved) };
  });
}

/** A row is stored without the people who must not come back: a ticket goes where it would have gone with them. */
function forgetErased(row: ImportRow, { accounts, contacts, erased }: Known, resolved?: ResolvedRow | null): boolean {
  const isGone = (email: string) => erased.has(email) && !accounts.has(email) && !contacts.has(email);
  if (row.kind === "people") return isGone(row.email);
  if (row.kind !== "tickets") return false;
  if (resolved?.kind === "tickets" && isGone(row.email)) row.organization ||= resolved.organization.name;
  if (isGone(row.email)) Object.assign(row, { email: "", name: FORMER_MEMBER });
  for (const message of row.messages)
    if (isGone(message.email)) Object.assign(message, { email: "", author: FORMER_MEMBER });
  return false;
}

/** `newest`: the last of its dates. Of rows with one key the newest counts, the first of equals. */
export type RowPlace = { row: number; newest: Instant };

/**
 * The places of rows in their file, the newest of a key first, and which row has a key already. `named`: gets the
 * organizations that are not here, by their folded names, and whether there is an answer.
 */
export type Repeats = {
  places?: readonly (RowPlace & { keys: readonly string[] })[];
  seen?: Map<string, RowPlace>;
  named?: Map<string, { name: string; isSettled: boolean }>;
};

function resolveRow(row: ImportRow, known: Known, asked: Asked): Resolution {
  if (row.kind === "organizations") return resolveOrganization(row, known);
  return row.kind === "people" ? resolvePerson(row, known) : resolveTicket(row, known, asked);
}

/** `had`: how many messages came with it; `messages`: which of those in the row are not on it yet. */
type ImportedBefore = { id: string; organization: Organization; opened: Instant; had: number; messages: Set<number> };

type Known = {
  /** Null: several have the name. */
  byName: Map<string, Organization | null>;
  byOldId: Map<string, Organization>;
  byDomain: Map<string, Organization>;
  /** By a folded name that is not here: what was answered, with the organization if it is one that is. */
  settled: Map<string, { meaning: string; id: string | null; name: string }>;
  named: NonNullable<Repeats["named"]>;
  newId: () => string;
  fallback: Organization | null;
  accounts: Map<string, Account[]>;
  contacts: Map<string, Contact[]>;
  /** By the old number; null: what was imported is not here any more. */
  imported: Map<string, ImportedBefore | null>;
  staff: Map<string, { id: string; name: string }>;
  /** Those who can be assigned tickets. */
  assignees: Set<string>;
  /** Addresses of people who must not come back. */
  erased: Set<string>;
};

const emailsOf = (row: ImportRow): string[] => {
  if (row.kind === "organizations") return [];
  return row.kind === "people" ? [row.email] : [row.email, ...row.messages.map(({ email }) => email)];
};

async function readKnown(
  ctx: Resolving,
  rows: readonly ImportRow[],
  { source, organizationId, now }: Asked,
): Promise<Omit<Known, "named" | "newId">> {
  const { db } = ctx;
  const names = rows.map((row) => (row.kind === "organizations" ? row.name : row.organization));
  const emails = [...new Set(rows.flatMap(emailsOf))];
  const hashes = new Map(emails.filter(Boolean).map((email) => [recipientHash(ctx, email), email]));
  const domains = rows.flatMap((row) =>
    row.kind === "organizations" ? readDomains(row.domains.join(" ")).domains : emailsOf(row).slice(0, 1).map(domainOf),
  );
  const oldNumbers = rows.flatMap((row) =>
    row.kind === "tickets" ? [row.oldNumber] : row.kind === "organizations" && row.oldId ? [row.oldId] : [],
  );
  const primaryAddress = primaryAddressOf(sql`n.value`);
  const kind = rows[0]?.kind === "tickets" ? "ticket" : "organization";
  const [organizations, settled, oldIds, domainRows, fallback, accounts, contacts, imported, assignees, erased] =
    await Promise.all([
      db.all<Organization & { folded: string }>(sql`
      SELECT o.id, o.name, n.value AS folded FROM ${listOf(names.map(fold))} n
      CROSS JOIN organizations o ON o.name_key = substr(n.value, 1, 60) AND o.search_name = n.value
      ORDER BY o.number DESC`),
      db.all<{ folded: string; meaning: string; id: string | null; name: string }>(sql`
      SELECT n.value AS folded, w.meaning, o.id, o.name FROM ${listOf(names.map(fold))} n
      CROSS JOIN import_words w ON w.source = ${source} AND w.field = 'organization' AND w.word = n.value
      LEFT JOIN organizations o ON o.id = w.meaning`),
      db.all<Organization & { oldId: string }>(sql`
      SELECT o.id, o.name, r.old_number AS oldId FROM ${listOf(names.map((name) => name.trim()))} n
      CROSS JOIN imported_records r ON r.kind = 'organization' AND r.source = ${source} AND r.old_number = n.value
      CROSS JOIN organizations o ON o.id = r.target_id`),
      db.all<Organization & { domain: string }>(sql`
      SELECT o.id, o.name, d.domain FROM ${listOf(domains)} n CROSS JOIN organization_domains d ON d.domain = n.value
      CROSS JOIN organizations o ON o.id = d.organization_id`),
      organizationId === null
        ? []
        : db.all<Organization>(sql`SELECT id, name FROM organizations WHERE id = ${organizationId}`),
      db.all<Account>(sql`
      SELECT n.value AS address, u.id, u.full_name AS name, u.is_staff AS isStaff, m.organization_id AS organizationId,
        o.name AS organization, u.status = 'active' AND m.status = 'active' AS isActive
      FROM ${listOf(emails)} n CROSS JOIN users u ON u.email = ${primaryAddress}
      LEFT JOIN organization_memberships m ON m.user_id = u.id AND m.status <> 'pending'
      LEFT JOIN organizations o ON o.id = m.organization_id`),
      db.all<Contact>(sql`
      SELECT n.value AS address, c.email, c.organization_id AS organizationId, o.name AS organization, c.full_name AS name,
        c.refused_at IS NOT NULL AS isRefused
      FROM ${listOf(emails)} n CROSS JOIN contacts c ON c.email = ${primaryAddress}
      CROSS JOIN organizations o ON o.id = c.organization_id WHERE ${isNotErased(sql`c.id`)}`),
      db.all<ImportedRecord>(sql`
      SELECT r.old_number AS oldNumber, coalesce(t.id, o.id) AS id, t.created_at AS opened, o.id AS organizationId,
        o.name AS organization, r.messages AS had
      FROM ${listOf(oldNumbers)} n
      CROSS JOIN imported_records r ON r.kind = ${kind} AND r.source = ${source} AND r.old_number = n.value
      LEFT JOIN support_tickets t ON t.id = r.target_id
      LEFT JOIN organizations o ON o.id = coalesce(t.organization_id, r.target_id)`),
      db.all<{ id: string }>(sql`
      SELECT u.id FROM ${listOf(rows.flatMap((row) => (row.kind === "tickets" ? (row.assigneeId ?? []) : [])))} n
      CROSS JOIN users u ON u.id = n.value AND u.is_staff = 1 AND u.status = 'active'`),
      db.all<{ hash: string }>(sql`
      SELECT e.email_hash AS hash FROM ${listOf(hashes.keys())} n CROSS JOIN erased_addresses e ON e.email_hash = n.value`),
    ]);
  const staff = accounts.filter(({ isStaff }) => isStaff === 1);
  const before = new Map(imported.map((record) => [record.oldNumber, importedBefore(record)]));
  await findNewMessages(db, rows, before, now);
  return {
    byName: new Map(
      organizations.map((one) => [
        one.folded,
        organizations.some(({ folded, id }) => folded === one.folded && id !== one.id) ? null : one,
      ]),
    ),
    settled: new Map(settled.map(({ folded, ...one }) => [folded, one])),
    byOldId: new Map(oldIds.map((one) => [one.oldId, one])),
    byDomain: new Map(domainRows.map((one) => [one.domain, one])),
    fallback: fallback[0] ?? null,
    accounts: byAddress(accounts),
    contacts: byAddress(contacts),
    imported: before,
    staff: new Map(staff.map(({ address, id, name }) => [address, { id, name }])),
    assignees: new Set(assignees.map(({ id }) => id)),
    erased: new Set(erased.flatMap(({ hash }) => hashes.get(hash) ?? [])),
  };
}

type ImportedRecord = {
  oldNumber: string;
  id: string | null;
  organizationId: string | null;
  organization: string | null;
  opened: Instant | null;
  had: number;
};

const importedBefore = ({ id, organizationId, organization, opened, had }: ImportedRecord): ImportedBefore | null =>
  id === null || organizationId === null
    ? null
    : {
        id,
        organization: { id: organizationId, name: organization ?? "" },
        opened: opened ?? 0,
        had,
        messages: new Set(),
      };

/** Of the rows that have more messages than came before: by time, length and beginning, those that are not there. */
async function findNewMessages(
  db: Db,
  rows: readonly ImportRow[],
  before: ReadonlyMap<string, ImportedBefore | null>,
  now: Instant,
): Promise<void> {
  const asked = rows.flatMap((row) => {
    const ticket = row.kind === "tickets" ? before.get(row.oldNumber) : null;
    if (row.kind !== "tickets" || !ticket || row.messages.length <= ticket.had) return [];
    return row.messages.map(({ text, at }, place) => {
      const letters = [...text];
      const start = letters.slice(0, SAME_START).join("");
      return { number: row.oldNumber, ticket: ticket.id, place, at, start, length: letters.length };
    });
  });
  // As a range, so that the index narrows the messages of a ticket by time.
  const at = sql`min(max(m.value ->> 'at', t.created_at), ${now})`;
  for (const text of jsonParameters(asked)) {
    const found = await db.all<{ number: string; place: number }>(sql`
      SELECT m.value ->> 'number' AS number, m.value ->> 'place' AS place FROM json_each(${text}) m
      CROSS JOIN support_tickets t ON t.id = m.value ->> 'ticket'
      WHERE NOT EXISTS (SELECT 1 FROM ticket_messages w WHERE w.ticket_id = t.id
        AND w.created_at BETWEEN coalesce(${at}, 0) AND coalesce(${at}, ${now})
        AND length(w.message) = m.value ->> 'length' AND substr(w.message, 1, ${SAME_START}) = m.value ->> 'start')`);
    for (const { number, place } of found) before.get(number)?.messages.add(place);
  }
}

const SAME_START = 200;

function byAddress<Row extends { address: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.address, [...(groups.get(row.address) ?? []), row]);
  return groups;
}

const refused = (reason: string): Resolution => ({ outcome: "refused", reason, resolved: null });
const exists = (reason: string): Resolution => ({ outcome: "exists", reason, resolved: null });
const added = (resolved: ResolvedRow, notes: readonly string[]): Resolution => ({
  outcome: notes.length > 0 ? "noted" : "add",
  reason: notes.join(". "),
  resolved,
});

/** Of a row before, which is not written yet. */
const SAME_FILE: ImportedBefore = {
  id: "",
  organization: { id: "", name: "" },
  opened: 0,
  had: 0,
  messages: new Set(),
};

function resolveOrganization(row: Extract<ImportRow, { kind: "organizations" }>, known: Known): Resolution {
  const before = row.oldId === null ? undefined : known.imported.get(row.oldId);
  if (before !== undefined) return exists(before ? REASONS.imported_before : REASONS.deleted_since);
  const folded = fold(row.name);
  const here = known.byName.get(folded);
  if (here !== undefined) {
    if (row.oldId !== null) known.imported.set(row.oldId, SAME_FILE);
    const resolved =
      here?.id && row.oldId !== null
        ? ({ kind: "known_organization", ...{ id: here.id, oldId: row.oldId } } as const)
        : null;
    return { ...exists(REASONS.exists_organization), resolved };
  }
  known.byName.set(folded, { id: "", name: row.name });
  if (row.oldId !== null) known.imported.set(row.oldId, SAME_FILE);
  const { domains, invalid, freeMail } = readDomains(row.domains.join(" "));
  const notes = [...invalid, ...freeMail].map((domain) => `“${domain}” ${REASONS.domain_unusable}`);
  const free = domains.filter((domain) => !known.byDomain.has(domain));
  for (const domain of domains) {
    if (!free.includes(domain)) notes.push(`“${domain}” ${REASONS.domain_taken}`);
    else known.byDomain.set(domain, { id: "", name: row.name });
  }
  return added({ kind: "organizations", row, domains: free }, notes);
}

/** A text: why there is none. */
function organizationNamed(name: string, known: Known, notes: string[]): Organization | string {
  const folded = fold(name);
  const { meaning, id = null, name: chosen = "" } = known.settled.get(folded) ?? {};
  // What was chosen counts also where another one has got the name since.
  const found = known.byOldId.get(name) ?? (id === null ? known.byName.get(folded) : undefined);
  if (found) return found;
  if (name.length > ORGANIZATION_MAX) return unknownOrganization(name);
  const isSeveral = found === null;
  const isSettled = id !== null || meaning === "leave" || (meaning === "make" && !isSeveral);
  const isFirst = !known.named.has(folded);
  known.named.set(folded, { name, isSettled });
  if (id !== null) return { id, name: chosen };
  if (!isSettled) return isSeveral ? severalOrganizations(name) : unknownOrganization(name);
  if (meaning === "leave") return leftOut(name);
  const made = { id: known.newId(), name, isNew: true } as const;
  known.byName.set(folded, made);
  if (isFirst) notes.push(madeWithIt(name));
  return made;
}

function resolvePerson(row: Extract<ImportRow, { kind: "people" }>, known: Known): Resolution {
  const notes: string[] = [];
  const organization =
    row.organization === ""
      ? (known.fallback ?? known.byDomain.get(domainOf(row.email)) ?? REASONS.person_without_organization)
      : organizationNamed(row.organization, known, notes);
  if (typeof organization === "string") return refused(organization);
  const accounts = known.accounts.get(row.email) ?? [];
  if (accounts.some(({ isStaff }) => isStaff === 1)) return refused(REASONS.is_colleague);
  const own = accounts.find(({ organizationId }) => organizationId === organization.id);
  if (own) return own.isActive === 1 ? exists(REASONS.has_account) : refused(REASONS.is_suspended);
  const contacts = known.contacts.get(row.email) ?? [];
  const here = contacts.find(({ organizationId }) => organizationId === organization.id);
  if (here) return here.isRefused === 1 ? refused(REASONS.refused_person) : exists(REASONS.exists_person);
  if (known.erased.has(row.email)) return refused(ERASED_ROW);
  if (accounts.length > 0) notes.push(REASONS.account_elsewhere);
  known.contacts.set(row.email, [
    ...contacts,
    {
      ...{ address: row.email, email: row.email },
      organizationId: organization.id,
      organization: organization.name,
      name: row.name,
      isRefused: 0,
    },
  ]);
  return added({ kind: "people", row, organization }, notes);
}

function resolveTicket(row: TicketRow, known: Known, { now }: Asked): Resolution {
  const before = known.imported.get(row.oldNumber);
  if (before === null) return exists(REASONS.deleted_since);
  if (before) return resolveMessages(row, before, { known, now });
  const accounts = known.accounts.get(row.email) ?? [];
  const notes: string[] = [];
  const found = organizationOfTicket(row, known, notes);
  if (typeof found === "string") return refused(found);
  known.imported.set(row.oldNumber, SAME_FILE);
  const requester = requesterOf(row, { organization: found, accounts, known, notes });
  const assigneeId = row.assigneeId && known.assignees.has(row.assigneeId) ? row.assigneeId : null;
  if (assigneeId !== row.assigneeId) notes.push(REASONS.assignee_left);
  const inFuture = [row.opened, row.closed, ...row.messages.map(({ at }) => at)].some((at) => at !== null && at > now);
  if (inFuture) notes.push(REASONS.from_future);
  const opened = Math.min(row.opened ?? row.closed ?? now, now);
  if (row.messages.some(({ at }) => at !== null && at < opened)) notes.push(REASONS.message_opened);
  const resolved = {
    kind: "tickets",
    row: {
      ...row,
      assigneeId,
      opened,
      closed: row.closed === null ? null : Math.max(opened, Math.min(row.closed, now)),
    },
    organization: found,
    creator: requester.author,
    isNewContact: requester.isNew,
    messages: row.messages.map((message) =>
      written(message, { organization: found, requester: requester.author, known, opened, now }),
    ),
  } as const;
  return added(resolved, notes);
}

function resolveMessages(
  row: TicketRow,
  { id, organization, opened, messages: isNew }: ImportedBefore,
  { known, now }: Pick<Thread, "known" | "now">,
): Resolution {
  const own = row.messages.filter((_, place) => isNew.has(place));
  if (own.length === 0) return exists(REASONS.imported_before);
  const account = (known.accounts.get(row.email) ?? []).find((one) => one.organizationId === organization.id);
  const contact = (known.contacts.get(row.email) ?? []).find((one) => one.organizationId === organization.id);
  const requester = account
    ? { userId: account.id, contactEmail: null, name: account.name }
    : contact
      ? { userId: null, contactEmail: contact.email, name: contact.name }
      : {
          ...FORMER_AUTHOR,
          name: known.erased.has(row.email) ? FORMER_MEMBER : row.name || row.email || organization.name,
        };
  const thread = { organization, requester, known, opened, now };
  const messages = own.map((message) => written(message, thread));
  return added({ kind: "new_messages", ticketId: id, organization, messages }, [newMessages(messages.length)]);
}

/** A text: why there is none. */
function organizationOfTicket(row: TicketRow, known: Known, notes: string[]): Organization | string {
  if (row.organization !== "") return organizationNamed(row.organization, known, notes);
  if (known.fallback) return known.fallback;
  const contacts = (known.contacts.get(row.email) ?? []).filter(({ isRefused }) => isRefused === 0);
  const people = [...contacts, ...(known.accounts.get(row.email) ?? [])];
  const theirs = new Map(
    people.flatMap(({ organizationId: id, organization: name }) => (id && name ? [[id, { id, name }] as const] : [])),
  );
  if (theirs.size > 1) return REASONS.organization_choice;
  const [only] = theirs.values();
  return only ?? known.byDomain.get(domainOf(row.email)) ?? REASONS.no_organization;
}

const FORMER_AUTHOR: Author = { userId: null, contactEmail: null, name: FORMER_MEMBER };

type Requester = { author: Author; isNew: boolean };

function requesterOf(
  { email, name }: TicketRow,
  {
    organization,
    accounts,
    known,
    notes,
  }: { organization: Organization; accounts: readonly Account[]; known: Known; notes: string[] },
): Requester {
  const nobody = (why: string): Requester => {
    notes.push(why);
    return { author: { userId: null, contactEmail: null, name: name || email || organization.name }, isNew: false };
  };
  if (email === "") return nobody(name === "" ? REASONS.no_requester : `“${name}” ${REASONS.requester_no_address}`);
  if (accounts.some(({ isStaff }) => isStaff === 1)) return nobody(REASONS.colleague_requester);
  const own = accounts.find(({ organizationId }) => organizationId === organization.id);
  if (own)
    return own.isActive === 1
      ? { author: { userId: own.id, contactEmail: null, name: own.name }, isNew: false }
      : nobody(REASONS.suspended_requester);
  const contacts = known.contacts.get(email) ?? [];
  const contact = contacts.find(({ organizationId }) => organizationId === organization.id);
  if (contact?.isRefused === 1) return nobody(REASONS.refused_requester);
  if (contact) return { author: { userId: null, contactEmail: contact.email, name: contact.name }, isNew: false };
  if (PROGRAM_MAILBOX.test(email)) return nobody(REASONS.is_program);
  if (known.erased.has(email)) {
    notes.push(REASONS.erased_requester);
    return { author: FORMER_AUTHOR, isNew: false };
  }
  const requester = name || email;
  const contactOf = {
    ...{ address: email, email },
    organizationId: organization.id,
    organization: organization.name,
    name: requester,
    isRefused: 0,
  };
  known.contacts.set(email, [...contacts, contactOf]);
  return { author: { userId: null, contactEmail: email, name: requester }, isNew: true };
}

type Thread = { organization: Organization; requester: Author; known: Known; opened: Instant; now: Instant };

function written(message: ImportedMessage, { organization, requester, known, opened, now }: Thread): WrittenMessage {
  const { text, email, author, isInternal, files } = message;
  const colleague = known.staff.get(email);
  // Only staff write internally, whatever a file says.
  const side = isInternal || colleague ? "staff" : (message.side ?? "client");
  const at = Math.min(now, Math.max(opened, message.at ?? opened));
  const common = { text, isInternal, at, side, files } as const;
  const former = known.erased.has(email) ? { ...common, author: FORMER_AUTHOR } : null;
  if (side === "staff") {
    const name = author || colleague?.name || "Support";
    return (!colleague && former) || { ...common, author: { userId: colleague?.id ?? null, contactEmail: null, name } };
  }
  const member = (known.accounts.get(email) ?? []).find((one) => one.organizationId === organization.id);
  if (member) return { ...common, author: { userId: member.id, contactEmail: null, name: member.name } };
  if (email !== "" && email === requester.contactEmail) return { ...common, author: requester };
  const contact = (known.contacts.get(email) ?? []).find((one) => one.organizationId === organization.id);
  if (contact) return { ...common, author: { userId: null, contactEmail: contact.email, name: contact.name } };
  if (former) return former;
  return email === ""
    ? { ...common, author: author === "" ? requester : { userId: null, contactEmail: null, name: author } }
    : { ...common, author: { userId: null, contactEmail: null, name: author || email } };
}
