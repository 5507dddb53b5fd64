import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, expectChange, isDuplicate, type Statement } from "~/db/client.server";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { otherAddresses } from "~/db/schema/organizations";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketPeople } from "~/db/schema/tickets";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { acceptContact, addressAudit, saveContact } from "~/features/contacts/commands.server";
import {
  contactIdOf,
  isNotErased,
  isOurAddress,
  otherAddressesOf,
  PROGRAM_MAILBOX,
  primaryAddressOf,
  shortened,
} from "~/features/contacts/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail, recipientHash } from "~/features/mail/enqueue-mail.server";
import { stillBelongs } from "~/features/tickets/access.server";
import { endProposal, hasRoomForCc } from "~/features/tickets/cc/queries.server";
import { noteFromMail } from "~/features/tickets/internal-note.server";
import { MESSAGE_LIMIT, type TicketActor } from "~/features/tickets/model";
import { ticketSubject } from "~/features/tickets/paths";
import {
  findTicketForClient,
  findTicketForContact,
  findTicketForStaff,
  type StoredTicket,
} from "~/features/tickets/queries.server";
import { describeError, fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { type ForwardedMail, readForwarded } from "./forwarded-mail.server";
import type { PlacingError } from "./labels";
import { mayBeBlocked } from "./mail-list.server";
import {
  type Author,
  type KnownContact,
  numberNamedIn,
  readContacts,
  readSender,
  type SenderAccount,
  verifiedAccount,
} from "./match-mail.server";
import { isUndecided, type MailDetails, type PlacedAs } from "./model";
import {
  endStatement,
  fromPrimaryAddress,
  isWaiting,
  nonceOf,
  type Placing,
  type ReadMail,
  readMail,
  storeFiles,
  writeForwarded,
  writeMail,
} from "./process-mail.server";

export type InboundRow = typeof inboundMail.$inferSelect;

export const findRow = async (db: Db, id: string): Promise<InboundRow | null> =>
  (await db.select().from(inboundMail).where(eq(inboundMail.id, id)).limit(1))[0] ?? null;

/**
 * `create`: makes the organization once nothing else stands against it; null: it cannot be made. `person`: the address
 * of somebody known, whose further one the sender's is from then on.
 */
type Destination =
  | { ticket: string }
  | { person: string }
  | { organizationId: string }
  | { create: () => Promise<string | null> };

type Placed = { ticketId: string; reference: string; as: PlacedAs };

/**
 * Puts a mail that came to no end by itself where staff say: on a ticket, named as people write it, or on a new one of
 * an organization. Its clock begins when it arrived. Whoever is slower learns where it is.
 */
export async function placeMail(
  ctx: Ctx,
  actor: StaffActor,
  { mailId, destination }: { mailId: string; destination: Destination },
): Promise<Result<Placed, PlacingError>> {
  // Whoever became known, or was moved, while it was read is somebody else then.
  for (let tries = 0; tries < 2; tries += 1) {
    const mail = await findRow(ctx.db, mailId);
    if (!mail) return fail("mail_not_found");
    if (!isUndecided(mail)) return fail("decided");
    const read = await readStored(ctx, mail);
    if (read === null) return fail("unreadable");
    try {
      const placed = await placeAt(ctx, actor, { mail, read, destination });
      if (!placed.ok) return placed;
      if (placed.value.outcome === "written") return findPlaced(ctx.db, mailId, placed.value.as);
      const now = await findRow(ctx.db, mailId);
      if (now && !isUndecided(now)) return fail("decided");
      if (now && placed.value.outcome === "repeated") return fail("seen");
    } catch (error) {
      if (isDuplicate(error, "inbound_mail.mail_key")) return fail("seen");
      throw error;
    }
  }
  return fail("changed");
}

async function placeAt(
  ctx: Ctx,
  actor: StaffActor,
  { mail, read: received, destination }: MailToPlace & { destination: Destination },
): Promise<Result<Outcome, PlacingError>> {
  if ("person" in destination)
    return placeForPerson(ctx, actor, { mail, read: received, primaryAddress: destination.person });
  const { sender } = received.matched;
  const [row] = await ctx.db.all<{ primaryAddress: string }>(sql`SELECT ${primaryAddressOf(sender)} AS primaryAddress`);
  const read = fromPrimaryAddress(received, row?.primaryAddress ?? sender);
  return "ticket" in destination
    ? placeOnTicket(ctx, actor, { mail, read, ref: destination.ticket })
    : placeOnNew(ctx, actor, { mail, read, destination });
}

/** Null: it is not there any more, or cannot be read. */
export async function readStored(ctx: Pick<Ctx, "files" | "log">, mail: InboundRow): Promise<ReadMail | null> {
  try {
    const read = await readMail(ctx, mail);
    return read.ok ? read.value : null;
  } catch (error) {
    ctx.log("error", { event: "mail_not_read", object_id: mail.id, error: describeError(error) });
    return null;
  }
}

/** Returns the ticket on which a mail is; null: on none. */
export async function findReference(db: Db, mailId: string): Promise<string | null> {
  const [row] = await db.all<{ number: number }>(
    sql`SELECT t.number FROM inbound_mail i JOIN support_tickets t ON t.id = i.ticket_id WHERE i.id = ${mailId}`,
  );
  return row ? referenceNumber("ticket", row.number) : null;
}

async function findPlaced(db: Db, mailId: string, as: PlacedAs): Promise<Result<Placed, "decided">> {
  const [row] = await db.all<{ ticketId: string; number: number; effect: InboundRow["effect"] }>(sql`
    SELECT t.id AS ticketId, t.number, i.effect FROM inbound_mail i JOIN support_tickets t ON t.id = i.ticket_id
    WHERE i.id = ${mailId}`);
  if (!row) return fail("decided");
  const { ticketId, number, effect } = row;
  return ok({ ticketId, reference: referenceNumber("ticket", number), as: effect === "follow_up" ? "follow_up" : as });
}

type MailToPlace = { mail: InboundRow; read: ReadMail };
type Outcome = { outcome: Awaited<ReturnType<typeof writeMail>>; as: PlacedAs };

type Correspondent = {
  sender: SenderAccount | null;
  contact: KnownContact | null;
  /** Says whether the address is known in other organizations only. */
  isElsewhere: boolean;
  isBlocked: boolean;
  /** Says whether nobody reads what is sent to the address, or we do. */
  isProgram: boolean;
  isShutOut: boolean;
};

/** Reads who a sender is for one organization. */
async function readCorrespondent(
  ctx: Pick<Ctx, "config" | "db">,
  { email, isProgram }: { email: string; isProgram: boolean },
  organizationId: string,
): Promise<Correspondent> {
  const [account, contacts, isOwn, [row]] = await Promise.all([
    readSender(ctx.db, email),
    readContacts(ctx.db, email, organizationId),
    isOurAddress(ctx, email),
    ctx.db.all<{ isBlocked: number; isSuspended: number }>(sql`
      SELECT EXISTS (SELECT 1 FROM blocked_senders WHERE email = ${email}) AS isBlocked,
        EXISTS (SELECT 1 FROM users u JOIN organization_memberships m ON m.user_id = u.id
          WHERE u.email = ${email} AND m.organization_id = ${organizationId} AND m.status = 'suspended') AS isSuspended`),
  ]);
  const sender = verifiedAccount(account);
  const contact = contacts.find((each) => each.organizationId === organizationId) ?? null;
  const isMember = sender?.memberships.some((each) => each.organizationId === organizationId) === true;
  return {
    ...{ sender, contact, isBlocked: row?.isBlocked === 1 },
    isElsewhere:
      !isMember &&
      contact === null &&
      (contacts.some((each) => !each.isRefused) || (sender?.memberships.length ?? 0) > 0),
    isProgram: isProgram || isOwn || PROGRAM_MAILBOX.test(email),
    isShutOut: row?.isSuspended === 1 || (sender !== null && sender.status !== "active"),
  };
}

const senderOf = ({ defect, matched }: ReadMail) => ({
  email: matched.sender,
  isProgram: defect !== null || matched.class === "delivery_report",
});

const isStaff = ({ sender }: Correspondent): boolean => sender !== null && sender.role !== "user";

/** Returns in whose name the mail is written; null: they are to become known. */
function knownAuthor({ sender, contact }: Correspondent, organizationId: string): Author | null {
  const membership = sender?.memberships.find((each) => each.organizationId === organizationId);
  if (sender && membership) return { sender, membership };
  return contact && !contact.isRefused ? { contact } : null;
}

const staffOf = ({ userId, fullName, role }: StaffActor): TicketActor => ({ userId, fullName, role, side: "staff" });

function placingOf(ctx: Ctx, actor: StaffActor, mail: InboundRow): Omit<Placing, "join"> {
  return {
    mayPlace: stillBelongs(staffOf(actor), ""),
    // Without the organization, whose owner may read its audit.
    audit: (ticket) => [
      recordAudit(ctx, "ticket.mail_placed", { subject: ticketSubject(ticket), meta: { mail: mail.id } }),
    ],
  };
}

export const columnsOf = ({ mail, read }: MailToPlace) => ({
  ...read.columns,
  reason: "placed" as const,
  details: JSON.stringify({ ...(JSON.parse(mail.details) as MailDetails), ...read.details }),
});

/** What is written by clients is no act of whoever puts it there. */
const withoutActor = (ctx: Ctx): Ctx => ({ ...ctx, signedIn: null });

type Decided = Parameters<typeof writeMail>[2]["decision"];

const writePlaced = (ctx: Ctx, { mail, read }: MailToPlace, decision: Decided, placing: Placing) =>
  writeMail(withoutActor(ctx), mail, { decision, read, columns: columnsOf({ mail, read }), placing });

/** Whoever wrote a mail that a colleague has proven to forward is its sender. */
async function readForwardedBy(
  { db }: Pick<Ctx, "db">,
  { mail, read }: MailToPlace,
): Promise<{ colleague: SenderAccount; forwarded: ForwardedMail } | null> {
  const { originalSender } = JSON.parse(mail.details) as MailDetails;
  if (originalSender === undefined) return null;
  const [colleague, forwarded] = await Promise.all([readSender(db, read.matched.sender), readForwarded(read.parsed)]);
  const isOfStaff = colleague !== null && colleague.role !== "user" && colleague.status === "active";
  return isOfStaff && forwarded ? { colleague, forwarded } : null;
}

async function placeOnNew(
  ctx: Ctx,
  actor: StaffActor,
  {
    mail,
    read,
    destination,
  }: MailToPlace & { destination: Exclude<Destination, { ticket: string } | { person: string }> },
): Promise<Result<Outcome, PlacingError>> {
  const chosen = "organizationId" in destination ? destination.organizationId : "";
  const forward = await readForwardedBy(ctx, { mail, read });
  const sender = forward ? { email: forward.forwarded.sender.address, isProgram: false } : senderOf(read);
  const [correspondent, [organization]] = await Promise.all([
    readCorrespondent(ctx, sender, chosen),
    ctx.db.all(sql`SELECT 1 FROM organizations WHERE id = ${chosen}`),
  ]);
  if ("organizationId" in destination && !organization) return fail("organization_not_found");
  if (correspondent.isBlocked) return fail("blocked");
  if (isStaff(correspondent)) return fail("is_colleague");
  if (correspondent.isShutOut) return fail("is_shut_out");
  const known = knownAuthor(correspondent, chosen);
  if (!known && correspondent.isElsewhere) return fail("elsewhere");
  if (read.defect !== null || (!known && correspondent.isProgram)) return fail("no_person");
  const organizationId = "create" in destination ? await destination.create() : chosen;
  if (organizationId === null) return fail("organization_not_found");
  const decision = { kind: "open", organizationId, author: known ?? { newContact: true as const } } as const;
  const placing = placingOf(ctx, actor, mail);
  const columns = columnsOf({ mail, read });
  const outcome = forward
    ? await writeForwarded(withoutActor(ctx), mail, {
        ...{ sender: forward.colleague, forwarded: forward.forwarded },
        ...{ opening: decision, columns, placing },
      })
    : await writePlaced(ctx, { mail, read }, decision, placing);
  return ok({ outcome, as: "ticket" });
}

async function placeOnTicket(
  ctx: Ctx,
  actor: StaffActor,
  { mail, read, ref }: MailToPlace & { ref: string },
): Promise<Result<Outcome, PlacingError>> {
  const ticket = await findTicketForStaff(ctx.db, ref);
  if (!ticket) return fail("ticket_not_found");
  const organizationId = ticket.organization.id;
  const email = read.matched.sender;
  const hasRoom = hasRoomForCc(ticket.id, email);
  const [correspondent, [copy], [room]] = await Promise.all([
    readCorrespondent(ctx, senderOf(read), organizationId),
    ctx.db.all<{ contactId: string | null }>(sql`SELECT contact_id AS contactId FROM ticket_copies
      WHERE ticket_id = ${ticket.id} AND email = ${email} AND removed_at IS NULL`),
    ctx.db.all(sql`SELECT 1 WHERE ${hasRoom}`),
  ]);
  if (correspondent.isBlocked) return fail("blocked");
  const known =
    isStaff(correspondent) || correspondent.isShutOut || read.defect !== null
      ? null
      : knownAuthor(correspondent, organizationId);
  const isNote = !known && (isStaff(correspondent) || correspondent.isShutOut || correspondent.isProgram);
  if (isNote) return noteOnTicket(ctx, actor, { mail, read, ticket });
  if (known && "sender" in known) return placeOfMember(ctx, actor, { mail, read, ticket, author: known });
  const isOnIt = copy?.contactId != null && copy.contactId === correspondent.contact?.id;
  if (!copy && correspondent.isElsewhere) return fail("elsewhere");
  if (!isOnIt && ticket.isPrivate) return fail("is_private");
  if (!room) return fail("too_many_copies");
  return placeOfContact(ctx, actor, { mail, read, ticket, contact: correspondent.contact, isOnIt });
}

/**
 * Writes a mail in the name of somebody known, on the ticket that it names if they can see it, else on a new one, and
 * takes the address it came from as theirs. Whoever wrote it gets nothing: all answers go to the address that was known
 * before, which is told. On no other ticket is anybody put: a stranger may have named it.
 */
async function placeForPerson(
  ctx: Ctx,
  actor: StaffActor,
  { mail, read, primaryAddress }: MailToPlace & { primaryAddress: string },
): Promise<Result<Outcome, PlacingError>> {
  const { db } = ctx;
  const email = read.matched.sender;
  const [account, contacts, isOwn, [row]] = await Promise.all([
    readSender(db, primaryAddress),
    readContacts(db, primaryAddress),
    isOurAddress(ctx, email),
    db.all<Record<"isBlocked" | "isTaken" | "isTheirs" | "bounces", number>>(sql`SELECT
      EXISTS (SELECT 1 FROM blocked_senders WHERE email IN (${email}, ${primaryAddress})) AS isBlocked,
      NOT ${isUnknown(email, primaryAddress)} AS isTaken, EXISTS (SELECT 1 FROM other_addresses WHERE email = ${email}) AS isTheirs,
      ${bounces(ctx, [email, primaryAddress])} AS bounces`),
  ]);
  if (row?.isBlocked === 1) return fail("blocked");
  if (read.defect !== null || isOwn || PROGRAM_MAILBOX.test(email) || read.matched.class !== "person")
    return fail("no_person");
  if (row?.isTaken !== 0) return fail("address_taken");
  const sender = account?.status === "active" && account.role === "user" ? account : null;
  const known = contacts.filter(({ isRefused }) => !isRefused);
  const authors: { organizationId: string; author: Author }[] = sender?.memberships.length
    ? sender.memberships.map((membership) => ({
        organizationId: membership.organizationId,
        author: { sender, membership },
      }))
    : account
      ? []
      : known.map((contact) => ({ organizationId: contact.organizationId, author: { contact } }));
  const [first] = authors;
  if (!first) return fail("person_not_found");
  if (row.bounces === 1) return fail("address_bounces");
  const named = mail.ticket_id ?? numberNamedIn(read.matched.subject);
  const ticket = named === null ? null : await findTicketForStaff(db, typeof named === "number" ? `T-${named}` : named);
  const there = authors.find(({ organizationId }) => organizationId === ticket?.organization.id);
  const isTheirs = there && ticket && (await mayWriteOn(db, ticket.id, there));
  if (!isTheirs && authors.length > 1) return fail("person_of_several");
  const { author, organizationId } = isTheirs ? there : first;
  const placing = placingOf(ctx, actor, mail);
  const whose =
    "sender" in author
      ? { userId: author.sender.id, name: author.sender.fullName }
      : { contactId: author.contact.id, name: author.contact.fullName };
  const remember = (): Statement[] => [
    db
      .insert(otherAddresses)
      .values({
        ...{ email, user_id: whose.userId ?? null, contact_id: whose.contactId ?? null },
        ...{ added_by: actor.userId, added_at: ctx.now() },
      })
      .onConflictDoNothing(),
    enqueueMail(ctx, "address-added", {
      to: primaryAddress,
      reader: whose.userId,
      about: null,
      data: { address: email },
    }),
    addressAudit(ctx, "user.address_added", { userId: whose.userId ?? null, organizationId, name: whose.name, email }),
  ];
  const asPerson = fromPrimaryAddress(read, primaryAddress);
  const decision = isTheirs
    ? ({ kind: "reply", ticket, author } as const)
    : ({ kind: "open", organizationId, author } as const);
  const outcome = await writePlaced(ctx, { mail, read: asPerson }, decision, {
    mayPlace: sql`${placing.mayPlace} AND ${isUnknown(email, primaryAddress)} AND NOT ${bounces(ctx, [email, primaryAddress])}
      AND NOT EXISTS (SELECT 1 FROM blocked_senders WHERE email IN (${email}, ${primaryAddress}))
      AND ${isStillTheirs(whose, primaryAddress)}`,
    audit: (placed) => [...placing.audit(placed), ...(row.isTheirs === 1 ? [] : remember())],
  });
  ctx.after(deliverOutbox(ctx));
  return ok({ outcome, as: isTheirs ? "message" : "ticket" });
}

const bounces = (ctx: Pick<Ctx, "config" | "now">, emails: readonly string[]): SQL =>
  sql`EXISTS (SELECT 1 FROM mail_address_holds
    WHERE to_hash IN (SELECT value FROM json_each(${JSON.stringify(emails.map((email) => recipientHash(ctx, email)))}))
      AND (until IS NULL OR until > ${ctx.now()}))`;

/** Nobody else has the address, or is about to. */
const isUnknown = (email: string, primaryAddress: string): SQL => sql`(${email} <> ${primaryAddress}
  AND NOT EXISTS (SELECT 1 FROM users WHERE email = ${email})
  AND NOT EXISTS (SELECT 1 FROM contacts WHERE email = ${email})
  AND NOT EXISTS (SELECT 1 FROM organization_memberships WHERE invited_email = ${email} AND status = 'pending')
  AND NOT EXISTS (SELECT 1 FROM other_addresses a WHERE a.email = ${email} AND a.email NOT IN ${otherAddressesOf(primaryAddress)}))`;

const isStillTheirs = ({ userId, contactId }: { userId?: string; contactId?: string }, email: string): SQL =>
  userId
    ? sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.email = ${email} AND u.status = 'active' AND u.is_staff = 0)`
    : sql`EXISTS (SELECT 1 FROM contacts k WHERE k.id = ${contactId ?? ""} AND k.email = ${email} AND k.refused_at IS NULL)
      AND ${isNotErased(contactId ?? "")}`;

async function mayWriteOn(
  db: Db,
  ticketId: string,
  { organizationId, author }: { organizationId: string; author: Author },
) {
  if ("contact" in author) return (await findTicketForContact(db, ticketId, author.contact.id)) !== null;
  const viewer = { userId: author.sender.id, organizationId, role: author.membership.role };
  return (await findTicketForClient(db, ticketId, viewer)) !== null;
}

type OnTicket = MailToPlace & { ticket: StoredTicket };

/** A ticket of another organization since then is another ticket for its people. */
const isStillThere = ({ id, organization, isPrivate }: StoredTicket) =>
  sql`EXISTS (SELECT 1 FROM support_tickets t
    WHERE t.id = ${id} AND t.organization_id = ${organization.id} AND t.is_private = ${isPrivate ? 1 : 0})`;

/** Whoever could not read the ticket is put on it, unless it is private. */
async function placeOfMember(
  ctx: Ctx,
  actor: StaffActor,
  { mail, read, ticket, author }: OnTicket & { author: Extract<Author, { sender: SenderAccount }> },
): Promise<Result<Outcome, PlacingError>> {
  const { sender, membership } = author;
  const { id, organization } = ticket;
  const viewer = { userId: sender.id, organizationId: organization.id, role: membership.role };
  const isVisible = (await findTicketForClient(ctx.db, id, viewer)) !== null;
  if (!isVisible && ticket.isPrivate) return fail("is_private");
  const { mayPlace, audit } = placingOf(ctx, actor, mail);
  const placing: Placing = {
    audit,
    mayPlace: isVisible ? mayPlace : sql`${mayPlace} AND ${isStillThere(ticket)}`,
    join: (joined) =>
      isVisible
        ? { audit: [] }
        : {
            events: [{ kind: "person_added", to: sender.fullName, by: staffOf(actor) }],
            audit: [
              {
                action: "ticket.person_added",
                meta: { person: sender.fullName, people: { person: sender.id } },
                by: staffOf(actor),
              },
            ],
            statements: [
              endProposal(ctx.db, joined.id, read.matched.sender),
              ctx.db
                .insert(ticketPeople)
                .values({
                  organization_id: joined.organizationId,
                  ticket_id: joined.id,
                  user_id: sender.id,
                  added_by: actor.userId,
                  added_at: ctx.now(),
                })
                .onConflictDoNothing(),
            ],
          },
  };
  const decision = { kind: "reply", ticket, author } as const;
  const outcome = await writePlaced(ctx, { mail, read }, decision, placing);
  return ok({ outcome, as: isVisible ? "message" : "joined" });
}

/** Makes the sender a contact of the ticket's organization, unless they are, and mails them what is written on it. */
async function placeOfContact(
  ctx: Ctx,
  actor: StaffActor,
  { mail, read, ticket, contact, isOnIt }: OnTicket & { contact: KnownContact | null; isOnIt: boolean },
): Promise<Result<Outcome, PlacingError>> {
  const email = read.matched.sender;
  const { organization } = ticket;
  const fullName = contact?.fullName ?? (read.parsed.from?.name || email);
  const contactId = contact?.id ?? ctx.newId("con");
  const named = { email, fullName, phone: "" };
  const { mayPlace, audit } = placingOf(ctx, actor, mail);
  const isAsRead = contact
    ? sql`EXISTS (SELECT 1 FROM contacts k WHERE k.id = ${contactId} AND k.email = ${email}) AND ${isNotErased(contactId)}`
    : sql`NOT EXISTS (SELECT 1 FROM contacts k WHERE k.email = ${email} AND k.organization_id = ${organization.id})`;
  const placing: Placing = {
    audit,
    mayPlace: sql`${mayPlace} AND ${isStillThere(ticket)} AND ${hasRoomForCc(ticket.id, email)}
      AND ${isAsRead}`,
    join: (joined) => {
      const saved = [contact ? acceptContact(ctx, contactId) : saveContact(ctx, organization.id, named, contactId)];
      if (isOnIt) return { audit: [], statements: saved };
      return {
        events: [{ kind: "person_added", to: shortened(email), by: staffOf(actor) }],
        audit: [{ action: "ticket.person_added", meta: { person: shortened(email) }, by: staffOf(actor) }],
        statements: [...saved, ...mailToSender(ctx, actor, { ...joined, email })],
      };
    },
  };
  const decision = {
    kind: "reply",
    ticket,
    author: {
      contact: { id: contactId, organizationId: organization.id, fullName, isRefused: false },
      // One who was refused is known again from this mail on.
      ...(contact && !contact.isRefused ? {} : { isNew: named }),
    },
  } as const;
  const outcome = await writePlaced(ctx, { mail, read }, decision, placing);
  return ok({ outcome, as: isOnIt ? "message" : "joined" });
}

type SenderOnTicket = { id: string; organizationId: string; email: string };

function mailToSender(
  { db, newId, now }: Pick<Ctx, "db" | "newId" | "now">,
  { userId }: StaffActor,
  { id, organizationId, email }: SenderOnTicket,
): Statement[] {
  const row = { id: newId("cpy"), organization_id: organizationId, ticket_id: id, email };
  const contact_id = contactIdOf(organizationId, email);
  return [
    endProposal(db, id, email),
    db
      .insert(ticketCopies)
      .values({ ...row, contact_id, added_by: userId, added_at: now() })
      .onConflictDoUpdate({
        target: [ticketCopies.ticket_id, ticketCopies.email],
        set: { contact_id, member_id: null, removed_at: null },
      }),
  ];
}

/** It proves nothing of who wrote it, and tells nobody: its words are for staff to judge. */
async function noteOnTicket(
  ctx: Ctx,
  actor: StaffActor,
  { mail, read, ticket }: OnTicket,
): Promise<Result<Outcome, PlacingError>> {
  const { parsed, matched, text } = read;
  const { mayPlace, audit } = placingOf(ctx, actor, mail);
  const columns = columnsOf({ mail, read });
  const { files, details } = await storeFiles(ctx, parsed, columns);
  const id = ctx.newId("msg");
  const ended = { state: "processed", effect: "noted", ticket_id: ticket.id, message_id: id } as const;
  const from = matched.sender || mail.from_address || mail.envelope_from || "an unknown address";
  const { checked } = JSON.parse(mail.details) as MailDetails;
  const proof = checked ? `checked by the signature of ${checked}` : "which nothing proves";
  const written = await noteFromMail(ctx, {
    id,
    ticketId: ticket.id,
    author: "Mail",
    text: `From ${from}, ${proof}.\n${matched.subject}\n\n${text || parsed.text}`.trim().slice(0, MESSAGE_LIMIT),
    files,
    key: nonceOf(mail),
    isWaiting: sql`${isWaiting(mail)} AND ${mayPlace}`,
    statements: [endStatement(ctx, mail, { ...columns, ...ended, details }), expectChange(ctx.db), ...audit(ticket)],
  });
  if (written === id) return ok({ outcome: "written", as: "note" });
  await ctx.files.delete(files.map(({ key }) => key));
  return ok({ outcome: written === null ? "refused" : "repeated", as: "note" });
}

export const audited = (ctx: Ctx, action: AuditAction, mail: Pick<InboundRow, "id" | "ticket_id">): Statement =>
  recordAudit(ctx, action, { subject: { type: "ticket", id: mail.ticket_id, label: null }, meta: { mail: mail.id } });

type OneMail = { mailId: string; nonce: string };
type Deciding = "mail_not_found" | "decided";

type HeldMailChange = { columns: Parameters<typeof endStatement>[2]; action: AuditAction; isOfStaff: boolean };

/** Changes a mail that is held, or could not be processed. `isOfStaff`: only one from the address of a colleague. */
const changeHeld = (
  ctx: Ctx,
  actor: StaffActor,
  { mailId, nonce }: OneMail,
  { columns, action, isOfStaff }: HeldMailChange,
): Promise<Result<string, Deciding>> =>
  runCommand(
    ctx,
    { scope: action, key: `${nonce}:${mailId}` },
    {
      read: async () => {
        const mail = await findRow(ctx.db, mailId);
        return mail && { mail, sender: isOfStaff ? await readSender(ctx.db, mail.from_address) : null };
      },
      plan: (found): Planned<Deciding> => {
        if (!found || (isOfStaff && (found.sender?.role ?? "user") === "user")) return fail("mail_not_found");
        const { mail } = found;
        if (mail.state !== "held" && mail.state !== "failed") return fail("decided");
        return ok({
          resultId: mailId,
          expects: [
            { that: isWaiting(mail), otherwise: "decided" },
            { that: stillAllowed(actor, "ticket.handle", ""), otherwise: "mail_not_found" },
          ],
          statements: [endStatement(ctx, mail, columns), audited(ctx, action, mail)],
        });
      },
    },
  );

/** Lets a mail be read once more. It was counted towards what its sender may send when it came. */
export const retryMail = (ctx: Ctx, actor: StaffActor, mail: OneMail): Promise<Result<string, Deciding>> =>
  changeHeld(ctx, actor, mail, {
    columns: { state: "received", attempts: 1, next_at: ctx.now(), reason: null },
    action: "ticket.mail_retried",
    isOfStaff: false,
  });

/** Puts a mail of a colleague away that is no use. It can still be decided until it is deleted. */
export const discardMail = (ctx: Ctx, actor: StaffActor, mail: OneMail): Promise<Result<string, Deciding>> =>
  changeHeld(ctx, actor, mail, {
    columns: { state: "dropped", reason: "discarded" },
    action: "ticket.mail_discarded",
    isOfStaff: true,
  });

/** Drops what the sender of a mail has sent, where it is held, and what they send from now on. */
export async function blockSender(
  ctx: Ctx,
  { userId }: StaffActor,
  { mailId, nonce }: OneMail,
): Promise<Result<string, "mail_not_found">> {
  return runCommand(
    ctx,
    { scope: "mail-block", key: `${nonce}:${mailId}` },
    {
      read: async () => {
        const isBlocked = sql`EXISTS (SELECT 1 FROM blocked_senders b WHERE b.email = i.from_address)`;
        const [mail] = await ctx.db.all<{ email: string; ticketId: string | null; isBlocked: number }>(sql`
          SELECT i.from_address AS email, i.ticket_id AS ticketId, ${isBlocked} AS isBlocked FROM inbound_mail i
          WHERE i.id = ${mailId} AND ${mayBeBlocked}`);
        return mail;
      },
      plan: (mail): Planned<"mail_not_found"> => {
        if (!mail) return fail("mail_not_found");
        if (mail.isBlocked === 1) return ok({ resultId: mailId });
        const { email, ticketId } = mail;
        return ok({
          resultId: mailId,
          expects: [
            {
              that: sql`EXISTS (SELECT 1 FROM inbound_mail i WHERE i.id = ${mailId} AND i.from_address = ${email} AND ${mayBeBlocked})`,
              otherwise: "mail_not_found",
            },
          ],
          statements: [
            ctx.db
              .insert(blockedSenders)
              .values({ email, blocked_by: userId, blocked_at: ctx.now() })
              .onConflictDoNothing(),
            ctx.db
              .update(inboundMail)
              .set({ state: "dropped", reason: "blocked" })
              .where(sql`${inboundMail.from_address} = ${email} AND ${inboundMail.state} IN ('held', 'failed')`),
            audited(ctx, "ticket.sender_blocked", { id: mailId, ticket_id: ticketId }),
          ],
        });
      },
    },
  );
}

export async function unblockSender(ctx: Ctx, { mailId, nonce }: OneMail): Promise<Result<string, "mail_not_found">> {
  return runCommand(
    ctx,
    { scope: "mail-block", key: `${nonce}:${mailId}` },
    {
      read: async () => {
        const mail = await findRow(ctx.db, mailId);
        const email = mail?.from_address ?? "";
        return { mail, blocked: await ctx.db.select().from(blockedSenders).where(eq(blockedSenders.email, email)) };
      },
      plan: ({ mail, blocked }): Planned<"mail_not_found"> => {
        if (!mail) return fail("mail_not_found");
        if (blocked.length === 0) return ok({ resultId: mailId });
        return ok({
          resultId: mailId,
          statements: [
            ctx.db.delete(blockedSenders).where(eq(blockedSenders.email, mail.from_address)),
            audited(ctx, "ticket.sender_unblocked", mail),
          ],
        });
      },
    },
  );
}
