import { type SQL, sql } from "drizzle-orm";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { findLetter, letterPdf } from "~/features/letters/queries.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import { csvLine, UTF8_BOM } from "~/lib/csv";
import { referenceNumber } from "~/lib/ids";
import { escapeHtml } from "~/lib/text";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { archivedName } from "./model";
import {
  type ArchivedFile,
  type ArchivedMessage,
  type ArchivedTicket,
  linkHtml,
  messageHtml,
  momentOf,
  PAGE_END,
  pageHead,
  TABLE_END,
  tableHead,
  tableRow,
  ticketHead,
  ticketPage,
} from "./pages.server";
import { type After, type ArchivePart, EVERY_TABLE, FILE_IS_INTERNAL, organizationTables } from "./tables.server";

/** How many more tickets are done at a place, and how many more files were fetched from the store. */
type Done = { tickets?: number; fetched?: number };

/** What comes next of a part; or a place from which it can go on. */
type Piece = { name: string; bytes: Uint8Array } | ({ after: After } & Done);

type Part = { name: string; read: (after: After) => AsyncGenerator<Piece> };

/** `section`: an organization by its number, or what is before or behind them. */
export type ArchivePlace = After & { section: number; part: string };

const BEFORE = -1;
const BEHIND = Number.MAX_SAFE_INTEGER;

type Asked = { organizationId: string | null; isInternal: boolean; zone: string; at: Instant };

/** What comes next in the archive, or a place from which it can go on. */
type ArchivePiece = { name: string; bytes: Uint8Array } | { place: ArchivePlace; done: Done };

/** Null: from the beginning. */
export async function* archivePieces(ctx: Ctx, asked: Asked, from: ArchivePlace | null): AsyncGenerator<ArchivePiece> {
  let start = from;
  let section = start ? start.section : await nextSection(ctx, asked, null);
  for (; section !== null; section = await nextSection(ctx, asked, section), start = null) {
    const parts = await partsOf(ctx, asked, section);
    const first = start ? parts.findIndex(({ name }) => name === start?.part) : 0;
    for (const { name, read } of parts.slice(Math.max(first, 0))) {
      for await (const piece of read(start?.part === name ? start : { major: 0, minor: 0 })) {
        if ("name" in piece) yield piece;
        else yield { place: { section, part: name, ...piece.after }, done: piece };
      }
    }
  }
}

async function nextSection({ db }: Pick<Ctx, "db">, { organizationId }: Asked, after: number | null) {
  if (organizationId !== null) {
    if (after !== null) return null;
    const [found] = await db.all<{ number: number }>(
      sql`SELECT number FROM organizations WHERE id = ${organizationId}`,
    );
    return found?.number ?? null;
  }
  if (after === null) return BEFORE;
  if (after === BEHIND) return null;
  const [next] = await db.all<{ number: number }>(
    sql`SELECT number FROM organizations WHERE number > ${after} ORDER BY number LIMIT 1`,
  );
  return next?.number ?? BEHIND;
}

async function partsOf(ctx: Ctx, asked: Asked, section: number): Promise<readonly Part[]> {
  if (section === BEFORE) return [{ name: "index", read: (after) => organizationIndex(ctx, asked, after) }];
  const { organizationId } = asked;
  if (section === BEHIND)
    return [
      ticketsPart(ctx, asked, null),
      ...dataParts(ctx, asked),
      ...EVERY_TABLE.map((part) => rowsPart(ctx, part)),
      { name: "files", read: (after) => otherFiles(ctx, after) },
    ];
  const [organization] = await ctx.db.all<Organization>(
    sql`SELECT id, name, slug, plan, description FROM organizations WHERE number = ${section}`,
  );
  if (!organization) return [];
  const { id } = organization;
  const pages: Part[] = [
    { name: "index", read: (after) => ticketIndex(ctx, asked, organization, after) },
    { name: "people.html", read: (after) => peoplePage(ctx, asked, organization, after) },
    { name: "people.csv", read: (after) => peopleFile(ctx, { ...asked, organizationId: id }, after) },
    { name: "letters", read: (after) => letters(ctx, id, after) },
  ];
  if (organizationId === null) return pages.map((part) => within(folderOf(organization.slug), part));
  const tables = organizationTables(id, asked.isInternal).map((part) => rowsPart(ctx, part));
  return [...pages, ticketsPart(ctx, asked, id), ...dataParts(ctx, asked), ...tables];
}

