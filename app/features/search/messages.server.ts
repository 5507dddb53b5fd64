import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { type TicketViewer, visibleToClient } from "~/features/tickets/access.server";
import type { Instant } from "~/lib/time";
import { MESSAGES_SCANNED, MESSAGES_SHOWN, messageMatch } from "./model";

export async function findDescriptions(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ id: string; description: string }>(sql`
    SELECT t.id, t.description FROM json_each(${JSON.stringify(ids)}) asked
    CROSS JOIN support_tickets t ON t.id = asked.value`);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

export type FoundMessage = {
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

export async function findMessagesForStaff(db: Db, words: readonly string[]): Promise<FoundMessage[]> {
  const match = messageMatch(words, { organizationId: null, onlyPublic: false });
  if (match === null) return [];
  return db.all<FoundMessage>(sql`
    SELECT ${columns(words[0] ?? "")} FROM (SELECT rowid AS number FROM message_search f
      WHERE f.message_search MATCH ${match} ORDER BY f.rowid DESC LIMIT ${MESSAGES_SHOWN + 1}) found
    CROSS JOIN ticket_messages m ON m.number = found.number CROSS JOIN support_tickets t ON t.id = m.ticket_id
    ORDER BY m.number DESC`);
}

/** Somebody who sees all tickets of the organization is shown all; for others the newest messages are looked at. */
export async function findMessagesForClient(
  db: Db,
  words: readonly string[],
  viewer: TicketViewer,
): Promise<FoundMessage[]> {
  const match = messageMatch(words, { organizationId: viewer.organizationId, onlyPublic: true });
  if (match === null) return [];
  return db.all<FoundMessage>(sql`
    SELECT ${columns(words[0] ?? "")} FROM (SELECT rowid AS number FROM message_search f
      WHERE f.message_search MATCH ${match} ORDER BY f.rowid DESC LIMIT ${MESSAGES_SCANNED}) found
    CROSS JOIN ticket_messages m ON m.number = found.number AND ${isPublic()}
    CROSS JOIN support_tickets t ON t.id = m.ticket_id AND ${visibleToClient(viewer)}
    ORDER BY m.number DESC LIMIT ${MESSAGES_SHOWN + 1}`);
}
