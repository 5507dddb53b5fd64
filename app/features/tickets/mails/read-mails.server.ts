import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import {
  NOTIFICATION_EVENT_NAMES,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  notificationEvent,
} from "~/features/notifications/model";
import type { TicketStatus } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import { memberSees } from "../access.server";
import { openerName, writerOf } from "../queries.server";

export type MailOfTicket = {
  id: string;
  kind: "ticket-received" | "ticket-update" | "ticket-copy";
  userId: string;
  email: string;
  isStaff: 0 | 1;
  isVisibleToClient: 0 | 1;
  /** Tells that it is their ticket, and they have no account. */
  isContact: 0 | 1;
  ticketId: string;
  number: number;
  title: string;
  description: string;
  impact: string | null;
  status: TicketStatus;
  resolution: string | null;
  dueAt: Instant | null;
  /** Holds the time by which it is to be resolved; null while that is paused, or not promised. */
  resolveBy: Instant | null;
  isReplyWarned: 0 | 1;
  isResolutionWarned: 0 | 1;
  organizationName: string;
  /** Holds the time of the event by which the recipient is asked whether it is solved; null: they are not asked. */
  askedAt: Instant | null;
};

export type TicketEventOfMail = {
  mailId: string;
  event: NotificationEvent;
  itemId: string;
  detail: string;
  actorName: string;
  at: Instant;
  message: string | null;
  files: readonly { key: string; name: string; kind: string; size: number }[];
};

/** Describes a public message. The first one is the description, under the id of the ticket. */
export type EarlierMessage = {
  ticketId: string;
  id: string;
  author: string;
  at: Instant;
  text: string;
  /** Holds the ids of those who were left out of its mails, as a JSON array. */
  notTo: string;
};

type KnownMail = { mailId: string; id: string };

const KNOWN_READ = 30;

/**
 * Finds the mails that the recipients have got or sent, newest first. Those about internal notes are left out: whoever
 * was told of one as a colleague may be a client today.
 */
const findKnownMails = (db: Db, mailIds: readonly string[]): Promise<KnownMail[]> =>
  db.all<KnownMail>(sql`
    SELECT mailId, id FROM (
      SELECT o.id AS mailId, s.provider_message_id AS id, s.sent_at AS at
      FROM ${wanted(mailIds)} CROSS JOIN outbox s ON s.rowid IN (
        SELECT rowid FROM outbox WHERE user_id = o.user_id AND subject_id = o.subject_id
        ORDER BY rowid DESC LIMIT ${KNOWN_READ})
      WHERE o.user_id IS NOT NULL AND s.subject_type = 'ticket' AND s.provider_message_id IS NOT NULL AND ${isNotOfNote}
      UNION ALL
      SELECT o.id, s.provider_message_id, s.sent_at
      FROM ${wanted(mailIds)} CROSS JOIN outbox s ON s.rowid IN (
        SELECT rowid FROM outbox WHERE copy_id = o.copy_id ORDER BY rowid DESC LIMIT ${KNOWN_READ})
      WHERE o.copy_id IS NOT NULL AND s.subject_id = o.subject_id AND s.provider_message_id IS NOT NULL
        AND ${isNotOfNote}
      UNION ALL
      SELECT o.id, i.details ->> '$.messageId', i.received_at
      FROM ${wanted(mailIds)} LEFT JOIN users u ON u.id = o.user_id LEFT JOIN ticket_copies c ON c.id = o.copy_id
        CROSS JOIN inbound_mail i ON i.rowid IN (
          SELECT rowid FROM inbound_mail WHERE ticket_id = o.subject_id ORDER BY received_at DESC LIMIT ${KNOWN_READ})
      WHERE i.from_address = coalesce(u.email, c.email) AND i.state = 'processed' AND i.effect <> 'noted'
        AND i.details ->> '$.messageId' IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ticket_messages m WHERE m.id = i.message_id AND ${isInternalNote()}))
    ORDER BY at DESC`);

/** Limits the messages that are read of each ticket: those that a mail tells of, and some before them. */
const MESSAGES_READ = 8;

/** Limits what one mail repeats of the messages that it tells of, in characters: two of the longest. */
const EXCERPT_LIMIT = 40_000;

const messagePart: SQL = sql`CASE
  WHEN m.message IS NULL OR m.message = '' OR part.before + length(m.message) <= ${EXCERPT_LIMIT} THEN m.message
  ELSE substr(m.message, 1, max(0, ${EXCERPT_LIMIT} - part.before)) || '…' END`;

