import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { PROGRAM_MAILBOX } from "~/features/contacts/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { readDomains } from "~/features/organization-management/forms.server";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { getSettings } from "~/features/settings/queries.server";
import { isNamed } from "~/features/tickets/queries.server";
import { ORGANIZATION_SEARCH } from "~/features/tickets/ui/organization-search";
import { describeError } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { readSending } from "./colleague-mail.server";
import { SENDING_ERRORS } from "./labels";
import { listedMail, listMailOrigins, MAIL_COLUMNS, type MailRow } from "./mail-list.server";
import { type MailClass, type MailDetails, READ_MAX } from "./model";
import { parseMail } from "./parse-mail.server";
import { WHOLE_MAIL } from "./paths";
import { trimQuote } from "./trim-quote";

type MailRecord = MailRow & {
  details: string;
  class: MailClass | null;
  envelopeTo: string;
  fromAddress: string;
  size: number;
  objectKey: string;
  isBlocked: number;
};

const findMail = async (db: Db, id: string): Promise<MailRecord | null> =>
  (
    await db.all<MailRecord>(sql`SELECT ${MAIL_COLUMNS}, i.details, i.class, i.envelope_to AS envelopeTo,
        i.from_address AS fromAddress, i.size, i.object_key AS objectKey,
        EXISTS (SELECT 1 FROM blocked_senders b WHERE b.email = i.from_address) AS isBlocked
      FROM inbound_mail i LEFT JOIN support_tickets t ON t.id = i.ticket_id WHERE i.id = ${id}`)
  )[0] ?? null;

/** Reads a mail with what it says, as text, and where it could go. Null: there is none. */
export async function readMailRecord(
  ctx: Pick<Ctx, "config" | "db" | "files" | "log" | "request">,
  actor: StaffActor,
  id: string,
) {
  const [mail, { timeZone: zone }] = await Promise.all([findMail(ctx.db, id), getSettings(ctx.db)]);
  if (!mail) return null;
  const { details, isBlocked, fromAddress, objectKey, size, class: mailClass, envelopeTo } = mail;
  const { isUndecided, ...listed } = listedMail(mail);
  const {
    tier,
    checked,
    isTrimmed,
    isCut,
    isLarge,
    hasWinmail,
    refusedFiles = [],
    originalSender,
  }: MailDetails = JSON.parse(details);
  const original = originalSender && (/<(.+)>$/.exec(originalSender)?.[1] ?? originalSender);
  const [content, choices, reply] = await Promise.all([
    readContent(ctx, { objectKey, size }),
    isUndecided ? readChoices(ctx.db, original || fromAddress, ctx.request.url.searchParams) : null,
    listed.isOfStaff && listed.state === "held" ? readReply(ctx, actor, id) : null,
  ]);
  return {
    mail: {
      ...{ ...listed, isUndecided, class: mailClass, envelopeTo, size, isBlocked: isBlocked === 1 },
      ...{ tier: tier ?? null, checked: checked ?? null, isTrimmed: isTrimmed === true, isCut: isCut === true },
      ...{ isLarge: isLarge === true, hasWinmail: hasWinmail === true, refusedFiles, originalSender },
    },
    content,
    choices,
    reply,
    zone,
  };
}

/**
 * Reads which of a ticket's messages came by mail, and all that one of the mails says if the address of the page asks
 * for it: only staff are shown what it quotes.
 */
export async function readMailOfTicket(ctx: Pick<Ctx, "db" | "files" | "log" | "request">, ref: string) {
  const { searchParams } = ctx.request.url;
  const asked = searchParams.get(WHOLE_MAIL);
  const [origins, whole] = await Promise.all([
    listMailOrigins(ctx.db, ref),
    asked === null ? null : readWholeMail(ctx, ref, asked),
  ]);
  return { origins, whole, before: searchParams.get("before") };
}

/** `text`: null: it cannot be read. Null: no such mail came to the ticket. */
async function readWholeMail(ctx: Pick<Ctx, "db" | "files" | "log">, ref: string, id: string) {
  const [mail] = await ctx.db.all<{ objectKey: string; size: number }>(sql`
    SELECT i.object_key AS objectKey, i.size FROM inbound_mail i
    WHERE i.id = ${id} AND i.ticket_id = (SELECT t.id FROM support_tickets t WHERE ${isNamed(ref)})`);
  if (!mail) return null;
  const content = await readContent(ctx, mail);
  return { id, text: content && (content.whole ?? content.text) };
}

/** Null: the mail could not be read, or is not stored any more. */
async function readContent(
  { files, log }: Pick<Ctx, "files" | "log">,
  { objectKey, size }: { objectKey: string; size: number },
) {
  try {
    const stored = await files.get(objectKey);
    if (!stored) return null;
    const body = size <= READ_MAX ? new Uint8Array(await new Response(stored).arrayBuffer()) : stored;
    const parsed = await parseMail({ body, size });
    if (!parsed.ok) return null;
    const { text, wasTrimmed } = trimQuote(parsed.value);
    return { text, whole: wasTrimmed ? parsed.value.text : null, files: parsed.value.files.map(({ name }) => name) };
  } catch (error) {
    log("error", { event: "mail_not_shown", error: describeError(error) });
    return null;
  }
}

const LATER_SHOWN = 5;
const LATER_TEXT = 600;

type LaterMessage = { id: string; author: string; text: string; at: Instant };

/** Reads what whoever sends a colleague's reply must have seen of its ticket. Null: it names no ticket. */
async function readReply(ctx: Parameters<typeof readSending>[0], actor: StaffActor, id: string) {
  const [[found], later, sending] = await Promise.all([
    ctx.db.all<{ name: string; version: number; number: number }>(sql`
      SELECT u.full_name AS name, t.version, t.number FROM inbound_mail i
        JOIN support_tickets t ON t.id = i.ticket_id JOIN users u ON u.email = i.from_address WHERE i.id = ${id}`),
    ctx.db.all<LaterMessage>(sql`
      SELECT m.id, m.author_name AS author, substr(m.message, 1, ${LATER_TEXT}) AS text, m.created_at AS at
      FROM inbound_mail i CROSS JOIN ticket_messages m ON m.ticket_id = i.ticket_id AND ${isPublic()}
      WHERE i.id = ${id} AND m.created_at >= i.received_at ORDER BY m.created_at DESC, m.id DESC LIMIT ${LATER_SHOWN}`),
    readSending(ctx, actor, id),
  ]);
  if (!found) return null;
  const { name, version, number } = found;
  if (!sending.ok && (sending.code === "mail_not_found" || sending.code === "decided")) return null;
  const refusal = sending.ok ? null : SENDING_ERRORS[sending.code];
  return { name, version, reference: referenceNumber("ticket", number), refusal, later: later.reverse() };
}

const KNOWN_SHOWN = 10;

/** Reads for which organizations a ticket can be opened: those that know the sender first, and those of a search. */
async function readChoices(db: Db, email: string, params: URLSearchParams) {
  const search = (params.get(ORGANIZATION_SEARCH) ?? "").trim();
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const [found, known, [account]] = await Promise.all([
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
  ]);
  const isKnown = ({ id }: { id: string }) => known.some((each) => each.id === id);
  const { domains } = readDomains(domain);
  return {
    search,
    isMore: found.isMore,
    known,
    others: found.choices.filter((each) => !isKnown(each)),
    // Nobody is answered there.
    isNoPerson: email === "" || account?.isStaff === 1 || (known.length === 0 && PROGRAM_MAILBOX.test(email)),
    domain: domains[0] ?? null,
  };
}
