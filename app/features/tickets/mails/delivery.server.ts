import { sql } from "drizzle-orm";
import * as z from "zod";
import { commit } from "~/db/client.server";
import { mailAddressHolds, outbox } from "~/db/schema/outbox";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import type { MailState } from "~/features/conversation/model";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { OPENED_AGAIN } from "~/features/mail/lease-outbox.server";
import { pauseWords, readMailPause, shownMailStatus } from "~/features/mail/mail-pause.server";
import { ADDRESS_HELD, failureWords, MAIL_STATUS_LABELS, type MailStatus, UNDELIVERED } from "~/features/mail/model";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { FormAction } from "~/platform/form-actions.server";
import { badRequest, done, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { formatInstant } from "~/ui/text";
import { MAIL_TRIED_AGAIN } from "../labels";
import { findTicketForStaff } from "../queries.server";

const MESSAGES_SCANNED_FOR_MAILS = 15;

/** Orders the states of several mails about one message: the first that one of them has is shown. */
const WORST_FIRST: readonly MailStatus[] = [
  "dead",
  "bounced",
  "held",
  "uncertain",
  "left",
  "delayed",
  "pending",
  "sending",
  "sent",
  "delivered",
];

/** Staff can send them again. */
const SENDABLE: readonly MailStatus[] = [...UNDELIVERED, "left"];

const WAITING: readonly MailStatus[] = ["delayed", "pending", "sending"];

/** Selects copies to the person without an account whose ticket it is: to them they are no copies. */
const IS_OF_CONTACT = sql`copy_id IN (SELECT c.id FROM support_tickets t
  CROSS JOIN ticket_copies c ON c.ticket_id = t.id AND c.contact_id = t.contact_id WHERE t.id = subject_id)`;

/** Copies to others are left out: their number would tell who has asked for no more. */
export async function listDeliveries(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  ticketId: string,
): Promise<Record<string, MailState>> {
  const { db } = ctx;
  const rows = await db.all<DeliveryRow & { messageId: string }>(sql`
    SELECT m.id AS messageId, ${sql.raw(shownMailStatus("o"))} AS status, count(*) AS mails,
      max(o.last_error) AS reason, iif(count(h.to_hash) > count(h.until), NULL, max(coalesce(h.until, o.next_at))) AS heldUntil
    FROM (SELECT x.id FROM ticket_messages x WHERE x.ticket_id = ${ticketId} AND ${isPublic("x")}
      ORDER BY x.created_at DESC, x.id DESC LIMIT ${MESSAGES_SCANNED_FOR_MAILS}) m
    CROSS JOIN mail_events e ON e.item_id = m.id AND e.event = 'staff_replied'
    CROSS JOIN outbox o ON o.id = e.outbox_id AND (o.copy_id IS NULL OR ${IS_OF_CONTACT})
      LEFT JOIN mail_address_holds h ON h.to_hash = o.to_hash
    GROUP BY m.id, 2`);
  const waits = rows.some(({ status }) => status === "held" || status === "delayed");
  const [{ timeZone: zone }, pause] = waits
    ? await Promise.all([getSettings(db), readMailPause(db)])
    : [{ timeZone: "UTC" }, null];
  const delay = pause ? pauseWords(pause, ctx, zone) : "";
  const ids = new Set(rows.map(({ messageId }) => messageId));
  return Object.fromEntries(
    [...ids].map((id) => {
      const own = rows.filter(({ messageId }) => messageId === id);
      return [id, deliveryOf(own, zone, delay)];
    }),
  );
}

/** `heldUntil`: null until a person lifts it. */
type DeliveryRow = { status: MailStatus; mails: number; reason: string | null; heldUntil: Instant | null };

function deliveryOf(rows: readonly DeliveryRow[], zone: string, delay: string): MailState {
  const worst = WORST_FIRST.find((status) => rows.some((row) => row.status === status)) ?? "sent";
  const mails = rows.reduce((sum, row) => sum + row.mails, 0);
  const row = rows.find(({ status }) => status === worst);
  const of = row?.mails ?? mails;
  const hasFailed = worst === "held" || SENDABLE.includes(worst);
  const heldUntil = row?.heldUntil ?? null;
  const more =
    worst === "held"
      ? ` until ${heldUntil === null ? "you send it again" : formatInstant(heldUntil, zone, "short")}`
      : hasFailed && row?.reason
        ? `: ${failureWords(row.reason)}`
        : "";
  return {
    state: hasFailed ? "failed" : WAITING.includes(worst) ? "waiting" : "sent",
    words: `Mail: ${MAIL_STATUS_LABELS[worst]}${more}${mails > 1 ? `, ${of} of ${mails}` : ""}${worst === "delayed" ? delay : ""}`,
  };
}

/**
 * Sends the mails to clients about a message again that were not delivered, or perhaps not: whether one may arrive
 * twice, a person decides. Their addresses are not held any more. They are put together anew, for those who may still
 * read the ticket.
 */
export async function retryMails(ctx: Ctx, { ticketId, messageId }: { ticketId: string; messageId: string }) {
  const retried = sql`${outbox.id} IN (SELECT e.outbox_id FROM mail_events e
      CROSS JOIN ticket_messages m ON m.id = e.item_id AND m.ticket_id = ${ticketId} AND ${isPublic()}
      WHERE e.item_id = ${messageId} AND e.event = 'staff_replied')
    AND (${outbox.user_id} IS NOT NULL OR ${IS_OF_CONTACT})
    AND (${outbox.status} IN (SELECT value FROM json_each(${JSON.stringify(SENDABLE)}))
      OR (+${outbox.status} = 'pending' AND ${outbox.last_error} = ${ADDRESS_HELD}))`;
  await commit(ctx.db, [
    ctx.db.delete(mailAddressHolds).where(sql`to_hash IN (SELECT to_hash FROM outbox WHERE ${retried})`),
    ctx.db
      .update(outbox)
      .set({ ...queuedAgain(ctx), params_enc: "" })
      .where(retried),
  ]);
  ctx.after(deliverOutbox(ctx));
}

const queuedAgain = ({ now }: Pick<Ctx, "now">) =>
  ({
    status: "pending",
    attempts: 0,
    next_at: now(),
    lease_until: null,
    send_attempted_at: null,
    last_error: null,
    // What is reported of the former sending says nothing about this one.
    provider_message_id: null,
  }) as const;

/**
 * Ends the wait of one mail about a ticket that has not arrived, or perhaps not. Of several who decide the first
 * counts. Only of an uncertain one anybody can say that it arrived; one that cannot be composed any more is not sent
 * again.
 */
export async function decideMail(
  ctx: Ctx,
  { mailId, nonce, decision }: { mailId: string; nonce: string; decision: "sent_again" | "arrived" | "left" },
): Promise<Result<string, "decided">> {
  const isAddressHeld = sql`(+${outbox.status} = 'pending' AND ${outbox.last_error} = ${ADDRESS_HELD})`;
  const waits = {
    sent_again: sql`(${outbox.status} IN ('bounced', 'uncertain', 'dead') OR ${isAddressHeld}) AND ${OPENED_AGAIN} IS NOT NULL`,
    arrived: sql`${outbox.status} = 'uncertain'`,
    left: sql`(${outbox.status} IN ('bounced', 'uncertain', 'dead') OR ${isAddressHeld})`,
  }[decision];
  const decided = sql`${outbox.id} = ${mailId} AND ${outbox.subject_type} = 'ticket' AND ${waits}`;
  const update = {
    sent_again: { ...queuedAgain(ctx), params_enc: OPENED_AGAIN },
    arrived: { status: "delivered", params_enc: null, last_error: null },
    left: { status: "left", params_enc: null },
  } as const;
  const result = await runCommand(
    ctx,
    { scope: "mail-decided", key: `${nonce}:${mailId}` },
    {
      read: async () => {
        const [mail] = await ctx.db.select({ ticketId: outbox.subject_id }).from(outbox).where(decided);
        return mail;
      },
      plan: (mail): Planned<"decided"> => {
        if (!mail) return fail("decided");
        const subject = { type: "ticket", id: mail.ticketId, label: null } as const;
        const lifted = sql`to_hash IN (SELECT to_hash FROM outbox WHERE id = ${mailId})`;
        return ok({
          resultId: mailId,
          expects: [{ that: sql`EXISTS (SELECT 1 FROM outbox WHERE ${decided})`, otherwise: "decided" }],
          statements: [
            ...(decision === "sent_again" ? [ctx.db.delete(mailAddressHolds).where(lifted)] : []),
            ctx.db.update(outbox).set(update[decision]).where(decided),
            recordAudit(ctx, `ticket.mail_${decision}`, { subject, meta: { mail: mailId } }),
          ],
        });
      },
    },
  );
  if (result.ok && decision === "sent_again") ctx.after(deliverOutbox(ctx));
  return result;
}

export const RETRY_MAIL_PURPOSE = "ticket-mail";

const MessageOf = z.object({ message: z.string().max(60) });

export const ticketMailActions: {
  retry_mail: FormAction<StaffActor, { ticket: string; path: string }, never, z.output<typeof MessageOf>>;
} = {
  retry_mail: {
    ability: "ticket.reply",
    purpose: RETRY_MAIL_PURPOSE,
    form: MessageOf,
    invalid: badRequest,
    run: async (ctx, _actor, { params, input }) => {
      const ticket = await findTicketForStaff(ctx.db, params.ticket);
      if (!ticket) return notFound();
      await retryMails(ctx, { ticketId: ticket.id, messageId: input.message });
      return done({ to: `${params.path}#${input.message}`, flash: { kind: "success", ...MAIL_TRIED_AGAIN } });
    },
  },
};