type Organization = { id: string; name: string; slug: string; plan: OrganizationPlan; description: string };

const folderOf = (slug: string): string => `organizations/${slug}/`;

/** Of all organizations at once, where most have few: each query brings as many tickets as it may. */
const ticketsPart = (ctx: Ctx, asked: Asked, organizationId: string | null): Part => ({
  name: "tickets",
  read: (after) => ticketPages(ctx, asked, organizationId, after),
});

const within = (folder: string, { name, read }: Part): Part => ({
  name,
  read: async function* (after) {
    for await (const piece of read(after)) yield "name" in piece ? { ...piece, name: folder + piece.name } : piece;
  },
});

const encoder = new TextEncoder();
const text = (name: string, content: string): Piece => ({ name, bytes: encoder.encode(content) });

const AT_ONCE = 500;

/** A row may have the number zero. */
const BEFORE_ALL_ROWS: After = { major: Number.MIN_SAFE_INTEGER, minor: 0 };

function rowsPart({ db }: Ctx, { name, rows }: ArchivePart): Part {
  return {
    name,
    read: async function* (after) {
      for (let { major, minor } = isStart(after) ? BEFORE_ALL_ROWS : after; ; ) {
        const found = await db.all<After>(sql`${rows({ major, minor })} LIMIT ${AT_ONCE}`);
        const lines = found.map(({ major: _major, minor: _minor, ...row }) => `${JSON.stringify(row)}\n`);
        yield text(`${name}.ndjson`, lines.join(""));
        const last = found.at(-1);
        if (!last || found.length < AT_ONCE) return;
        ({ major, minor } = last);
        yield { after: { major, minor } };
      }
    },
  };
}

async function* organizationIndex(ctx: Ctx, { zone, at }: Asked, { major }: After): AsyncGenerator<Piece> {
  const name = "index.html";
  const { db } = ctx;
  const { planNames } = await effectiveBrand(ctx);
  if (major === 0)
    yield text(
      name,
      pageHead("Everything", null) +
        `<p>Made on ${momentOf(zone, at)}. With internal notes: keep it where only you can open it.</p>
<p>data/ has organizations, people and tickets as lines of JSON, which an import of the product reads. tables/ has a file
for each table, files/ what was sent with requests.</p>
${tableHead("Organization", "Plan", "Tickets")}`,
    );
  for (let last = major; ; ) {
    const rows = await db.all<Organization & { number: number; tickets: number }>(sql`
      SELECT number, name, slug, plan, ticket_count AS tickets FROM organizations
      WHERE number > ${last} ORDER BY number LIMIT ${AT_ONCE}`);
    const lines = rows.map(({ name: label, slug, plan, tickets }) =>
      tableRow(linkHtml(`organizations/${slug}/index.html`, label), planNames[plan], String(tickets)),
    );
    yield text(name, lines.join(""));
    if (rows.length < AT_ONCE) break;
    last = rows.at(-1)?.number ?? 0;
    yield { after: { major: last, minor: 0 } };
  }
  yield text(name, TABLE_END + PAGE_END);
}

/** The newest first: `major` is the last that was listed. */
async function* ticketIndex(
  ctx: Ctx,
  { zone, at, isInternal, organizationId }: Asked,
  { id, name: organization, plan, description }: Organization,
  { major }: After,
): AsyncGenerator<Piece> {
  const name = "index.html";
  const { db } = ctx;
  if (major === 0) {
    const { planNames } = await effectiveBrand(ctx);
    const months = await db.all<{ month: string }>(sql`
      SELECT month FROM letters INDEXED BY one_letter_a_month
      WHERE organization_id = ${id} AND status = 'released' ORDER BY month DESC`);
    const sent = months.map(({ month }) => linkHtml(`letters/${month}.pdf`, month)).join(" · ");
    yield text(
      name,
      pageHead(organization, organizationId === null ? { to: "../../index.html", label: "All organizations" } : null) +
        `${description ? `<div class="text">${escapeHtml(description)}</div>` : ""}
<p>${plan === "none" ? "No plan" : `Plan: ${planNames[plan]}`}. Made on ${momentOf(zone, at)}.
${isInternal ? "<strong>With internal notes: only for us, not for the client.</strong>" : ""}</p>
<p>${linkHtml("people.html", "People")} · ${linkHtml("people.csv", "People as CSV")}</p>
${organizationId === null ? "" : `<p>data/ has the same as lines of JSON, which an import of the product reads; tables/ has the rows as they are stored, with times in milliseconds since 1970 in UTC.${isInternal ? " internal/ is only for staff." : ""}</p>`}
${sent ? `<h2>Letters</h2><p>${sent}</p>` : ""}
<h2>Tickets</h2>${tableHead("Number", "Subject", "Status", "Opened", "By")}`,
    );
  }
  for (let last = major || Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await db.all<
      Pick<ArchivedTicket, "number" | "rank" | "title" | "status" | "openedAt" | "requester">
    >(sql`
      SELECT number, opened_rank AS rank, title, status, created_at AS openedAt, creator_name AS requester
      FROM support_tickets INDEXED BY organization_tickets
      WHERE organization_id = ${id} AND opened_rank < ${last} ORDER BY opened_rank DESC LIMIT ${AT_ONCE}`);
    const lines = rows.map(({ number, title, status, openedAt, requester }) =>
      tableRow(
        linkHtml(`tickets/${ticketPage(number)}`, referenceNumber("ticket", number)),
        escapeHtml(title),
        TICKET_STATUS_LABELS[status],
        dayIn(zone, openedAt),
        escapeHtml(requester),
      ),
    );
    yield text(name, lines.join(""));
    if (rows.length < AT_ONCE) break;
    last = rows.at(-1)?.rank ?? 0;
    yield { after: { major: last, minor: 0 } };
  }
  yield text(name, TABLE_END + PAGE_END);
}

