import { sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { PROGRAM_MAILBOX, primaryAddressOf } from "~/features/contacts/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { readDomains } from "~/features/organization-management/forms.server";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { getSettings } from "~/features/settings/queries.server";
import { listReplyRecipients, type ReplyRecipient } from "~/features/tickets/notify-ticket.server";
import { findTicketForStaff, isNamed } from "~/features/tickets/queries.server";
import { ORGANIZATION_SEARCH } from "~/features/tickets/ui/move-form";
import { domainOf } from "~/lib/email";
import { referenceNumber } from "~/lib/ids";
import { tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, download, fileLimited, notFound } from "~/platform/responses.server";
import { readSending } from "./colleague-mail.server";
import { audited, findRow, readStored } from "./commands.server";
import { SENDING_ERRORS } from "./labels";
import { listedMail, listMailOfTicket, MAIL_COLUMNS, type MailRow } from "./mail-list.server";
import { numberNamedIn } from "./match-mail.server";
import type { MailDetails } from "./model";
import { mailPath, WHOLE_MAIL } from "./paths";
import type { ReadMail } from "./process-mail.server";

const findMail = async (db: Db, id: string): Promise<(MailRow & { isBlocked: number }) | null> =>
  (
    await db.all<MailRow & { isBlocked: number }>(sql`SELECT ${MAIL_COLUMNS},
        EXISTS (SELECT 1 FROM blocked_senders b WHERE b.email = i.from_address) AS isBlocked
      FROM inbound_mail i LEFT JOIN support_tickets t ON t.id = i.ticket_id WHERE i.id = ${id}`)
  )[0] ?? null;

/** Reads a mail with what it says, as text, and where it could go. Null: there is none. */
export async function readMailRecord(
  ctx: Pick<Ctx, "config" | "db" | "files" | "log" | "request">,
  actor: StaffActor,
  id: string,
) {
  const [mail, row, { timeZone: zone }] = await Promise.all([
    findMail(ctx.db, id),
    findRow(ctx.db, id),
    getSettings(ctx.db),
  ]);
  if (!mail || !row) return null;
  const { from_address: fromAddress, original_address: originalAddress, size, envelope_to: envelopeTo } = row;
  const { isSendable: _, ...listed } = listedMail(actor, mail);
  const { error: __, ...details }: MailDetails = JSON.parse(row.details);
  const [read, choices, namedTicket] = await Promise.all([
    readStored(ctx, row),
    listed.isUndecided
      ? readChoices(ctx.db, {
          ...{
            sender: (details.originalSender && originalAddress) || fromAddress,
            params: ctx.request.url.searchParams,
          },
          named: numberNamedIn(listed.subject),
        })
      : null,
    listed.reason === "unknown_sender" && listed.ticket === null ? findNamed(ctx.db, listed.subject) : null,
  ]);
  const reply = listed.isOfStaff && listed.state === "held" ? await readReply(ctx, actor, { mail: row, read }) : null;
  return {
    mail: { ...listed, ...details, envelopeTo, size, isBlocked: mail.isBlocked === 1, namedTicket },
    content: read && contentOf(read),
    choices,
    reply,
    zone,
  };
}

export type MailRecordRead = NonNullable<Awaited<ReturnType<typeof readMailRecord>>>;

/** Sends a mail as it came. */
export async function downloadMail(ctx: Ctx, { userId }: StaffActor, id: string): Promise<ActionResult<never>> {
  const mail = await findRow(ctx.db, id);
  if (!mail) return notFound();
  const limit = await takeLimit(ctx.db, "mail_files_user", userId, ctx.now());
  if (!limit.allowed) {
    const message = `Many mails were downloaded. ${tooManyAttempts(limit.retryAt, ctx.now())}`;
    const flash = { kind: "error", title: "The mail was not downloaded", message } as const;
    return fileLimited({ to: mailPath(id), flash, retryAt: limit.retryAt });
  }
  const content = await ctx.files.get(mail.object_key);
  if (!content) return notFound();
  await commit(ctx.db, [audited(ctx, "ticket.mail_downloaded", mail)]);
  return download({ fileName: `${id}.eml`, size: mail.size, content });
}

async function findNamed(db: Db, subject: string): Promise<string | null> {
  const number = numberNamedIn(subject);
  if (number === null) return null;
  const [found] = await db.all(sql`SELECT 1 FROM support_tickets WHERE number = ${number}`);
  return found ? referenceNumber("ticket", number) : null;
}

/**
 * Reads which of a ticket's messages came by mail, and all that one of the mails says if the address of the page asks
 * for it: only staff are shown what it quotes.
 */
export async function readMailOfTicket(ctx: Pick<Ctx, "db" | "files" | "log" | "request">, ref: string) {
  const { searchParams } = ctx.request.url;
  const asked = searchParams.get(WHOLE_MAIL);
  const [ofTicket, whole] = await Promise.all([
    listMailOfTicket(ctx.db, ref),
    asked === null ? null : readWholeMail(ctx, ref, asked),
  ]);
  return { ...ofTicket, whole, before: searchParams.get("before") };
}

/** `text`: null: it cannot be read. Null: no such mail came to the ticket. */
async function readWholeMail(ctx: Pick<Ctx, "db" | "files" | "log">, ref: string, id: string) {
  const mail = await findRow(ctx.db, id);
  const [ticket] = await ctx.db.all<{ id: string }>(sql`SELECT t.id FROM support_tickets t WHERE ${isNamed(ref)}`);
  if (!mail || !ticket || mail.ticket_id !== ticket.id) return null;
  const read = await readStored(ctx, mail);
  return { id, text: read?.parsed.text ?? null };
}

const contentOf = ({ parsed, text, details }: ReadMail) => ({
  text,
  whole: details.isTrimmed ? parsed.text : null,
  files: parsed.files.map(({ name }) => name),
});

const LATER_SHOWN = 5;
const LATER_TEXT = 600;

/** Reads what whoever sends a colleague's reply must have seen of its ticket, and who gets it. Null: it names none. */
async function readReply(ctx: Pick<Ctx, "config" | "db">, actor: StaffActor, held: Parameters<typeof readSending>[2]) {
  const { id } = held.mail;
  const [[found], later, sending] = await Promise.all([
    ctx.db.all<{ authorId: string; name: string; ticketId: string }>(sql`
      SELECT u.id AS authorId, u.full_name AS name, t.id AS ticketId FROM inbound_mail i
        JOIN support_tickets t ON t.id = i.ticket_id JOIN users u ON u.email = i.from_address WHERE i.id = ${id}`),
    ctx.db.all<{ id: string; author: string; text: string; at: number }>(sql`
      SELECT m.id, m.author_name AS author, substr(m.message, 1, ${LATER_TEXT}) AS text, m.created_at AS at
      FROM inbound_mail i CROSS JOIN ticket_messages m ON m.ticket_id = i.ticket_id AND ${isPublic()}
      WHERE i.id = ${id} AND m.created_at >= i.received_at ORDER BY m.created_at DESC, m.id DESC LIMIT ${LATER_SHOWN}`),
    readSending(ctx, actor, held),
  ]);
  if (!found) return null;
  if (!sending.ok && sending.code === "decided") return null;
  const [ticket, recipients] = await Promise.all([
    findTicketForStaff(ctx.db, found.ticketId),
    sending.ok ? listReplyRecipients(ctx.db, found.ticketId, found.authorId) : ([] as ReplyRecipient[]),
  ]);
  if (!ticket) return null;
  const { version, number, title, organization, creator, status } = ticket;
  return {
    ...{ name: found.name, version, title, organization: organization.name, requester: creator.name, status },
    reference: referenceNumber("ticket", number),
    /** Null: it can be sent. */
    refusal: sending.ok ? null : SENDING_ERRORS[sending.code],
    later: later.reverse(),
    recipients,
  };
}

const KNOWN_SHOWN = 10;

/** Whom a mail may be from that names a ticket: its people. */
const listPeopleOf = (db: Db, number: number | null): Promise<{ email: string; name: string }[]> =>
  db.all(sql`WITH t AS (SELECT id, created_by, contact_id FROM support_tickets WHERE number = ${number})
    SELECT u.email, u.full_name AS name FROM (SELECT created_by AS id FROM t
        UNION SELECT p.user_id FROM t CROSS JOIN ticket_people p ON p.ticket_id = t.id) x
      CROSS JOIN users u ON u.id = x.id AND u.is_staff = 0 AND u.status = 'active'
    UNION ALL
    SELECT k.email, k.full_name FROM (SELECT contact_id AS id FROM t
        UNION SELECT c.contact_id FROM t CROSS JOIN ticket_copies c ON c.ticket_id = t.id AND c.removed_at IS NULL) x
      CROSS JOIN contacts k ON k.id = x.id AND k.refused_at IS NULL
    LIMIT ${KNOWN_SHOWN}`);

/** Reads for which organizations a ticket can be opened: those that know the sender first, and those of a search. */
async function readChoices(
  db: Db,
  { sender, params, named }: { sender: string; params: URLSearchParams; named: number | null },
) {
  const email = primaryAddressOf(sender);
  const search = (params.get(ORGANIZATION_SEARCH) ?? "").trim();
  const domain = domainOf(sender);
  const [found, known, [account], people] = await Promise.all([
    findOrganizationChoices(db, { search, chosen: null }),
    db.all<{ id: string; name: string }>(sql`SELECT o.id, o.name FROM (
        SELECT m.organization_id AS id FROM users u JOIN organization_memberships m ON m.user_id = u.id AND m.status = 'active'
          WHERE u.email = ${email}
        UNION SELECT organization_id FROM contacts WHERE email = ${email}
        UNION SELECT organization_id FROM organization_domains WHERE domain = ${domain}
      ) known CROSS JOIN organizations o ON o.id = known.id ORDER BY o.name LIMIT ${KNOWN_SHOWN}`),
    db.all<{ isStaff: number; isActive: number }>(
      sql`SELECT is_staff AS isStaff, status = 'active' AS isActive FROM users WHERE email = ${email}`,
    ),
    listPeopleOf(db, named),
  ]);
  const isKnown = ({ id }: { id: string }) => known.some((each) => each.id === id);
  const { domains } = readDomains(domain);
  return {
    search,
    isMore: found.isMore,
    people,
    known,
    others: found.choices.filter((each) => !isKnown(each)),
    // Nobody is answered there.
    isNoPerson: sender === "" || account?.isStaff === 1 || (known.length === 0 && PROGRAM_MAILBOX.test(sender)),
    domain: domains[0] ?? null,
  };
}
