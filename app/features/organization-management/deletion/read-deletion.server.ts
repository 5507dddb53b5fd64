import { type SQL, sql } from "drizzle-orm";
import type { StaffActor } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { type CappedCount, capped } from "~/lib/capped-count";
import type { Ctx } from "~/platform/context.server";
import { findRecord } from "../record/queries.server";

/** Limits how far is counted what no counter maintains. */
const COUNTED_TO = 1_000;

/** Reads what the page that asks before a deletion shows: what goes, and whether a proof of identity is needed. */
export async function readDeletion(ctx: Pick<Ctx, "db" | "now" | "request">, actor: StaffActor, id: string) {
  const ofTickets = (rows: SQL) => sql`(SELECT count(*) FROM (SELECT 1
    FROM support_tickets t INDEXED BY organization_tickets CROSS JOIN ${rows}
    WHERE t.organization_id = ${id} LIMIT ${COUNTED_TO + 1}))`;
  const counted = (rows: SQL) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${COUNTED_TO + 1}))`;
  const [organization, [found]] = await Promise.all([
    findRecord(ctx.db, id),
    ctx.db.all<Record<"messages" | "ticketNotes" | "files" | "letters" | "notes" | "bytes", number>>(sql`
      SELECT ${ofTickets(sql`ticket_messages m ON m.ticket_id = t.id AND m.is_internal = 0`)} AS messages,
        ${ofTickets(sql`ticket_messages m ON m.ticket_id = t.id AND m.is_internal = 1`)} AS ticketNotes,
        ${ofTickets(sql`attachments f ON f.subject_type = 'ticket' AND f.subject_id = t.id`)} AS files,
        ${counted(sql`letters WHERE organization_id = ${id}`)} AS letters,
        ${counted(sql`admin_notes WHERE subject_type = 'organization' AND subject_id = ${id}`)} AS notes,
        coalesce((SELECT file_bytes FROM ticket_counts WHERE organization_id = ${id}), 0) AS bytes`),
  ]);
  if (!organization || !found) return null;
  const { name, version, allMembers, tickets, domains } = organization;
  const count = (value: number): CappedCount => capped(value, COUNTED_TO);
  return {
    organization: {
      ...{ id, name, version, tickets },
      members: allMembers,
      domains: domains.length,
      messages: count(found.messages),
      files: count(found.files),
      fileBytes: found.bytes,
      letters: count(found.letters),
      notes: count(Math.min(found.notes + found.ticketNotes, COUNTED_TO + 1)),
    },
    identity: identityRequest(ctx, actor),
  };
}