type Person = {
  number: number;
  organization: string;
  name: string;
  email: string;
  phone: string;
  role: keyof typeof ORGANIZATION_ROLE_LABELS | "";
  status: string;
};

/**
 * Members first, then those without an account: `minor` 1. Without an organization: those of all. Clients get no one
 * who staff said is none of theirs.
 */
async function* peopleOf(
  { db }: Ctx,
  { organizationId, isInternal }: Pick<Asked, "organizationId" | "isInternal">,
  after: After,
): AsyncGenerator<{ people: readonly Person[]; after: After }> {
  const own = organizationId === null ? sql`` : sql`x.organization_id = ${organizationId} AND`;
  const known = isInternal ? sql`` : sql`x.refused_at IS NULL AND`;
  const kinds = [
    sql`SELECT x.number, o.name AS organization, coalesce(u.full_name, '') AS name,
        coalesce(u.email, x.invited_email, '') AS email, '' AS phone, x.role, x.status
      FROM organization_memberships x CROSS JOIN organizations o ON o.id = x.organization_id
      LEFT JOIN users u ON u.id = x.user_id WHERE`,
    sql`SELECT x.number, o.name AS organization, x.full_name AS name, x.email, x.phone, '' AS role,
        'no_account' AS status
      FROM contacts x CROSS JOIN organizations o ON o.id = x.organization_id WHERE ${known}`,
  ];
  for (let { major, minor } = after; ; ) {
    const kind = kinds[minor];
    if (!kind) return;
    const people = await db.all<Person>(sql`${kind} ${own} x.number > ${major} ORDER BY x.number LIMIT ${AT_ONCE}`);
    [major, minor] = people.length < AT_ONCE ? [0, minor + 1] : [people.at(-1)?.number ?? 0, minor];
    yield { people, after: { major, minor } };
  }
}

const isStart = ({ major, minor }: After): boolean => major === 0 && minor === 0;

const PERSON_STATUS: Record<string, string> = {
  active: "Active",
  pending: "Pending",
  suspended: "Suspended",
  no_account: "No account",
};

const PERSON_COLUMNS = ["Name", "Email", "Phone", "Role", "Status"] as const;

const cellsOf = ({ name, email, phone, role, status }: Person): string[] => [
  ...[name, email, phone],
  role === "" ? "" : ORGANIZATION_ROLE_LABELS[role],
  PERSON_STATUS[status] ?? "",
];

async function* peoplePage(
  ctx: Ctx,
  { isInternal }: Asked,
  { id, name: organization }: Organization,
  from: After,
): AsyncGenerator<Piece> {
  const name = "people.html";
  if (isStart(from))
    yield text(name, pageHead("People", { to: "index.html", label: organization }) + tableHead(...PERSON_COLUMNS));
  for await (const { people, after } of peopleOf(ctx, { organizationId: id, isInternal }, from)) {
    yield text(name, people.map((person) => tableRow(...cellsOf(person).map(escapeHtml))).join(""));
    yield { after };
  }
  yield text(name, TABLE_END + PAGE_END);
}

