import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { importedRecords, importRows, imports } from "~/db/schema/imports";
import { counters } from "~/db/schema/infrastructure";
import { contacts, organizations } from "~/db/schema/organizations";
import { attachments } from "~/db/schema/subjects";
import { ticketCounts, ticketMessages, tickets } from "~/db/schema/tickets";
import { deleteOrphans } from "~/features/attachments/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { WITHOUT_FILE } from "~/features/privacy/erase-person.server";
import { isOnHold } from "~/features/subjects/legal-hold.server";
import type { Ctx } from "~/platform/context.server";
import { importKeysOf, type Part, type StoredImport } from "./queries.server";

type UndoContext = Pick<Ctx, "after" | "db" | "files" | "now">;

/** Limits the records of one batch. */
const RECORDS = 100;

/**
 * Whose ticket it is may have got an account since: that is no change of the ticket. What people send with it has a
 * message.
 */
const IS_TICKET_CHANGED: SQL = sql`EXISTS (SELECT 1 FROM support_tickets t WHERE t.id = imported_records.target_id AND (
  t.version <> 1 OR ${isOnHold("ticket", sql`t.id`)} OR ${isOnHold("organization", sql`t.organization_id`)}
  OR (SELECT count(*) FROM ticket_messages m WHERE m.ticket_id = t.id) <> imported_records.messages
  OR (SELECT count(*) FROM ticket_events e WHERE e.ticket_id = t.id) <> 1
  OR (SELECT count(*) FROM ticket_copies c WHERE c.ticket_id = t.id) > 1
  OR EXISTS (SELECT 1 FROM ticket_copies c WHERE c.ticket_id = t.id AND c.contact_id IS NULL AND c.member_id IS NULL)
  OR EXISTS (SELECT 1 FROM ticket_people p WHERE p.ticket_id = t.id)
  OR EXISTS (SELECT 1 FROM ticket_drafts d WHERE d.ticket_id = t.id)
  OR EXISTS (SELECT 1 FROM ticket_votes v WHERE v.ticket_id = t.id)
  OR EXISTS (SELECT 1 FROM proposed_copies p WHERE p.ticket_id = t.id)
  OR EXISTS (SELECT 1 FROM support_tickets f WHERE f.follow_up_of = t.id)
  OR EXISTS (SELECT 1 FROM inbound_mail i WHERE i.ticket_id = t.id)))`;

const IS_CONTACT_CHANGED: SQL = sql`EXISTS (SELECT 1 FROM contacts k WHERE k.id = imported_records.target_id AND (
  EXISTS (SELECT 1 FROM support_tickets t WHERE t.contact_id = k.id)
  OR EXISTS (SELECT 1 FROM ticket_messages m WHERE m.contact_id = k.id)
  OR EXISTS (SELECT 1 FROM ticket_copies c WHERE c.contact_id = k.id)
  OR EXISTS (SELECT 1 FROM person_erasures e WHERE e.user_id = k.id)
  OR EXISTS (SELECT 1 FROM contact_invitations w WHERE w.contact_id = k.id)
  OR ${isOnHold("organization", sql`k.organization_id`)}))`;

const IS_ORGANIZATION_CHANGED: SQL = sql`EXISTS (SELECT 1 FROM organizations o WHERE o.id = imported_records.target_id AND (
  o.version <> 1 OR o.all_members > 0 OR o.ticket_count > 0 OR o.mfa_required_at IS NOT NULL
  OR ${isOnHold("organization", sql`o.id`)}
  OR EXISTS (SELECT 1 FROM contacts k WHERE k.organization_id = o.id)
  OR EXISTS (SELECT 1 FROM allowance_entries e WHERE e.organization_id = o.id)
  OR EXISTS (SELECT 1 FROM letters l WHERE l.organization_id = o.id)
  OR EXISTS (SELECT 1 FROM admin_notes n WHERE n.subject_type = 'organization' AND n.subject_id = o.id)))`;

