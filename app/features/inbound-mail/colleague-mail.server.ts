import { sql } from "drizzle-orm";
import { expectChange, expectThat, type Statement } from "~/db/client.server";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { activeStaff, notifyPeople } from "~/features/notifications/notify-people.server";
import { holds } from "~/features/tickets/access.server";
import { changeTicket } from "~/features/tickets/change-ticket.server";
import { MESSAGE_LIMIT, type TicketActor } from "~/features/tickets/model";
import { staffTicketPath, ticketSubject } from "~/features/tickets/paths";
import { findTicketForStaff, type StoredTicket } from "~/features/tickets/queries.server";
import { findLeftOut, staffReplyChange } from "~/features/tickets/reply-as-staff.server";
import { quotesNote } from "~/features/tickets/reply-by-mail.server";
import { fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { columnsOf, findRow, type InboundRow, readStored } from "./commands.server";
import type { SendingError } from "./labels";
import { maySendFor } from "./mail-list.server";
import { mayAnswerNote, readSender } from "./match-mail.server";
import { isUndecided, SENDABLE_REASONS } from "./model";
import { endStatement, isWaiting, nonceOf, type ReadMail, storeFiles } from "./process-mail.server";

type Sent = { name: string; reference: string };

/**
 * Reads what a colleague has mailed and what was held, with its ticket and its author: whoever wrote it, or an
 * administrator, may send it. Nothing that could show an internal note is sent.
 */
export async function readSending(
  ctx: Pick<Ctx, "config" | "db">,
  actor: StaffActor,
  { mail, read }: { mail: InboundRow; read: ReadMail | null },
) {
  if (!isUndecided(mail)) return fail("decided");
  if (mail.state !== "held" || !SENDABLE_REASONS.has(mail.reason as never)) return fail("could_show_note");
  const ticket = await findTicketForStaff(ctx.db, mail.ticket_id ?? "");
  if (read === null || read.defect !== null) return fail("unreadable");
  if (!ticket) return fail("ticket_not_found");
  const email = read.matched.sender;
  const author = await readSender(ctx.db, email);
  if (!author || author.role === "user" || author.status !== "active") return fail("not_theirs");
  if (!maySendFor(actor, author.id)) return fail("not_theirs");
  if (await mayShowNote(ctx, read, { ticket, userId: author.id })) return fail("could_show_note");
  const text = read.text.slice(0, MESSAGE_LIMIT);
  if (text === "" && read.parsed.files.length === 0) return fail("empty");
  return ok({ ticket, author: { ...author, role: author.role, email }, text });
}

type Sending = {
  mailId: string;
  /** The version of the ticket that whoever sends it has looked at. */
  version: number;
  /** Holds the ids of those who are left out of its mails. */
  notTo?: readonly string[];
};

/**
 * Sends the client what a colleague has mailed and what was held, in their name, now: until now nobody was answered.
 * Who sends it has looked at it and at the ticket as it is. Whoever wrote it is told if somebody else does.
 */
export async function sendAnyway(
  ctx: Ctx,
  actor: StaffActor,
  { mailId, version, notTo = [] }: Sending,
): Promise<Result<Sent, SendingError>> {
  const mail = await findRow(ctx.db, mailId);
  if (!mail) return fail("mail_not_found");
  const read = await readStored(ctx, mail);
  const sending = await readSending(ctx, actor, { mail, read });
  if (!sending.ok) return sending;
  if (read === null) return fail("unreadable");
  const { ticket, author, text } = sending.value;
  const columns = columnsOf({ mail, read });
  const { files, details } = await storeFiles(ctx, read.parsed, columns);
  const by: TicketActor = { userId: author.id, fullName: author.fullName, role: author.role, side: "staff" };
  const message = { id: ctx.newId("msg"), text, files, draft: text };
  if (text === "" && files.length === 0) return fail("empty");
  const waits = sql`${isWaiting(mail)} AND ${stillAllowed(actor, "ticket.reply", "")}`;
  const isSaid = sql`EXISTS (SELECT 1 FROM ticket_messages m WHERE m.ticket_id = ${ticket.id}
    AND m.user_id = ${author.id} AND ${isPublic()} AND m.message = ${text} AND m.created_at >= ${mail.received_at})`;
  const sent = await changeTicket<"sent_already" | "written_since" | "nobody_left">(ctx, by, {
    find: async () => ((await holds(ctx.db, waits)) ? findTicketForStaff(ctx.db, ticket.id) : null),
    scope: "ticket-reply",
    key: nonceOf(mail),
    resultId: message.id,
    isLimited: false,
    plan: async (found) => {
      const [isRepeated, leftOut] = await Promise.all([
        holds(ctx.db, isSaid),
        findLeftOut(ctx, { ticketId: found.id, userId: author.id, notTo }),
        checkFileRoom(ctx, by, { organizationId: found.organization.id, files }),
      ]);
      if (isRepeated) return fail("sent_already");
      if (found.version !== version) return fail("written_since");
      if (leftOut === null) return fail("nobody_left");
      const change = staffReplyChange(ctx, by, { ticket: found, message, to: null, assignToMe: true, notTo: leftOut });
      const ended = { state: "processed", effect: "replied", ticket_id: ticket.id, message_id: message.id } as const;
      return ok({
        ...change,
        statements: [
          expectThat(ctx.db, waits),
          ...(change.statements ?? []),
          endStatement(ctx, mail, { ...columns, ...ended, details }),
          expectChange(ctx.db),
          ...(actor.userId === author.id ? [] : notifyAuthor(ctx, actor, { ticket: found, author })),
          // Without the organization, whose owner may read its audit.
          recordAudit(ctx, "ticket.held_reply_sent", {
            subject: ticketSubject(found),
            meta: { mail: mail.id, person: author.fullName, people: { person: author.id } },
          }),
        ],
      });
    },
  });
  if (sent.ok && sent.value === message.id)
    return ok({ name: author.fullName, reference: referenceNumber("ticket", ticket.number) });
  await ctx.files.delete(files.map(({ key }) => key));
  if (!sent.ok && sent.code !== "ticket_not_found") return fail(sent.code);
  const now = await findRow(ctx.db, mailId);
  return fail(now && isUndecided(now) ? "ticket_not_found" : "decided");
}

type SentFor = { ticket: StoredTicket; author: { id: string; email: string } };

/** The mail always comes: what is public under a name, its owner must know of. */
function notifyAuthor(ctx: Ctx, { userId, fullName }: StaffActor, { ticket, author }: SentFor): Statement[] {
  const number = referenceNumber("ticket", ticket.number);
  return [
    ...notifyPeople(ctx, {
      subject: { type: "ticket", id: ticket.id },
      recipients: [{ event: "sent_for_me", people: sql`${activeStaff} AND r.user_id = ${author.id}` }],
      actor: { userId, fullName },
      label: sql`${`${number} ${ticket.title}`}`,
      itemId: ticket.id,
      mail: null,
    }),
    enqueueMail(ctx, "reply-sent-for-you", {
      to: author.email,
      about: ticketSubject(ticket),
      data: { number, title: ticket.title, path: staffTicketPath(number), by: fullName },
    }),
  ];
}

type Author = { ticket: StoredTicket; userId: string };

async function mayShowNote(
  ctx: Pick<Ctx, "config" | "db">,
  { matched, text, details }: ReadMail,
  { ticket, userId }: Author,
): Promise<boolean> {
  if (details.couldShowMore) return true;
  const [quotes, answers] = await Promise.all([
    quotesNote(ctx.db, ticket.id, text),
    mayAnswerNote(ctx, matched, { ticket, userId }),
  ]);
  return quotes || answers;
}
