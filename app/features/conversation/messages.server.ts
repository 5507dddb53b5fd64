import { and, eq, type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "~/db/client.server";
import { ticketDrafts, ticketMessages } from "~/db/schema/tickets";
import { type AttachedFile, IMAGE_TYPES } from "~/features/attachments/model";
import { attachTicketFiles, type StoredFile } from "~/features/attachments/store-attachment.server";
import type { TicketEventKind } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { resultsOf } from "~/platform/run-command.server";
import { isInternalNote, isPublic } from "./internal-notes.server";

/**
 * Returns what the keys of one form of a message begin with. It names the ticket: what was sent to one is not taken for
 * sent to another, whatever token a page restored by the browser still has. `ref` is its number or its id, as the
 * address of the page has it, because the key is needed before the ticket is read: by both addresses one page has two
 * keys.
 */
export const messageKeys = (nonce: string, ref: string): string => `${nonce}:${ref}:`;

/**
 * Returns the key under which what was written is accepted once. Where the answer to a form was lost, its token comes
 * again: with the same content it is the same post, with another one its author has gone on writing, and nothing of it
 * may be lost.
 */
export const contentKey = (
  prefix: string,
  { files = [], ...texts }: { files?: readonly Pick<StoredFile, "sha256">[]; [name: string]: unknown },
): string => prefix + fingerprintOf(JSON.stringify([texts, files.map(({ sha256 }) => sha256)]));

export type TicketMessage = {
  id: string;
  at: Instant;
  authorId: string | null;
  author: string;
  side: "client" | "staff";
  isInternal: boolean;
  text: string;
  /** Names whom its author left out of its mails; null: nobody. Clients are not told. */
  notTo: string | null;
};

export const MESSAGES_FAILED = { event: "ticket_not_read", title: "Failed to fetch ticket messages" } as const;

const MESSAGES_SHOWN = 50;

type Range = {
  /** Tells whether internal notes are read: for staff. For clients they are not read at all. */
  withInternal: boolean;
  /** Holds the id of the message before which to go on; null: the newest. */
  before: string | null;
};

function pageOfMessages(ticketId: string, { withInternal, before }: Range): SQL {
  const earlier = before
    ? sql`AND (m.created_at, m.id) < (SELECT b.created_at, b.id FROM ticket_messages b
        WHERE b.id = ${before} AND b.ticket_id = ${ticketId})`
    : sql``;
  return sql`FROM ticket_messages m WHERE m.ticket_id = ${ticketId} ${withInternal ? sql`` : sql`AND ${isPublic()}`}
    ${earlier} ORDER BY m.created_at DESC, m.id DESC`;
}

const leftOutNames: SQL = sql`(SELECT group_concat(coalesce(u.full_name, k.full_name, c.email), ', ')
  FROM json_each(m.not_to) x LEFT JOIN users u ON u.id = x.value LEFT JOIN ticket_copies c ON c.id = x.value
    LEFT JOIN contacts k ON k.id = c.contact_id)`;

export async function readMessages(
  db: Db,
  ticketId: string,
  range: Range,
): Promise<{ messages: TicketMessage[]; hasEarlier: boolean }> {
  const rows = await db.all<Omit<TicketMessage, "isInternal"> & { isInternal: number }>(sql`
    SELECT m.id, m.created_at AS at, m.user_id AS authorId, m.author_name AS author, m.side,
      ${isInternalNote()} AS isInternal, m.message AS text, ${range.withInternal ? leftOutNames : sql`NULL`} AS notTo
    ${pageOfMessages(ticketId, range)} LIMIT ${MESSAGES_SHOWN + 1}`);
  const messages = rows.slice(0, MESSAGES_SHOWN).map((row) => ({ ...row, isInternal: row.isInternal === 1 }));
  return { messages: messages.reverse(), hasEarlier: rows.length > MESSAGES_SHOWN };
}

/** Limits the messages that are shown to the author of a reply that was not sent for them. */
const NEWER_SHOWN = 10;

export async function listNewerMessages(
  db: Db,
  ticketId: string,
  { publicMessages, baseMessage, by }: { baseMessage: number; by: string } & { publicMessages: number },
): Promise<TicketMessage[]> {
  const newer = Math.min(publicMessages - baseMessage, NEWER_SHOWN);
  if (newer <= 0) return [];
  const rows = await db.all<TicketMessage>(sql`
    SELECT m.id, m.created_at AS at, m.user_id AS authorId, m.author_name AS author, m.side, m.message AS text,
      NULL AS notTo
    FROM ticket_messages m WHERE m.ticket_id = ${ticketId} AND ${isPublic()}
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${newer}`);
  const others = rows.filter(({ authorId }) => authorId !== by);
  return others.map((row) => ({ ...row, isInternal: false })).reverse();
}

export type StoredTicketEvent = {
  id: string;
  kind: TicketEventKind;
  from: string | null;
  to: string | null;
  reason: string | null;
  actorId: string | null;
  actor: string;
  side: "client" | "staff" | "system";
  at: Instant;
};

const EVENTS_SHOWN = 50;

const timeOf = (ticketId: string, messageId: string): SQL =>
  sql`(SELECT m.created_at FROM ticket_messages m WHERE m.id = ${messageId} AND m.ticket_id = ${ticketId})`;

/** `before`: the id of the message before which it happened; null: up to now. */
export const listTicketEvents = (
  db: Db,
  ticketId: string,
  { before }: Pick<Range, "before"> = { before: null },
): Promise<StoredTicketEvent[]> =>
  db.all(sql`
    SELECT id, kind, from_value AS "from", to_value AS "to", reason, actor_id AS actorId, actor_name AS actor, actor_side AS side, at
    FROM ticket_events
    WHERE ticket_id = ${ticketId} ${before ? sql`AND at < ${timeOf(ticketId, before)}` : sql``}
    ORDER BY at DESC, rowid DESC LIMIT ${EVENTS_SHOWN}`);

export type Draft = {
  kind: "reply" | "note";
  text: string;
  baseMessage: number;
  whyLate: string;
  whatWasDone: string;
  /** Holds the ids of those who are to be left out, as a JSON array. */
  notTo: string;
};

export const listDrafts = (db: Db, ticketId: string, userId: string): Promise<Draft[]> =>
  db.all(sql`
    SELECT kind, message AS text, begun_at_message AS baseMessage, why_late AS whyLate,
      what_was_done AS whatWasDone, not_to AS notTo
    FROM ticket_drafts WHERE ticket_id = ${ticketId} AND user_id = ${userId}`);

/** Describes a file of a ticket. `messageId` null: it came with the description. */
export type TicketFile = AttachedFile & { messageId: string | null };

const FILES_SHOWN = 300;

/** Lists the files of a page of a ticket: of its messages, and of the description. Those of notes are for staff. */
export async function listTicketFiles(db: Db, ticketId: string, range: Range): Promise<TicketFile[]> {
  const shown = sql`SELECT m.id ${pageOfMessages(ticketId, range)} LIMIT ${MESSAGES_SHOWN}`;
  const rows = await db.all<{ id: string; name: string; size: number; kind: string; messageId: string | null }>(sql`
    SELECT a.id, a.name, a.size, a.kind, a.message_id AS messageId FROM attachments a
    WHERE a.subject_type = 'ticket' AND a.subject_id = ${ticketId}
      AND (a.message_id IS NULL OR a.message_id IN (${shown}))
    ORDER BY a.created_at DESC, a.rowid DESC LIMIT ${FILES_SHOWN}`);
  return rows.reverse().map(({ kind, ...file }) => ({ ...file, isImage: IMAGE_TYPES[kind] !== undefined }));
}

type SavedDraft = Pick<Draft, "kind" | "text" | "baseMessage"> & {
  whyLate?: string;
  whatWasDone?: string;
  notTo?: readonly string[];
  ticket: { id: string };
  userId: string;
  /**
   * Holds what the keys of the form begin with: what was sent by it, or the beginning of that, is no draft any more,
   * although a script may still keep it. Its author may go on writing where the answer was lost.
   */
  unlessSent?: string;
};

/** Keeps what somebody has begun to write on a ticket that they may see. Where all of it is empty, nothing is kept. */
export async function saveDraft(
  ctx: Pick<Ctx, "db" | "now">,
  { ticket, userId, kind, text, whyLate = "", whatWasDone = "", notTo = [], baseMessage, unlessSent }: SavedDraft,
): Promise<void> {
  if (`${text}${whyLate}${whatWasDone}`.trim() === "") {
    await discardDraft(ctx.db, { ticketId: ticket.id, userId, kind });
    return;
  }
  const leftOut = JSON.stringify(notTo);
  const texts = { message: text, why_late: whyLate, what_was_done: whatWasDone, not_to: leftOut };
  const values = { ...texts, begun_at_message: baseMessage, updated_at: ctx.now() };
  const begun = text.trim();
  const sent = unlessSent
    ? resultsOf(unlessSent, ["ticket-reply", "ticket-note", "ticket-open"])
    : sql`SELECT '' AS result WHERE 0`;
  const t = ticketDrafts;
  await ctx.db
    .insert(t)
    .select(sql`
      SELECT organization_id, id, ${userId}, ${kind}, ${text}, ${baseMessage}, ${ctx.now()}, ${whyLate}, ${whatWasDone},
        ${leftOut}
      FROM support_tickets WHERE id = ${ticket.id} AND NOT EXISTS (
        SELECT 1 FROM (${sent}) sent LEFT JOIN ticket_messages m ON m.id = sent.result
        WHERE (m.id IS NULL OR (${begun} <> '' AND substr(m.message, 1, length(${begun})) = ${begun})))`)
    .onConflictDoUpdate({ target: [t.ticket_id, t.user_id, t.kind], set: values });
}

type SavedResolution = { ticket: { id: string; publicMessages: number }; userId: string; whatWasDone: string };

/**
 * Returns the statement that keeps, once a message is sent and its draft taken away, what was begun to be said of the
 * resolution.
 */
export function keepResolutionStatement(
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticket, userId, whatWasDone }: SavedResolution,
): Statement {
  // The message itself is one more.
  return db.insert(ticketDrafts).select(sql`
    SELECT organization_id, id, ${userId}, 'reply', '', ${ticket.publicMessages + 1}, ${now()}, '', ${whatWasDone}, '[]'
    FROM support_tickets WHERE id = ${ticket.id}`);
}

