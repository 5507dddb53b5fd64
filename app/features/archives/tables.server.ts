import { type SQL, sql } from "drizzle-orm";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { EXPORTED_TABLES } from "~/features/privacy/everything.server";

/** The place of a row, after which others follow. */
export type After = { major: number; minor: number };

/** Rows in their order: with `major` and `minor`, which are not written. `name`: without its ending. */
export type ArchivePart = { name: string; rows: (after: After) => SQL };

export const EVERY_TABLE: readonly ArchivePart[] = EXPORTED_TABLES.map(({ name, columns }) => {
  const selected = sql.raw(columns.map((column) => `"${column}"`).join(", "));
  return {
    name: `tables/${name}`,
    rows: ({ major }) => sql`
      SELECT rowid AS major, 0 AS minor, ${selected} FROM ${sql.identifier(name)}
      WHERE rowid > ${major} ORDER BY rowid`,
  };
});

/**
 * The columns that a client gets of its own rows: a new one stays here until it is listed. Left out is what staff have
 * noted about them, how we work, and what each of them chose alone.
 */
const FOR_CLIENTS: Record<string, string> = {
  organizations:
    "id created_at updated_at name slug description plan contract_started_at phone add_ons mfa_required_at visibility allows_copies default_role",
  organization_domains: "domain organization_id created_at",
  organization_memberships:
    "id created_at updated_at organization_id user_id role status invited_email invited_by invited_at joined_at",
  contacts: "id organization_id email full_name phone created_at member_id",
  support_tickets:
    "id created_at updated_at number organization_id title description priority category impact status created_by creator_name contact_id opened_by assigned_to is_private follow_up_of old_number resolution resolved_at closed_at waiting_since public_messages last_message_at due_at",
  ticket_messages:
    "id created_at updated_at organization_id ticket_id user_id contact_id author_name side message number",
  ticket_people: "organization_id ticket_id user_id added_by added_at",
  ticket_copies: "id organization_id ticket_id email contact_id member_id added_by added_at",
  ticket_votes: "organization_id ticket_id user_id is_solved comment at",
  attachments: "id name kind size sha256 created_at subject_type subject_id message_id",
  allowance_entries: "id organization_id kind contract_year ticket_id ticket_number actor_name at reversed_at",
  letters: "id created_at updated_at organization_id month status letter_json letter_hash released_at released_by_name",
};

export const FILE_IS_INTERNAL = sql`(x.message_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ticket_messages m WHERE m.id = x.message_id AND ${isPublic()}))`;

/** The rows of one organization. Those in `internal/` are only for staff. */
export function organizationTables(id: string, isInternal: boolean): readonly ArchivePart[] {
  /** In SQL, as those of `x`. */
  const columnsOf = (table: string, without: readonly string[] = []): SQL => {
    const columns = isInternal
      ? EXPORTED_TABLES.find(({ name }) => name === table)?.columns
      : FOR_CLIENTS[table]?.split(" ");
    const taken = (columns ?? []).filter((column) => !without.includes(column));
    return sql.raw(taken.map((column) => `x."${column}"`).join(", "));
  };
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
    return ({ major, minor }) => sql`SELECT t.opened_rank AS major, x.rowid AS minor, ${columns}
      FROM support_tickets t INDEXED BY organization_tickets CROSS JOIN ${sql.identifier(table)} x ON ${on}
      WHERE t.organization_id = ${id} AND t.opened_rank >= ${major} AND (t.opened_rank > ${major} OR x.rowid > ${minor})
      ORDER BY t.opened_rank, x.rowid`;
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
    {
      name: "tables/contacts",
      rows: ({ major }) => sql`SELECT x.rowid AS major, 0 AS minor, ${columnsOf("contacts")} FROM contacts x
        WHERE x.organization_id = ${id} ${isInternal ? sql`` : sql`AND x.refused_at IS NULL`} AND x.rowid > ${major}
        ORDER BY x.rowid`,
    },
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
  return isInternal ? parts : parts.filter(({ name }) => !name.startsWith("internal/"));
}