/** Selects the files of a public message, or of the description, for recipients without an account, as JSON. */
const fileList: SQL = sql`CASE
  WHEN part.isToCopy AND (part.messageId IS NOT NULL OR part.event = 'opened_for_you' OR part.itemId = part.ticketId) THEN
  (SELECT json_group_array(json_object('key', a.r2_key, 'name', a.name, 'kind', a.kind, 'size', a.size))
    FROM attachments a WHERE a.subject_type = 'ticket' AND a.subject_id = part.ticketId
      AND a.message_id IS part.messageId) ELSE '[]' END`;

const wanted = (mailIds: readonly string[]): SQL =>
  sql`json_each(${JSON.stringify(mailIds)}) wanted CROSS JOIN outbox o ON o.id = wanted.value`;

const isNotOfNote: SQL = sql`NOT EXISTS (
  SELECT 1 FROM mail_events e WHERE e.outbox_id = s.id AND e.event = ${"mentioned" satisfies NotificationEvent})`;

/** Joins mails `o` with their recipient, who is active, their ticket, and what makes the recipient a reader of it. */
const withReader: SQL = sql`CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active'
  CROSS JOIN support_tickets t ON t.id = o.subject_id CROSS JOIN organizations org ON org.id = t.organization_id
  LEFT JOIN user_roles r ON r.user_id = u.id
  LEFT JOIN organization_memberships m ON m.organization_id = t.organization_id AND m.user_id = u.id
    AND m.status = 'active'`;

const isStaff: SQL = sql`coalesce(r.role, 'user') IN ('admin', 'moderator')`;

const STAFF_EVENTS = NOTIFICATION_EVENT_NAMES.filter((event) => NOTIFICATION_EVENTS[event].side === "staff");

/**
 * Returns which mails may still be sent as they are: those to staff if they are staff, others if the client may read.
 */
