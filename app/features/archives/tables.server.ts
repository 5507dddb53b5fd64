import { type SQL, sql } from "drizzle-orm";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import type { ArchivePart } from "~/features/privacy/archive.server";
import { EXPORTED_TABLES } from "~/features/privacy/everything.server";

export const EVERY_TABLE: readonly ArchivePart[] = EXPORTED_TABLES.map(({ name, columns }) => {
  const selected = sql.raw(columns.map((column) => `"${column}"`).join(", "));
  return {
    name: `tables/${name}`,
    rows: ({ major }) => sql`
      SELECT rowid AS major, 0 AS minor, ${selected} FROM ${sql.identifier(name)}
      WHERE rowid > ${major} ORDER BY rowid`,
  };
});

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

export const FILE_IS_INTERNAL = sql`(x.message_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ticket_messages m WHERE m.id = x.message_id AND ${isPublic()}))`;

/** The rows of one organization. Those in `internal/` are only for staff, as is what they have written about others. */
export function organizationTables(id: string): readonly ArchivePart[] {
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
  return [
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
}
