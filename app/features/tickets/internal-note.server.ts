import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Db, expectRow, type Statement } from "~/db/client.server";
import { tickets } from "~/db/schema/tickets";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { messageStatements } from "~/features/conversation/messages.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import { fold, nameList } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { stillBelongs } from "./access.server";
import { auditActorOf } from "./change-ticket.server";
import { asStaff, type TicketActor } from "./model";
import { notifyOfTicket } from "./notify-ticket.server";
import { ticketSubject } from "./paths";
import { findTicketForStaff, isNamed, type StoredTicket } from "./queries.server";

/** Describes one of the active staff. `isNotified`: whether a note on the ticket that names them tells them. */
export type Colleague = { id: string; fullName: string; isNotified: boolean };

const STAFF_SHOWN = 200;

/** `ref`: number or id of the ticket. `isForNote`: all of them, because a note may name anyone. */
export async function listColleaguesOfStaff(db: Db, ref: string, { isForNote = false } = {}): Promise<Colleague[]> {
  const rows = await db.all<Omit<Colleague, "isNotified"> & { isMuted: number }>(sql`
    SELECT u.id, u.full_name AS fullName, EXISTS (SELECT 1 FROM muted_subjects m
        WHERE m.subject_type = 'ticket' AND m.user_id = u.id
          AND m.subject_id = (SELECT t.id FROM support_tickets t WHERE ${isNamed(ref)}))
      OR EXISTS (SELECT 1 FROM notification_preferences p
        WHERE p.user_id = u.id AND p.event = 'mentioned' AND NOT p.by_mail AND NOT p.in_app) AS isMuted
    FROM user_roles r CROSS JOIN users u ON u.id = r.user_id
    WHERE r.role <> 'user' AND u.status = 'active' ORDER BY u.full_name LIMIT ${isForNote ? -1 : STAFF_SHOWN}`);
  return rows.map(({ isMuted, ...each }) => ({ ...each, isNotified: isMuted === 0 }));
}

type Mentions = { named: readonly Colleague[]; unknown: readonly string[] };

/**
 * Returns those whom a text names behind an `@`, by full name or first name, whatever the case and the accents. Of a
 * first name that several have, all are meant. An `@` inside a word, as in an address, names nobody.
 */
export function mentionsIn(text: string, staff: readonly Colleague[]): Mentions {
  const names = staff.map((colleague) => {
    const full = fold(colleague.fullName);
    return { colleague, full, first: full.split(" ")[0] ?? "" };
  });
  const named = new Set<Colleague>();
  const unknown = new Set<string>();
  for (const behind of text.split(/(?<![\p{L}\p{M}\p{N}._-])@/u).slice(1)) {
    if (/^\s/.test(behind)) continue;
    const folded = fold(behind);
    const byFullName = names.filter(({ full }) => beginsWith(folded, full));
    const found = byFullName.length > 0 ? byFullName : names.filter(({ first }) => beginsWith(folded, first));
    for (const { colleague } of found) named.add(colleague);
    const word = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,39}/u.exec(behind)?.[0];
    if (found.length === 0 && word) unknown.add(word);
  }
  return { named: [...named], unknown: [...unknown] };
}

const beginsWith = (text: string, name: string): boolean =>
  name !== "" && text.startsWith(name) && !/^[\p{L}\p{N}_-]/u.test(text.slice(name.length));

/** Limits the mentions of no one that are named to the author of a note, who may have pasted a whole log. */
const UNKNOWN_NAMED = 3;

/** Names the mentions of no one: "@Zo, @Av, @Li and 40 more". */
function unknownInWords(unknown: readonly string[]): string {
  const more = unknown.length - UNKNOWN_NAMED;
  const shown = unknown.slice(0, UNKNOWN_NAMED).map((word) => `@${word}`);
  return nameList.format(more > 0 ? [...shown, `${more} more`] : shown);
}