/** Of messages that were added to a ticket of an earlier import. */
const IS_MESSAGE_CHANGED: SQL = sql`EXISTS (SELECT 1 FROM ticket_messages m JOIN support_tickets t ON t.id = m.ticket_id
  WHERE m.id = imported_records.target_id
    AND (${isOnHold("ticket", sql`t.id`)} OR ${isOnHold("organization", sql`t.organization_id`)}))`;

/** In this order: people are left as long as one of their tickets is. */
const KINDS = [
  { kind: "message", table: ticketMessages, isChanged: IS_MESSAGE_CHANGED },
  { kind: "ticket", table: tickets, isChanged: IS_TICKET_CHANGED },
  { kind: "contact", table: contacts, isChanged: IS_CONTACT_CHANGED },
  { kind: "organization", table: organizations, isChanged: IS_ORGANIZATION_CHANGED },
] as const;

/** Who became known with a ticket, or was made for it, is not counted beside it. */
const COUNTED = { organizations: "organization", people: "contact", tickets: "ticket" } as const;

/**
 * To take each word out of the pages of these takes seconds for a hundred tickets. Without that they are marked as
 * gone, and leave with the merge at the end of the undo.
 */
const SEARCHED = {
  ticket: ["ticket_search", "message_search"],
  message: ["message_search"],
  contact: [],
  organization: [],
};

const tell = (db: Db, index: string, command: string, value = "NULL") =>
  db.run(sql.raw(`INSERT INTO ${index}(${index}, rank) VALUES ('${command}', ${value})`));

const PAGES_MERGED = 1_000;

/** How many of what an import has added were changed since, and the numbers of the first such tickets. */
export async function findChanged(
  { db }: Pick<Ctx, "db">,
  { id, kind: imported }: Pick<StoredImport, "id" | "kind">,
): Promise<{ tickets: number[]; count: number }> {
  const counted = await Promise.all(
    KINDS.filter(({ kind }) => kind === "message" || kind === COUNTED[imported]).map(({ kind, isChanged }) =>
      db.all<{ count: number }>(sql`SELECT count(*) AS count FROM imported_records
        WHERE import_id = ${id} AND kind = ${kind} AND is_kept = 0 AND ${kind === "contact" ? sql`0` : isChanged}`),
    ),
  );
  const tickets = await db.all<{ number: number }>(sql`
    SELECT (SELECT t.number FROM support_tickets t WHERE t.id = imported_records.target_id) AS number FROM imported_records
    WHERE import_id = ${id} AND kind = 'ticket' AND ${IS_TICKET_CHANGED} LIMIT 20`);
  return {
    tickets: tickets.map(({ number }) => number),
    count: counted.reduce((sum, [row]) => sum + (row?.count ?? 0), 0),
  };
}

