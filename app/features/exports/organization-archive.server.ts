import { type SQL, sql } from "drizzle-orm";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { letterPdf } from "~/features/letters/load-letter.server";
import { findLetter } from "~/features/letters/queries.server";
import { deletionPath, organizationFilePath } from "~/features/organization-management/paths";
import {
  type ArchivePart,
  type ArchivePlace,
  archiveFiles,
  type Contents,
  placeIn,
  sendArchive,
  type ZipEntry,
} from "~/features/privacy/archive.server";
import { EXPORTED_TABLES } from "~/features/privacy/everything.server";
import type { Ctx } from "~/platform/context.server";
import { type ActionResult, notFound } from "~/platform/responses.server";

/*
 * The archive with everything that goes when an organization is deleted, and with its history, which then loses the
 * names. Submissions stay: they belong to nobody's organization.
 */

/** The newest first. All are in the table too. */
const MAX_LETTERS = 120;

const ABOUT = `Everything that belongs to one organization.

tables/    One file for each kind of record, a row in each line, as JSON.
letters/   The letters that were sent, as PDF files.
files/     What was sent with tickets, named by the id of its row in tables/attachments.ndjson and its own name.
internal/  Only for staff: internal notes with their files, drafts of letters, who did what on tickets, and the history.
           Take this folder out before you give the archive to the client.

Times are milliseconds since 1970 in UTC. Lines were read one part after another: a row that was changed meanwhile may
be as it was before or after.
`;

/** In SQL, as those of `x`. */
function columnsOf(table: string, without: readonly string[] = []): SQL {
  const columns = EXPORTED_TABLES.find(({ name }) => name === table)?.columns ?? [];
  return sql.raw(
    columns
      .filter((column) => !without.includes(column))
      .map((column) => `x."${column}"`)
      .join(", "),
  );
}

const FILE_IS_INTERNAL = sql`(x.message_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ticket_messages m WHERE m.id = x.message_id AND ${isPublic()}))`;

function contentsFor(id: string): Contents {
  const own = (table: string, key = "rowid", owner = "organization_id"): ArchivePart["rows"] => {
    const by = sql.raw(`x.${key}`);
    return ({ major }) => sql`SELECT ${by} AS major, 0 AS minor, ${columnsOf(table)} FROM ${sql.identifier(table)} x
      WHERE x.${sql.raw(owner)} = ${id} AND ${by} > ${major} ORDER BY ${by}`;
  };
  const lettersOf =
    (status: "draft" | "released"): ArchivePart["rows"] =>
    ({ major }) =>
      sql`SELECT x.number AS major, 0 AS minor, ${columnsOf("letters")}
      FROM letters x INDEXED BY one_letter_a_month
      WHERE x.organization_id = ${id} AND x.status = ${status} AND x.number > ${major} ORDER BY x.number`;
  /** The tickets in their order, and of each its rows. */
  const ofTickets = (
    table: string,
    { columns = columnsOf(table), on = sql.raw("x.ticket_id = t.id") }: { columns?: SQL; on?: SQL } = {},
  ): ArchivePart["rows"] => {
    return ({ major, minor }) => sql`SELECT t.number AS major, x.rowid AS minor, ${columns}
      FROM support_tickets t INDEXED BY organization_tickets CROSS JOIN ${sql.identifier(table)} x ON ${on}
      WHERE t.organization_id = ${id} AND t.number >= ${major} AND (t.number > ${major} OR x.rowid > ${minor})
      ORDER BY t.number, x.rowid`;
  };
  const ofTicket = sql.raw("x.subject_type = 'ticket' AND x.subject_id = t.id");
  const attached = columnsOf("attachments", ["r2_key"]);
  const parts: readonly ArchivePart[] = [
    { name: "tables/organizations", rows: own("organizations", "rowid", "id") },
    { name: "tables/organization_domains", rows: own("organization_domains") },
    { name: "tables/organization_memberships", rows: own("organization_memberships", "number") },
    {
      name: "tables/users",
      rows: ({ major }) => sql`SELECT m.number AS major, 0 AS minor, x.id, x.email, x.full_name
        FROM organization_memberships m INDEXED BY members_in_order CROSS JOIN users x ON x.id = m.user_id
        WHERE m.organization_id = ${id} AND m.number > ${major} ORDER BY m.number`,
    },
    { name: "tables/contacts", rows: own("contacts") },
    { name: "tables/support_tickets", rows: own("support_tickets", "number") },
    {
      name: "tables/ticket_messages",
      rows: ofTickets("ticket_messages", { on: sql`x.ticket_id = t.id AND ${isPublic("x")}` }),
    },
    { name: "tables/ticket_people", rows: ofTickets("ticket_people") },
    {
      name: "tables/ticket_copies",
      // What the owner of an address has chosen is theirs alone: the archive has what the tickets list.
      rows: ofTickets("ticket_copies", {
        columns: columnsOf("ticket_copies", ["stopped_mailbox", "removed_at"]),
        on: sql.raw("x.ticket_id = t.id AND x.removed_at IS NULL"),
      }),
    },
    { name: "tables/ticket_votes", rows: ofTickets("ticket_votes") },
    {
      name: "tables/attachments",
      rows: ofTickets("attachments", { columns: attached, on: sql`${ofTicket} AND NOT ${FILE_IS_INTERNAL}` }),
    },
    { name: "tables/allowance_entries", rows: own("allowance_entries") },
    { name: "tables/letters", rows: lettersOf("released") },
    {
      name: "internal/ticket_notes",
      rows: ofTickets("ticket_messages", { on: sql`x.ticket_id = t.id AND ${isInternalNote("x")}` }),
    },
    {
      name: "internal/attachments",
      rows: ofTickets("attachments", { columns: attached, on: sql`${ofTicket} AND ${FILE_IS_INTERNAL}` }),
    },
    { name: "internal/letters", rows: lettersOf("draft") },
    { name: "internal/ticket_events", rows: ofTickets("ticket_events") },
    {
      name: "internal/organization_notes",
      rows: ({ major, minor }) => sql`SELECT x.created_at AS major, x.rowid AS minor, ${columnsOf("admin_notes")}
        FROM admin_notes x INDEXED BY notes_by_subject
        WHERE x.subject_type = 'organization' AND x.subject_id = ${id} AND x.created_at >= ${major}
          AND (x.created_at > ${major} OR x.rowid > ${minor}) ORDER BY x.created_at, x.rowid`,
    },
    { name: "internal/history", rows: own("audit_events", "id", "org_id") },
  ];
  const files = ofTickets("attachments", {
    columns: sql`x.r2_key AS key, iif(${FILE_IS_INTERNAL}, 'internal/', '') || 'files/' || x.id || '-' || x.name AS path`,
    on: ofTicket,
  });
  return { about: ABOUT, parts, files };
}