type DraftKey = { ticketId: string; userId: string; kind: Draft["kind"] };

/** `text`: only while it says that. */
export function discardDraftStatement(db: Db, { ticketId, userId, kind }: DraftKey, text?: string): Statement {
  const t = ticketDrafts;
  const isSame = text === undefined ? undefined : eq(t.message, text);
  return db.delete(t).where(and(eq(t.ticket_id, ticketId), eq(t.user_id, userId), eq(t.kind, kind), isSame));
}

export const discardDraft = (db: Db, key: DraftKey): Promise<unknown> => commit(db, [discardDraftStatement(db, key)]);

type NewMessage = {
  id: string;
  ticketId: string;
  organizationId: string;
  text: string;
  isInternal?: boolean;
  files?: readonly StoredFile[];
  notTo?: readonly string[];
  /** Holds the text of the draft that it was; absent: whatever its author has begun. */
  draft?: string;
};

/** Returns the statements that write a message with its files and take away the draft it was written as. */
export function messageStatements(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  actor: { userId: string | null; contactId?: string; fullName: string; side: "client" | "staff" | "system" },
  { id, ticketId, organizationId, text, isInternal = false, files = [], notTo = [], draft }: NewMessage,
): Statement[] {
  const at = ctx.now();
  return [
    ctx.db.insert(ticketMessages).values({
      id,
      organization_id: organizationId,
      ticket_id: ticketId,
      user_id: actor.userId,
      contact_id: actor.contactId ?? null,
      author_name: actor.fullName,
      side: actor.side === "client" ? "client" : "staff",
      is_internal: isInternal,
      message: text,
      not_to: JSON.stringify(notTo),
      created_at: at,
      updated_at: at,
    }),
    ...attachTicketFiles(ctx, files, { ticketId, organizationId, messageId: id, sender: actor }),
    discardDraftStatement(ctx.db, { ticketId, userId: actor.userId ?? "", kind: isInternal ? "note" : "reply" }, draft),
  ];
}
