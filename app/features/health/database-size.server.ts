import { sql } from "drizzle-orm";
import { fileSize, plural } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";

const GIGABYTE = 1024 ** 3;

/** Says how large the platform lets a database grow, in bytes. A full one takes no change any more. */
const DATABASE_LIMIT = 10 * GIGABYTE;

/** Says from which size on somebody should think of it, and from which on do something. */
const FILLING = 5 * GIGABYTE;
const ALMOST_FULL = 8 * GIGABYTE;

/** Returns how large the database is: "5.2 GB of 10 GB (52.0%)". Null: it has not answered yet. */
export const sizeInWords = (size: number | null): string =>
  size === null ? "Unknown" : `${fileSize(size)} of 10 GB (${((100 * size) / DATABASE_LIMIT).toFixed(1)}%)`;

/** Returns what the size of the database means. `problem`: a sentence for the dashboard; null: there is room. */
export function judgeSize(size: number | null): { detail: string; problem: string | null } {
  const detail = sizeInWords(size);
  if (size === null || size < FILLING) return { detail, problem: null };
  if (size < ALMOST_FULL) return { detail, problem: `The database is filling up: ${detail}` };
  return {
    detail: `${detail}: almost full`,
    problem: `The database is almost full: ${detail}. Once it is full, nothing can be saved`,
  };
}

/** Names the tables that grow, as people call what is in them. */
const GROWING = {
  "Tickets and their messages": ["support_tickets", "ticket_messages", "ticket_events", "ticket_facts"],
  "Requests with replies and notes": ["contact_submissions", "submission_events", "submission_replies", "admin_notes"],
  "Activity with its seals": ["audit_events", "audit_seals"],
  "Events of two-step sign-in": ["mfa_audit_log"],
  "Mails of the last days": ["outbox", "mail_events"],
  Notifications: ["notifications"],
  "People, sessions and organizations": ["users", "sessions", "organizations", "organization_memberships"],
} as const;

/** Names the tables whose texts are in a search index. */
const SEARCHED: readonly string[] = [
  ...["support_tickets", "ticket_messages", "contact_submissions", "audit_events", "mfa_audit_log", "users"],
  ...["organizations", "organization_memberships"],
];

type Room = { term: string; detail: string };

/**
 * Lists what takes the room, the most rows first. No row is counted: the numbers of the first and the last row of each
 * table say about how many there are, as what is deleted is mostly the oldest. Bytes of a table D1 does not tell.
 */
export async function readWhatTakesRoom({ db }: Pick<Ctx, "db">): Promise<Room[]> {
  const tables = Object.values(GROWING).flat();
  const spans = tables.map(
    (table) => `'${table}', (SELECT max(rowid) FROM ${table}) - (SELECT min(rowid) FROM ${table}) + 1`,
  );
  // As one value: a row for each table would be more terms than D1 takes.
  const [found] = await db.all<{ spans: string }>(sql`SELECT json_object(${sql.raw(spans.join(", "))}) AS spans`);
  const span = JSON.parse(found?.spans ?? "{}") as Partial<Record<string, number | null>>;
  const rowsOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (span[name] ?? 0), 0);
  const listed = Object.entries(GROWING).map(([term, names]) => ({ term, rows: rowsOf(names), unit: "row" }));
  return [...listed, { term: "Search indexes", rows: rowsOf(SEARCHED), unit: "text" }]
    .sort((one, other) => other.rows - one.rows)
    .map(({ term, rows, unit }) => ({ term, detail: `about ${plural(rounded(rows), unit)}` }));
}

/** Rounds to two digits: 1,234,567 is 1,200,000. */
const rounded = (count: number): number => Number(count.toPrecision(2));
