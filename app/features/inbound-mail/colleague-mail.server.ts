import { sql } from "drizzle-orm";
import { can } from "~/access/policy";
import { expectChange, expectThat } from "~/db/client.server";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { holds } from "~/features/tickets/access.server";
import { changeTicket } from "~/features/tickets/change-ticket.server";
import { MESSAGE_LIMIT, type TicketActor } from "~/features/tickets/model";
import { ticketSubject } from "~/features/tickets/paths";
import { findTicketForStaff, type StoredTicket } from "~/features/tickets/queries.server";
import { staffReplyChange } from "~/features/tickets/reply-as-staff.server";
import { quotesNote } from "~/features/tickets/reply-by-mail.server";
import { referenceNumber } from "~/lib/ids";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { audited, columnsOf, findRow, readStored } from "./commands.server";
import { mayAnswerNote, readSender } from "./match-mail.server";
import { isUndecided, type MailDetails, SENDABLE, type SendingError } from "./model";
import { endStatement, isWaiting, nonceOf, type ReadMail, storeFiles } from "./process-mail.server";
import { isMarked } from "./trim-quote";

/** Tells whether somebody may send what a colleague has mailed: they wrote it, or they may for all. */
const maySendFor = (actor: StaffActor, authorId: string): boolean =>
  actor.userId === authorId || can(actor, "ticket.send_for_others");

type Sent = { name: string; reference: string };

/**
 * Reads what a colleague has mailed and what was held, with its ticket and its author: whoever wrote it, or an
 * administrator, may send it. Nothing that could show an internal note is sent.
 */
export async function readSending(
  ctx: Pick<Ctx, "config" | "db" | "files" | "log">,
  actor: StaffActor,
  mailId: string,
) {
  const mail = await findRow(ctx.db, mailId);
  if (!mail) return fail("mail_not_found");
  if (!isUndecided(mail)) return fail("decided");
  if (mail.state !== "held" || !SENDABLE.has(mail.reason as never)) return fail("could_show_note");
  const [read, ticket] = await Promise.all([readStored(ctx, mail), findTicketForStaff(ctx.db, mail.ticket_id ?? "")]);
  if (read === null || read.flaw !== null) return fail("unreadable");
  if (!ticket) return fail("ticket_not_found");
  const author = await readSender(ctx.db, read.matched.sender);
  if (!author || author.role === "user" || author.status !== "active") return fail("not_theirs");
  if (!maySendFor(actor, author.id)) return fail("not_theirs");
  if (await mayShowNote(ctx, read, { ticket, userId: author.id })) return fail("could_show_note");
  const text = read.text.slice(0, MESSAGE_LIMIT);
  if (text === "" && read.parsed.files.length === 0) return fail("empty");
  return ok({ mail, read, ticket, author: { ...author, role: author.role }, text });
}

type Sending = {
  mailId: string;
  /** The version of the ticket that whoever sends it has looked at. */
  version: number;
};

/**
 * Sends the client what a colleague has mailed and what was held, in their name, now: until now nobody was answered.
 * Who sends it has looked at it and at the ticket as it is.
 */
export async function sendAnyway(
  ctx: Ctx,
  actor: StaffActor,
  { mailId, version }: Sending,
): Promise<Result<Sent, SendingError>> {
  const sending = await readSending(ctx, actor, mailId);
  if (!sending.ok) return sending;
  const { mail, read, ticket, author, text } = sending.value;
  const { files, refused } = await storeFiles(ctx, read.parsed);
  const by: TicketActor = { userId: author.id, fullName: author.fullName, role: author.role, side: "staff" };
  const message = { id: ctx.newId("msg"), text, files, draft: text };
  const columns = columnsOf({ mail, read });
  const details = JSON.stringify({ ...JSON.parse(columns.details), refusedFiles: refused } satisfies MailDetails);
  if (text === "" && files.length === 0) return fail("empty");
  const waits = sql`${isWaiting(mail)} AND ${stillAllowed(actor, "ticket.reply", "")}`;
  const isSaid = sql`EXISTS (SELECT 1 FROM ticket_messages m WHERE m.ticket_id = ${ticket.id}
    AND m.user_id = ${author.id} AND ${isPublic()} AND m.message = ${text} AND m.created_at >= ${mail.received_at})`;
  const sent = await changeTicket<"sent_already" | "written_since">(ctx, by, {
    find: async () => ((await holds(ctx.db, waits)) ? findTicketForStaff(ctx.db, ticket.id) : null),
    scope: "ticket-reply",
    key: nonceOf(mail),
    resultId: message.id,
    isLimited: false,
    plan: async (found) => {
      const [isRepeated] = await Promise.all([
        holds(ctx.db, isSaid),
        checkFileRoom(ctx, by, { organizationId: found.organization.id, files }),
      ]);
      if (isRepeated) return fail("sent_already");
      if (found.version !== version) return fail("written_since");
      const change = staffReplyChange(ctx, by, { ticket: found, message, to: null, assignToMe: true });
      const ended = { state: "processed", effect: "replied", ticket_id: ticket.id, message_id: message.id } as const;
      return ok({
        ...change,
        statements: [
          expectThat(ctx.db, waits),
          ...(change.statements ?? []),
          endStatement(ctx, mail, { ...columns, ...ended, details }),
          expectChange(ctx.db),
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

type Author = { ticket: StoredTicket; userId: string };

async function mayShowNote(
  ctx: Pick<Ctx, "config" | "db">,
  { matched, text, details }: ReadMail,
  { ticket, userId }: Author,
): Promise<boolean> {
  if (matched.isForward || details.isCut || isMarked(text)) return true;
  const [quotes, answers] = await Promise.all([
    quotesNote(ctx.db, ticket.id, text),
    mayAnswerNote(ctx, matched, { ticket, userId }),
  ]);
  return quotes || answers;
}

/** Puts a mail of a colleague away that is no use. It can still be decided until it is deleted. */
export function discardMail(
  ctx: Ctx,
  actor: StaffActor,
  { mailId, nonce }: { mailId: string; nonce: string },
): Promise<Result<string, "mail_not_found" | "decided">> {
  return runCommand(
    ctx,
    { scope: "mail-discard", key: `${nonce}:${mailId}` },
    {
      read: async () => {
        const mail = await findRow(ctx.db, mailId);
        return mail && { mail, sender: await readSender(ctx.db, mail.from_address) };
      },
      plan: (found): Planned<"mail_not_found" | "decided"> => {
        if (!found?.sender || found.sender.role === "user") return fail("mail_not_found");
        const { mail } = found;
        if (mail.state !== "held" && mail.state !== "failed") return fail("decided");
        return ok({
          resultId: mailId,
          expects: [
            { that: isWaiting(mail), otherwise: "decided" },
            { that: stillAllowed(actor, "ticket.handle", ""), otherwise: "mail_not_found" },
          ],
          statements: [
            endStatement(ctx, mail, { state: "dropped", reason: "discarded" }),
            audited(ctx, "ticket.mail_discarded", mail),
          ],
        });
      },
    },
  );
}