async function* letterFiles(ctx: Ctx, organizationId: string): AsyncGenerator<ZipEntry> {
  const sent = await ctx.db.all<{ id: string; month: string }>(sql`
    SELECT id, month FROM letters INDEXED BY one_letter_a_month
    WHERE organization_id = ${organizationId} AND status = 'released' ORDER BY month DESC LIMIT ${MAX_LETTERS}`);
  for (const { id, month } of sent) {
    const stored = await findLetter(ctx.db, id);
    const bytes = stored && (await letterPdf(ctx, stored));
    // One that is not what was released has its row in the table all the same.
    if (bytes) yield { name: `letters/${month}.pdf`, bytes };
  }
}

async function* archiveOf(ctx: Ctx, id: string, from: ArchivePlace): AsyncGenerator<ZipEntry> {
  const contents = contentsFor(id);
  const isFirst = from.part === contents.parts[0]?.name && from.major === 0;
  if (isFirst) yield* letterFiles(ctx, id);
  const next = (place: string) => `${ctx.config.APP_ORIGIN}${organizationFilePath(id, place)}`;
  yield* archiveFiles(ctx, contents, { from, next, spent: isFirst ? 3 * MAX_LETTERS : 0 });
}

/**
 * Needs a fresh proof of identity, and is on record before its first byte leaves. `after`: where the one before it
 * ended.
 */
export async function exportOrganization(
  ctx: Ctx,
  actor: StaffActor,
  { id, after }: { id: string; after: string },
): Promise<ActionResult<never>> {
  const found = await ctx.db.all(sql`SELECT 1 FROM organizations WHERE id = ${id}`);
  const from = placeIn(contentsFor(id), after);
  if (found.length === 0 || !from) return notFound();
  return sendArchive(ctx, actor, {
    page: after ? deletionPath(id, after) : deletionPath(id),
    after,
    record: recordAudit(ctx, "organization.data_exported", {
      subject: { type: "organization", id, label: null },
      orgId: id,
      meta: after ? { after } : {},
    }),
    name: "organization",
    entries: archiveOf(ctx, id, from),
  });
}
