import { type SQL, sql } from "drizzle-orm";
import type { StaffRole } from "~/access/model";
import type { Db, Statement } from "~/db/client.server";
import { ticketDrafts, ticketEvents } from "~/db/schema/tickets";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { listDrafts } from "~/features/conversation/messages.server";
import { secretIn } from "~/features/conversation/secrets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { ReplyNotSent } from "~/features/mail/kinds/tickets";
import { fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { holds, stillBelongs } from "./access.server";
import { changeTicket, type TicketChange } from "./change-ticket.server";
import { MESSAGE_LIMIT, type TicketActor } from "./model";
import { staffTicketPath, ticketSubject } from "./paths";
import { findTicketForStaff, type StoredTicket } from "./queries.server";
import { staffReplyChange } from "./reply-as-staff.server";
import { slaStateOf } from "./sla/clock";

type StaffByMail = { userId: string; fullName: string; email: string; role: StaffRole };

type StaffMail = {
  ticketId: string;
  text: string;
  files: readonly StoredFile[];
  receivedAt: Instant;
  /** When they wrote it, as it says, and not after its receipt. */
  writtenAt: Instant;
  /** Up to when the mail of ours that they answered tells what has happened; null: which one it is cannot be told. */
  notifiedUntil: Instant | null;
  /** Why it must not reach the client, as the mail itself shows; null: nothing shows it. */
  notSent: "note" | "untrimmed" | null;
  nonce: string;
  /** The condition that it still waits to be written. */
  isWaiting: SQL;
  /** Returns what the batch records of it. `why`: null: it is the message. */
  record: (messageId: string | null, why: ReplyNotSent | null) => Statement[];
};

type Outcome = { messageId: string; why: null } | { messageId: null; why: ReplyNotSent };

/**
 * Writes what staff answer by mail: a public reply of the time of its receipt, which cannot be taken back. Where it
 * must not or need not reach the client it becomes their draft instead, which a mail tells them.
 */
export async function replyByMail(
  ctx: Ctx,
  actor: StaffByMail,
  mail: StaffMail,
): Promise<Result<Outcome, "ticket_not_found">> {
  const { ticketId, text } = mail;
  const found = mail.notSent ?? (secretIn(text) ? "secret" : null);
  const why = found ?? ((await quotesNote(ctx.db, ticketId, text)) ? "note" : null);
  if (why) return keepAsDraft(ctx, actor, { mail, why });
  const sent = await send(ctx, actor, mail);
  if (sent.ok) return ok({ messageId: sent.value, why: null });
  return sent.code === "answered_first" ? keepAsDraft(ctx, actor, { mail, why: sent.code }) : fail(sent.code);
}

const actorOf = ({ userId, fullName, role }: StaffByMail): TicketActor => ({ userId, fullName, role, side: "staff" });

function send(
  ctx: Ctx,
  actor: StaffByMail,
  { ticketId, text, files, nonce, record, ...mail }: StaffMail,
): Promise<Result<string, "ticket_not_found" | "answered_first">> {
  const by = actorOf(actor);
  const at = mail.receivedAt;
  const message = { id: ctx.newId("msg"), text, files };
  return changeTicket<"answered_first">(ctx, by, {
    find: async () => {
      const [ticket, isWaiting] = await Promise.all([
        findTicketForStaff(ctx.db, ticketId),
        holds(ctx.db, mail.isWaiting),
      ]);
      return ticket && isWaiting ? asOfReceipt(ticket, at) : null;
    },
    scope: "ticket-reply",
    key: nonce,
    resultId: message.id,
    isLimited: false,
    plan: async (ticket) => {
      const [since] = await Promise.all([
        readSince(ctx.db, ticket, { by: actor.userId, ...mail }),
        checkFileRoom(ctx, by, { organizationId: ticket.organization.id, files }),
      ]);
      if (since.colleague !== null) return fail("answered_first");
      const change = staffReplyChange({ ...ctx, now: () => at }, by, { ticket, message, to: null, assignToMe: true });
      return ok({
        ...change,
        sla: clockEvents(ticket, at, since.clientAfter),
        statements: [...(change.statements ?? []), missUndone(ctx.db, ticket, at), ...record(message.id, null)],
      });
    },
  });
}

/** What the client has written since is a question of its own, and a clock that began after it is not stopped. */
function clockEvents(ticket: StoredTicket, at: Instant, clientAfter: Instant | null): TicketChange["sla"] {
  const { running } = slaStateOf(ticket.sla.json, ticket.priority);
  if (running && running.startedAt > at) return [];
  return [
    { type: "staff-message", at },
    ...(clientAfter === null ? [] : [{ type: "client-message" as const, at: clientAfter }]),
  ];
}

/** A reply that had arrived in time was not missed, though the time passed before the mail was read. */
function asOfReceipt(ticket: StoredTicket, at: Instant): StoredTicket {
  const state = slaStateOf(ticket.sla.json, ticket.priority);
  const { running } = state;
  if (!running?.missed || running.dueAt === null || at > running.dueAt) return ticket;
  const json = JSON.stringify({ ...state, running: { ...running, missed: false } });
  return { ...ticket, sla: { ...ticket.sla, json } };
}

function missUndone(db: Db, { id, sla, priority }: StoredTicket, at: Instant): Statement {
  const { running } = slaStateOf(sla.json, priority);
  const judged = running && at <= (running.dueAt ?? 0) ? `${running.startedAt} ${running.dueAt} ` : "";
  return db
    .delete(ticketEvents)
    .where(
      sql`ticket_id = ${id} AND kind = 'promise_missed' AND from_value = ${running?.kind ?? ""} AND to_value = ${judged}`,
    );
}

type Known = Pick<StaffMail, "receivedAt" | "writtenAt" | "notifiedUntil"> & { by: string };

/** Where the mail that they answered is not known, they knew what the client had written until then. */
async function readSince(
  db: Db,
  { id, createdAt, publicMessages }: StoredTicket,
  { by, receivedAt, writtenAt, notifiedUntil }: Known,
) {
  const messages = (condition: SQL): SQL =>
    sql`FROM ticket_messages m WHERE m.ticket_id = ${id} AND ${isPublic()} AND ${condition}`;
  const last = sql`ORDER BY m.created_at DESC, m.id DESC LIMIT 1`;
  const knownUntil = sql`coalesce(${notifiedUntil},
    (SELECT m.created_at ${messages(sql`m.side = 'client' AND m.created_at <= ${writtenAt}`)} ${last}), ${createdAt})`;
  const [row] = await db.all<{ colleague: string | null; newer: number; clientAfter: Instant | null }>(sql`
    SELECT coalesce((SELECT m.author_name
        ${messages(sql`m.side = 'staff' AND m.user_id IS NOT ${by} AND m.created_at > known.until`)} ${last}),
      (SELECT e.actor_name FROM ticket_events e WHERE e.ticket_id = ${id} AND e.at > known.until AND e.kind = 'status'
        AND e.to_value IN ('resolved', 'closed') AND e.actor_side = 'staff' AND e.actor_id IS NOT ${by} LIMIT 1))
        AS colleague,
      (SELECT count(*) FROM (SELECT 1 ${messages(sql`m.created_at > known.until`)} LIMIT 100)) AS newer,
      (SELECT m.created_at ${messages(sql`m.side = 'client' AND m.created_at > ${receivedAt}`)} ${last}) AS clientAfter
    FROM (SELECT ${knownUntil} AS until) known`);
  return {
    colleague: row?.colleague ?? null,
    seen: Math.max(0, publicMessages - (row?.newer ?? 0)),
    clientAfter: row?.clientAfter ?? null,
  };
}

const NOTES_COMPARED = 20;
/** A shorter note says what anybody may say. */
const QUOTED_FROM = 24;
const QUOTED_UPTO = 200;

/** Tells whether a text repeats the beginning of an internal note, however its lines are broken. */
export async function quotesNote(db: Db, ticketId: string, text: string): Promise<boolean> {
  const notes = await db.all<{ text: string }>(sql`SELECT substr(m.message, 1, 1000) AS text FROM ticket_messages m
    WHERE m.ticket_id = ${ticketId} AND ${isInternalNote()} ORDER BY m.created_at DESC, m.id DESC LIMIT ${NOTES_COMPARED}`);
  const written = unbroken(text);
  return notes.some((note) => {
    const begins = unbroken(note.text).slice(0, QUOTED_UPTO);
    return begins.length >= QUOTED_FROM && written.includes(begins);
  });
}

const unbroken = (text: string): string => text.replace(/[>\s]+/g, "").toLowerCase();

async function keepAsDraft(
  ctx: Ctx,
  actor: StaffByMail,
  { mail, why }: { mail: StaffMail; why: ReplyNotSent },
): Promise<Result<Outcome, "ticket_not_found">> {
  const { ticketId, nonce, record } = mail;
  const text = mail.text.slice(0, MESSAGE_LIMIT);
  const by = actorOf(actor);
  const kept = await runCommand(
    ctx,
    { scope: "ticket-draft", key: `${nonce}:draft` },
    {
      read: () => findTicketForStaff(ctx.db, ticketId),
      plan: async (ticket): Promise<Planned<"ticket_not_found">> => {
        if (!ticket) return fail("ticket_not_found");
        const [drafts, since] = await Promise.all([
          listDrafts(ctx.db, ticket.id, actor.userId),
          readSince(ctx.db, ticket, { ...mail, by: actor.userId }),
        ]);
        const isTaken = drafts.some((draft) => draft.kind === "reply" && draft.text !== "");
        const draft = text === "" ? "files_only" : isTaken ? "another" : "made";
        const t = ticketDrafts;
        const values = { message: text, begun_at_message: since.seen, updated_at: ctx.now() };
        const number = referenceNumber("ticket", ticket.number);
        return ok({
          resultId: why,
          expects: [
            { that: stillBelongs(by, ticket.organization.id), otherwise: "ticket_not_found" },
            { that: mail.isWaiting, otherwise: "ticket_not_found" },
          ],
          statements: [
            ...(draft === "made"
              ? [
                  ctx.db
                    .insert(t)
                    .values({
                      ...values,
                      ticket_id: ticket.id,
                      organization_id: ticket.organization.id,
                      user_id: actor.userId,
                      kind: "reply",
                    })
                    // One that was begun meanwhile stays.
                    .onConflictDoUpdate({
                      target: [t.ticket_id, t.user_id, t.kind],
                      set: values,
                      setWhere: sql`${t.message} = ''`,
                    }),
                ]
              : []),
            enqueueMail(ctx, "reply-not-sent", {
              to: actor.email,
              about: ticketSubject(ticket),
              data: {
                ...{ number, title: ticket.title, path: staffTicketPath(number), why, draft },
                by: since.colleague ?? "A colleague",
                hasFiles: mail.files.length > 0,
              },
            }),
            ...record(null, why),
          ],
          after: () => ctx.after(deliverOutbox(ctx)),
        });
      },
    },
  );
  return kept.ok ? ok({ messageId: null, why: kept.value as ReplyNotSent }) : kept;
}