async function* peopleFile(ctx: Ctx, asked: Asked, from: After): AsyncGenerator<Piece> {
  if (isStart(from)) yield text("people.csv", UTF8_BOM + csvLine([...PERSON_COLUMNS]));
  for await (const { people, after } of peopleOf(ctx, asked, from)) {
    yield text("people.csv", people.map((person) => csvLine(cellsOf(person))).join(""));
    yield { after };
  }
}

async function* letters(ctx: Ctx, id: string, { major }: After): AsyncGenerator<Piece> {
  for (let last = major; ; ) {
    const [next] = await ctx.db.all<{ id: string; month: string; number: number }>(sql`
      SELECT id, month, number FROM letters INDEXED BY one_letter_a_month
      WHERE organization_id = ${id} AND status = 'released' AND number > ${last} ORDER BY number LIMIT 1`);
    if (!next) return;
    const stored = await findLetter(ctx.db, next.id);
    const bytes = stored && (await letterPdf(ctx, stored));
    // One that is not what was released has its row in the table all the same.
    if (bytes) yield { name: `letters/${next.month}.pdf`, bytes };
    last = next.number;
    yield { after: { major: last, minor: 0 } };
  }
}

const ticketFolder = ({ slug }: ArchivedTicket, organizationId: string | null): string =>
  `${organizationId === null ? folderOf(slug) : ""}tickets/`;

const TICKETS_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 400;

const listTickets = ({ db }: Ctx, organizationId: string | null, after: number): Promise<ArchivedTicket[]> =>
  db.all(sql`
    SELECT t.id, t.number, t.opened_rank AS rank, t.title, t.description, t.status, t.priority, t.category,
      o.name AS organization, o.slug,
      t.creator_name AS requester, coalesce(u.email, c.email) AS email, a.full_name AS assignee,
      t.old_number AS oldNumber, t.resolution, t.is_private AS isPrivate, t.created_at AS openedAt,
      t.resolved_at AS resolvedAt, t.closed_at AS closedAt
    FROM support_tickets t CROSS JOIN organizations o ON o.id = t.organization_id
    LEFT JOIN users u ON u.id = t.created_by LEFT JOIN contacts c ON c.id = t.contact_id
    LEFT JOIN users a ON a.id = t.assigned_to
    WHERE ${organizationId === null ? sql`` : sql`t.organization_id = ${organizationId} AND`} t.opened_rank > ${after}
    ORDER BY t.opened_rank LIMIT ${TICKETS_AT_ONCE}`);

/** Of some tickets in their order. Colleagues at the provider have no address in what clients get. */
async function* messagesOf(
  { db }: Ctx,
  tickets: readonly ArchivedTicket[],
  isInternal: boolean,
): AsyncGenerator<ArchivedMessage> {
  const ids = JSON.stringify(tickets.map(({ id }) => id));
  const shown: SQL = isInternal ? sql`` : sql`AND ${isPublic()}`;
  const address = isInternal
    ? sql`coalesce(u.email, c.email)`
    : sql`iif(m.side = 'client', coalesce(u.email, c.email), NULL)`;
  for (let last = { rank: 0, at: 0, id: "" }; ; ) {
    const rows = await db.all<ArchivedMessage>(sql`
      SELECT m.ticket_id AS ticketId, m.id, t.opened_rank AS rank, m.author_name AS author, ${address} AS email, m.side,
        ${isInternalNote()} AS isInternal, m.message AS text, m.created_at AS at
      FROM json_each(${ids}) asked CROSS JOIN support_tickets t ON t.id = asked.value
      CROSS JOIN ticket_messages m ON m.ticket_id = t.id ${shown}
      LEFT JOIN users u ON u.id = m.user_id LEFT JOIN contacts c ON c.id = m.contact_id
      WHERE (t.opened_rank, m.created_at, m.id) > (${last.rank}, ${last.at}, ${last.id})
      ORDER BY t.opened_rank, m.created_at, m.id LIMIT ${MESSAGES_AT_ONCE}`);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < MESSAGES_AT_ONCE) return;
    last = end;
  }
}

/** Gives each ticket its messages: `take` must be called for them in their order. */
function sharedOut(messages: AsyncGenerator<ArchivedMessage>) {
  let next: IteratorResult<ArchivedMessage> | null = null;
  return async function* take(ticketId: string): AsyncGenerator<ArchivedMessage> {
    for (;;) {
      next ??= await messages.next();
      if (next.done || next.value.ticketId !== ticketId) return;
      const { value } = next;
      next = null;
      yield value;
    }
  };
}