export function mentionText(
  { named, unknown }: Mentions,
  authorId: string | null,
): Record<"notified" | "notNotified", string | null> {
  const others = named.filter(({ id }) => id !== authorId);
  const namesOf = (isNotified: boolean) =>
    others.filter((each) => each.isNotified === isNotified).map(({ fullName }) => fullName);
  const [notified, muted] = [namesOf(true), namesOf(false)];
  const notNotified = [
    ...(muted.length > 0
      ? [
          `${nameList.format(muted)} ${muted.length > 1 ? "have muted this and were" : "has muted this and was"} not told.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`${unknownInWords(unknown)} ${unknown.length > 1 ? "name" : "names"} no one on the team.`]
      : []),
  ];
  return {
    notified: notified.length > 0 ? `${nameList.format(notified)} ${notified.length > 1 ? "were" : "was"} told.` : null,
    notNotified: notNotified.length > 0 ? notNotified.join(" ") : null,
  };
}

/**
 * Writes a note on a ticket that only staff ever read. Nothing of it reaches the client: not its text, not that it was
 * written, not the time of the ticket's last change. It changes no promise. Returns the id of the note, also to a form
 * that arrives twice, and says who was told.
 */
export async function addInternalNote(
  ctx: Ctx,
  actor: StaffActor,
  { ticketId, text, files, nonce }: { ticketId: string; text: string; files?: readonly StoredFile[]; nonce: string },
): Promise<Result<{ id: string } & ReturnType<typeof mentionText>, "ticket_not_found">> {
  const by = asStaff(actor);
  const id = ctx.newId("msg");
  let mentions = mentionsIn(text, []);
  const written = await runCommand(
    ctx,
    { scope: "ticket-note", key: nonce },
    {
      read: async () => {
        const [ticket, staff] = await Promise.all([
          findTicketForStaff(ctx.db, ticketId),
          text.includes("@") ? listColleaguesOfStaff(ctx.db, ticketId, { isForNote: true }) : [],
        ]);
        mentions = mentionsIn(text, staff);
        return ticket;
      },
      plan: async (ticket) => {
        if (!ticket) return fail("ticket_not_found");
        const named = mentions.named.map((each) => each.id);
        const message = { id, text, isInternal: true, mentions: named };
        return planNote(ctx, by, {
          ...{ ticket, id, text, files },
          label: "Internal note",
          condition: stillBelongs(by, ticket.organization.id),
          statements: await notifyOfTicket(ctx, { ticket, actor: by, message }),
        });
      },
    },
  );
  if (!written.ok) return written;
  ctx.after(deliverOutbox(ctx));
  return ok({ id: written.value, ...mentionText(mentions, by.userId) });
}

type PlannedNote = {
  ticket: StoredTicket;
  id: string;
  text: string;
  files?: readonly StoredFile[];
  label: string;
  condition: SQL;
  statements: readonly Statement[];
};

async function planNote(
  ctx: Ctx,
  by: TicketActor,
  { ticket, id, text, files, label, condition, statements }: PlannedNote,
): Promise<Planned<"ticket_not_found">> {
  const { id: ticketId, organization, number, title } = ticket;
  await checkFileRoom(ctx, by, { organizationId: organization.id, files });
  return ok({
    resultId: id,
    expects: [{ that: condition, otherwise: "ticket_not_found" }],
    statements: [
      // Without the version, which a note leaves as it is: only a move concerns it.
      expectRow(ctx.db, tickets, and(eq(tickets.id, ticketId), eq(tickets.organization_id, organization.id))),
      ...noteStatements(ctx, by, { id, ticket: { id: ticketId, title }, organizationId: organization.id, text, files }),
      recordLiveEvent(ctx, {
        audience: "staff",
        type: "ticket_event",
        subject: { type: "ticket", id: ticketId },
        label: `${referenceNumber("ticket", number)}: ${label}`,
      }),
      ...statements,
    ],
    after: () => ctx.after(ctx.live.notify("staff")),
  });
}

type NewNote = Pick<PlannedNote, "text" | "files"> & {
  ticket: { id: string; title: string };
  organizationId: string;
  id?: string;
};

/** Returns the statements that write a note; by themselves they tell nobody. */
export function noteStatements(
  ctx: Ctx,
  by: TicketActor,
  { ticket, organizationId, id = ctx.newId("msg"), text, files }: NewNote,
): Statement[] {
  return [
    ...messageStatements(ctx, by, { id, text, files, isInternal: true, ticketId: ticket.id, organizationId }),
    // Without the organization, whose owner may read its audit.
    recordAudit(ctx, "ticket.note_added", {
      subject: ticketSubject(ticket),
      meta: { note: id },
      actor: auditActorOf(ctx, by),
    }),
  ];
}

type MailedNote = {
  id: string;
  ticketId: string;
  author: string;
  text: string;
  files?: readonly StoredFile[];
  /** Whatever comes under the same key later is not written. */
  key: string;
  /** The condition that the mail was neither erased nor decided meanwhile. */
  isWaiting: SQL;
  statements: readonly Statement[];
};

/** Writes a note of what came by mail, which tells nobody. Returns the id of the first of the key; null: no ticket. */
export async function noteFromMail(
  ctx: Ctx,
  { id, ticketId, author, text, files, key, isWaiting, statements }: MailedNote,
): Promise<string | null> {
  const by: TicketActor = { userId: null, fullName: author, side: "system" };
  const written = await runCommand(
    ctx,
    { scope: "ticket-note", key },
    {
      read: () => findTicketForStaff(ctx.db, ticketId),
      plan: async (ticket) =>
        ticket
          ? planNote(ctx, by, { ticket, id, text, files, label: author, condition: isWaiting, statements })
          : fail("ticket_not_found"),
    },
  );
  return written.ok ? written.value : null;
}