export async function listSendableTicketMails(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT o.id FROM ${wanted(mailIds)} ${withReader}
    WHERE CASE WHEN EXISTS (SELECT 1 FROM mail_events e WHERE e.outbox_id = o.id
        AND e.event IN (SELECT value FROM json_each(${JSON.stringify(STAFF_EVENTS)})))
      THEN ${isStaff} ELSE ${memberSees} END`);
  const copies = await db.all<{ id: string }>(sql`SELECT o.id FROM ${wanted(mailIds)} ${withCc}`);
  return new Set([...rows, ...copies].map(({ id }) => id));
}

/** Joins mails `o` with the address that gets them as copies, and their ticket, of which it still gets some. */
const withCc: SQL = sql`CROSS JOIN ticket_copies c ON c.id = o.copy_id AND c.stopped_mailbox IS NULL AND c.removed_at IS NULL
  CROSS JOIN support_tickets t ON t.id = c.ticket_id AND (t.is_private = 0 OR c.contact_id IS NOT NULL)
  CROSS JOIN organizations org ON org.id = t.organization_id`;

const OF_TICKET: SQL = sql`t.id AS ticketId, t.number, t.title, t.description, t.impact, t.status, t.resolution,
  t.due_at AS dueAt, json_extract(t.promise_json, '$.resolution.dueAt') AS resolveBy, org.name AS organizationName,
  coalesce(t.promise_json ->> '$.running.warned', 0) AS isReplyWarned,
  coalesce(t.promise_json ->> '$.resolution.warned', 0) AS isResolutionWarned`;

/** Describes a mail to staff that tells of nothing but a new ticket of a client, and is claimed, or not due yet. */
export type MailOfOpening = {
  /** Names the claimed mail that it was found for: of the same person, about a ticket of the same organization. */
  headId: string;
  id: string;
  organizationId: string;
  number: number;
  title: string;
  by: string;
  isUrgent: number;
};

/**
 * Finds, for each mail about a new ticket that waits for nothing else, itself and those about later ones, in the order
 * of the tickets. Urgent ones that leave at once are not among them.
 */
const findOpenings = (db: Db, mailIds: readonly string[]): Promise<MailOfOpening[]> =>
  db.all<MailOfOpening>(sql`
    SELECT h.id AS headId, o.id, t.organization_id AS organizationId, t.number, t.title, e.actor_name AS "by",
      t.priority = 'urgent' AS isUrgent
    FROM json_each(${JSON.stringify(mailIds)}) wanted CROSS JOIN outbox h ON h.id = wanted.value
      CROSS JOIN support_tickets first ON first.id = h.subject_id
      CROSS JOIN support_tickets t ON t.organization_id = first.organization_id AND t.opened_rank >= first.opened_rank
      CROSS JOIN outbox o ON o.user_id = h.user_id AND o.subject_id = t.id
      CROSS JOIN mail_events e ON e.outbox_id = o.id AND e.event = 'ticket_opened'
    WHERE h.kind = 'ticket-update' AND h.priority = 1 AND o.kind = 'ticket-update' AND o.priority = 1
      AND o.params_enc = '' AND t.opened_by IS NULL
      AND (o.status = 'pending' OR o.id IN (SELECT value FROM json_each(${JSON.stringify(mailIds)})))
      AND NOT EXISTS (SELECT 1 FROM mail_events other WHERE other.outbox_id = o.id AND other.event <> 'ticket_opened')
      AND EXISTS (SELECT 1 FROM mail_events own WHERE own.outbox_id = h.id AND own.event = 'ticket_opened')
    ORDER BY first.opened_rank, t.opened_rank`);

export async function readMails(db: Db, mailIds: readonly string[]) {
  const ids = wanted(mailIds);
  const [toPeople, copies, events, earlier, openings, known] = await Promise.all([
    db.all<MailOfTicket>(sql`
      SELECT o.id, o.kind, u.id AS userId, u.email, ${isStaff} AS isStaff,
        ${memberSees} AS isVisibleToClient, 0 AS isContact, ${OF_TICKET},
        (SELECT q.asked_at FROM solved_questions q WHERE q.user_id = u.id AND q.ticket_id = t.id
          AND EXISTS (SELECT 1 FROM mail_events e WHERE e.outbox_id = o.id AND e.at = q.asked_at
            AND e.detail = 'resolved')) AS askedAt
      FROM ${ids} ${withReader}`),
    db.all<MailOfTicket>(sql`
      SELECT o.id, o.kind, c.id AS userId, c.email, 0 AS isStaff, 1 AS isVisibleToClient,
        c.contact_id IS NOT NULL AS isContact, ${OF_TICKET},
        NULL AS askedAt
      FROM ${ids} ${withCc}`),
    db.all<Omit<TicketEventOfMail, "event" | "files"> & { event: string; files: string }>(sql`
      SELECT part.mailId, part.event, part.itemId, part.detail, part.actorName, part.at, ${messagePart} AS message,
        ${fileList} AS files
      FROM (SELECT o.id AS mailId, e.event, e.item_id AS itemId, e.detail, e.actor_name AS actorName, e.at,
          m.id AS messageId, o.subject_id AS ticketId, o.copy_id IS NOT NULL AS isToCopy, coalesce(sum(length(m.message)) OVER (PARTITION BY o.id ORDER BY e.at, e.item_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
        FROM ${ids} CROSS JOIN mail_events e ON e.outbox_id = o.id
          LEFT JOIN ticket_messages m ON m.id = e.item_id AND ${isPublic()}) part
      LEFT JOIN ticket_messages m ON m.id = part.messageId
      ORDER BY part.at, part.itemId`),
    db.all<EarlierMessage>(sql`
      SELECT ticketId, id, author, at, text, notTo FROM (
        SELECT m.ticket_id AS ticketId, m.id, m.author_name AS author, m.created_at AS at, m.message AS text,
          m.not_to AS notTo
        FROM (SELECT DISTINCT o.subject_id AS id FROM ${ids}) own CROSS JOIN ticket_messages m ON m.id IN (
          SELECT x.id FROM ticket_messages x WHERE x.ticket_id = own.id AND ${isPublic("x")}
          ORDER BY x.created_at DESC, x.id DESC LIMIT ${MESSAGES_READ})
        UNION ALL
        SELECT t.id, t.id, coalesce(${openerName}, ${writerOf("actor_name")}, t.creator_name), t.created_at, t.description, '[]'
        FROM (SELECT DISTINCT o.subject_id AS id FROM ${ids}) own CROSS JOIN support_tickets t ON t.id = own.id)
      ORDER BY at DESC, id DESC`),
    findOpenings(db, mailIds),
    findKnownMails(db, mailIds),
  ]);
  return {
    mails: [...toPeople, ...copies],
    events: events.flatMap(({ event: name, files, ...rest }): TicketEventOfMail[] => {
      const event = notificationEvent(name);
      return event ? [{ ...rest, event, files: JSON.parse(files) }] : [];
    }),
    earlier,
    openings,
    known,
  };
}