async function filesOf(
  { db }: Ctx,
  tickets: readonly ArchivedTicket[],
  isInternal: boolean,
): Promise<Map<string, ArchivedFile[]>> {
  const ids = JSON.stringify(tickets.map(({ id }) => id));
  const rows = await db.all<Omit<ArchivedFile, "path"> & { ticketId: string }>(sql`
    SELECT x.subject_id AS ticketId, x.message_id AS messageId, x.r2_key AS key, x.name, x.size
    FROM json_each(${ids}) asked
    CROSS JOIN attachments x ON x.subject_type = 'ticket' AND x.subject_id = asked.value
      ${isInternal ? sql`` : sql`AND NOT ${FILE_IS_INTERNAL}`} ORDER BY x.rowid`);
  const files = new Map<string, ArchivedFile[]>();
  const numbers = new Map(tickets.map(({ id, number }) => [id, referenceNumber("ticket", number)]));
  for (const { ticketId, ...file } of rows) {
    const own = files.get(ticketId) ?? [];
    own.push({ ...file, path: `${numbers.get(ticketId)}/${archivedName(own.length + 1, file.name)}` });
    files.set(ticketId, own);
  }
  return files;
}

/** `minor`: how many files of a ticket are written, whose page is written then too. */
async function* ticketPages(
  ctx: Ctx,
  { isInternal, zone }: Asked,
  organizationId: string | null,
  from: After,
): AsyncGenerator<Piece> {
  let { major, minor } = from;
  for (;;) {
    const tickets = await listTickets(ctx, organizationId, minor > 0 ? major - 1 : major);
    const files = await filesOf(ctx, tickets, isInternal);
    const take = sharedOut(messagesOf(ctx, tickets, isInternal));
    // That of before may be gone since, or in another organization.
    const writtenOf = ({ rank }: ArchivedTicket) => (rank === from.major ? from.minor : 0);
    const left = tickets.flatMap((ticket) => (files.get(ticket.id) ?? []).slice(writtenOf(ticket)));
    const next = storedFiles(ctx, left);
    for (const ticket of tickets) {
      const own = files.get(ticket.id) ?? [];
      const folder = ticketFolder(ticket, organizationId);
      const written = writtenOf(ticket);
      if (written === 0) {
        const name = folder + ticketPage(ticket.number);
        const of = (messageId: string | null) => own.filter((file) => file.messageId === messageId);
        yield text(name, ticketHead(ticket, of(null), zone));
        for await (const message of take(ticket.id)) yield text(name, messageHtml(message, of(message.id), zone));
        yield text(name, PAGE_END);
      } else for await (const _message of take(ticket.id));
      for (const [index, { path }] of [...own.entries()].slice(written)) {
        yield* next(folder + path);
        yield { after: { major: ticket.rank, minor: index + 1 }, fetched: 1 };
      }
      major = ticket.rank;
      minor = 0;
      yield { after: { major, minor }, tickets: 1 };
    }
    if (tickets.length < TICKETS_AT_ONCE) return;
  }
}

/** Five answers of the store, and the upload: no more may be waited for at once. */
const FETCHED_AHEAD = 5;

/** In bytes. A larger file is fetched when its turn comes, and never held. */
const HELD_AT_ONCE = 1024 * 1024;

/**
 * Returns what reads one file after the other. Small ones are asked for ahead of their turn: it is the store's time to
 * answer that an archive of many files takes. One that is gone from the store still has its line.
 */
function storedFiles({ files }: Ctx, wanted: readonly { key: string; size: number }[]) {
  const ahead: Promise<Uint8Array | null>[] = [];
  const fetchWhole = async (key: string) => {
    const stream = await files.get(key);
    return stream && new Uint8Array(await new Response(stream).arrayBuffer());
  };
  let turn = 0;
  return async function* next(name: string): AsyncGenerator<Piece> {
    const file = wanted[turn];
    for (const { key, size } of wanted.slice(turn + ahead.length, turn + FETCHED_AHEAD)) {
      const fetched = size > HELD_AT_ONCE ? Promise.resolve(null) : fetchWhole(key);
      // Its turn may not come.
      fetched.catch(() => undefined);
      ahead.push(fetched);
    }
    turn += 1;
    const whole = await ahead.shift();
    if (whole) yield { name, bytes: whole };
    if (!file || file.size <= HELD_AT_ONCE) return;
    const stream = await files.get(file.key);
    for await (const bytes of (stream ?? []) as AsyncIterable<Uint8Array>) yield { name, bytes };
  };
}