/** Takes away what was added, but for what somebody has changed since. */
export async function undoPart(ctx: UndoContext, order: StoredImport): Promise<Part> {
  const { db } = ctx;
  for (const { kind, table, isChanged } of KINDS) {
    const found = await db.all<{ id: string }>(sql`SELECT target_id AS id FROM imported_records
      WHERE import_id = ${order.id} AND is_kept = 0 AND kind = ${kind} LIMIT ${RECORDS}`);
    if (found.length === 0) continue;
    const among = sql`SELECT value FROM json_each(${JSON.stringify(found.map(({ id }) => id))})`;
    const free = sql`SELECT target_id FROM imported_records WHERE is_kept = 0 AND target_id IN (${among})`;
    const isCounted = kind === COUNTED[order.kind] ? 1 : 0;
    const ours = sql`import_id = ${order.id} AND target_id IN (${among})`;
    const kept = sql`(SELECT count(*) FROM imported_records WHERE is_kept = 1 AND ${ours})`;
    const theirFiles = (ids: SQL) =>
      kind === "message"
        ? sql`subject_type = 'ticket' AND subject_id IN (SELECT ticket_id FROM ticket_messages WHERE id IN (${ids}))
            AND message_id IN (${ids})`
        : sql`subject_type = 'ticket' AND subject_id IN (${ids})`;
    const files =
      order.kind === "tickets"
        ? await db.select({ key: attachments.r2_key }).from(attachments).where(theirFiles(among))
        : [];
    return {
      set: { position: order.position + found.length },
      after: () =>
        deleteOrphans(
          ctx,
          files.map(({ key }) => key),
        ),
      statements: [
        db.update(importedRecords).set({ is_kept: true }).where(sql`${ours} AND ${isChanged}`),
        db
          .update(imports)
          .set({
            kept: sql`${imports.kept} + ${isCounted} * ${kept}`,
            removed: sql`${imports.removed} + ${isCounted} * (${found.length} - ${kept})`,
          })
          .where(eq(imports.id, order.id)),
        ...(kind === "message" ? messagesCounted(db, free) : []),
        ...(files.length > 0 ? [db.delete(attachments).where(theirFiles(free))] : []),
        ...SEARCHED[kind].map((index) => tell(db, index, "secure-delete", "0")),
        db.delete(table).where(sql`id IN (${free})`),
        ...SEARCHED[kind].flatMap((index) => [tell(db, index, "flush"), tell(db, index, "secure-delete", "1")]),
        // Another product may know an organization, too, that is not here any more.
        db.delete(importedRecords).where(sql`target_id IN (${among})
          AND NOT EXISTS (SELECT 1 FROM ${table} x WHERE x.id = imported_records.target_id)`),
      ],
    };
  }
  // Before it is done, so that one that is cut off here is repeated. What fails, such as one that takes too long, goes
  // with a later merge.
  await Promise.allSettled(
    (order.kind === "tickets" ? SEARCHED.ticket : []).map((index) => tell(db, index, "merge", `-${PAGES_MERGED}`)),
  );
  return {
    set: { ...WITHOUT_FILE, state: "undone", undone_at: ctx.now(), archive_key: "" },
    statements: lastStatements(ctx, order),
  };
}

/** Before they go. `free`: those that do. */
function messagesCounted(db: UndoContext["db"], free: SQL): Statement[] {
  const theirs = sql`SELECT g.ticket_id FROM ticket_messages g WHERE g.id IN (${free})`;
  const left = (of: SQL) => sql`ticket_messages m WHERE m.ticket_id = ${of} AND m.id NOT IN (${free})`;
  const ofTicket = left(sql`${tickets.id}`);
  return [
    db
      .update(tickets)
      .set({
        public_messages: sql`(SELECT count(*) FROM ${ofTicket} AND ${isPublic()})`,
        last_message_at: sql`max(${tickets.created_at},
          coalesce((SELECT max(m.created_at) FROM ${ofTicket} AND ${isPublic()}), 0))`,
      })
      .where(sql`${tickets.id} IN (${theirs})`),
    db
      .update(importedRecords)
      .set({
        messages: sql`${importedRecords.messages} - (SELECT count(*) FROM ticket_messages g
        WHERE g.ticket_id = ${importedRecords.target_id} AND g.id IN (${free}))`,
      })
      .where(sql`${importedRecords.target_id} IN (${theirs}) AND ${importedRecords.kind} = 'ticket'`),
  ];
}

/**
 * Puts back what is counted: a number is given again only if no ticket that stays has it or a later one, and nobody was
 * told of it.
 */
function lastStatements({ db, after, files }: UndoContext, order: StoredImport): Statement[] {
  const { id } = order;
  const keys = importKeysOf(order);
  if (keys.length > 0) after(files.delete(keys));
  return [
    db.update(importRows).set({ data: null }).where(sql`import_id = ${id} AND data is not null`),
    db.delete(ticketCounts).where(sql`
      open + in_progress + waiting_for_customer + resolved + closed + file_bytes = 0
      AND NOT EXISTS (SELECT 1 FROM support_tickets t WHERE t.organization_id = ticket_counts.organization_id)`),
    db
      .update(counters)
      .set({ value: sql`i.first_number - 1` })
      .from(sql`imports i`)
      .where(sql`counters.name = 'ticket' AND i.id = ${id} AND counters.value = i.last_number AND i.kept = 0
        AND i.last_number - i.first_number + 1 = i.removed`),
  ];
}