async function* otherFiles(ctx: Ctx, { major }: After): AsyncGenerator<Piece> {
  for (let last = major; ; ) {
    const rows = await ctx.db.all<{ place: number; id: string; name: string; key: string; size: number }>(sql`
      SELECT rowid AS place, id, name, r2_key AS key, size FROM attachments
      WHERE rowid > ${last} AND subject_type IS NOT 'ticket' ORDER BY rowid LIMIT ${AT_ONCE}`);
    const next = storedFiles(ctx, rows);
    for (const { place, id, name } of rows) {
      yield* next(`files/${id}/${archivedName(1, name)}`);
      last = place;
      yield { after: { major: last, minor: 0 }, fetched: 1 };
    }
    if (rows.length < AT_ONCE) return;
  }
}

const isoTime = (at: Instant | null): string => (at === null ? "" : new Date(at).toISOString());

/** In the words of our own import: see `IMPORT_FIELDS`. */
function dataParts(ctx: Ctx, { organizationId, isInternal }: Asked): Part[] {
  const organizations: ArchivePart = {
    name: "data/organizations",
    rows: ({ major }) => sql`SELECT x.number AS major, 0 AS minor, x.name, x.id AS old_id, x.plan,
        strftime('%Y-%m-%dT%H:%M:%SZ', x.contract_started_at / 1000, 'unixepoch') AS contract_start,
        (SELECT group_concat(d.domain, ' ') FROM organization_domains d WHERE d.organization_id = x.id) AS domains,
        x.description
      FROM organizations x WHERE ${organizationId === null ? sql`` : sql`x.id = ${organizationId} AND`}
        x.number > ${major} ORDER BY x.number`,
  };
  const people: Part = {
    name: "data/people",
    read: async function* (from) {
      for await (const { people: found, after } of peopleOf(ctx, { organizationId, isInternal }, from)) {
        const lines = found.map(({ number: _number, ...person }) => `${JSON.stringify(person)}\n`);
        yield text("data/people.ndjson", lines.join(""));
        yield { after };
      }
    },
  };
  const tickets: Part = {
    name: "data/tickets",
    read: async function* ({ major }) {
      for (let last = major; ; ) {
        const found = await listTickets(ctx, organizationId, last);
        const files = await filesOf(ctx, found, isInternal);
        const take = sharedOut(messagesOf(ctx, found, isInternal));
        for (const ticket of found) {
          const folder = ticketFolder(ticket, organizationId);
          const own = files.get(ticket.id) ?? [];
          const of = (messageId: string | null) =>
            own.flatMap((file) =>
              file.messageId === messageId ? [{ name: file.name, path: folder + file.path }] : [],
            );
          const messages: object[] = [];
          for await (const { id, text: said, author, email, side, isInternal: internal, at } of take(ticket.id))
            messages.push({
              text: said,
              author,
              email,
              side,
              internal: internal === 1,
              at: isoTime(at),
              files: of(id),
            });
          const line = { ...lineOf(ticket), files: of(null), messages };
          yield text("data/tickets.ndjson", `${JSON.stringify(line)}\n`);
        }
        // A place that is no step ahead would be gone on from for ever.
        if (found.length === 0) return;
        last = found.at(-1)?.rank ?? last;
        yield { after: { major: last, minor: 0 }, tickets: found.length };
        if (found.length < TICKETS_AT_ONCE) return;
      }
    },
  };
  return [rowsPart(ctx, organizations), people, tickets];
}

const lineOf = (ticket: ArchivedTicket) => ({
  old_number: referenceNumber("ticket", ticket.number),
  subject: ticket.title,
  description: ticket.description,
  organization: ticket.organization,
  requester_email: ticket.email ?? "",
  requester_name: ticket.requester,
  status: ticket.status,
  priority: ticket.priority,
  category: ticket.category ?? "",
  assignee: ticket.assignee ?? "",
  opened: isoTime(ticket.openedAt),
  closed: isoTime(ticket.closedAt ?? ticket.resolvedAt),
});

export async function countArchived({ db }: Pick<Ctx, "db">, organizationId: string | null): Promise<number> {
  const [found] = await db.all<{ count: number }>(sql`SELECT coalesce(sum(ticket_count), 0) AS count
    FROM organizations ${organizationId === null ? sql`` : sql`WHERE id = ${organizationId}`}`);
  return found?.count ?? 0;
}
