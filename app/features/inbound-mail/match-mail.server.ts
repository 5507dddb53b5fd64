import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { NamedContact } from "~/features/contacts/commands.server";
import { isOurAddress, PROGRAM_MAILBOX, primaryAddressOf, senderAddress } from "~/features/contacts/queries.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { threadTag } from "~/features/tickets/mails/compose-mails.server";
import type { TicketStatus } from "~/features/tickets/model";
import { domainOf, mailboxOf } from "~/lib/email";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { equalInConstantTime } from "~/platform/crypto.server";
import { giveBackLimitOfPeriod, takeLimitOfPeriod } from "~/platform/rate-limits.server";
import { type EndReason, type HoldReason, type MailClass, REOPENINGS, type Tier } from "./model";

/** Describes what of a mail decides where it goes. */
export type MatchedMail = {
  id: string;
  key: string | null;
  class: MailClass;
  receivedAt: Instant;
  sender: string;
  envelopeTo: string;
  to: readonly string[];
  subject: string;
  text: string;
  /** The ids that it answers, without brackets. */
  references: readonly string[];
  isForward: boolean;
};

/** Whether the address of its sender is proven; "temperror": that can be said later at best. */
export type Authentication = "pass" | "fail" | "temperror";

type Membership = { organizationId: string; organizationName: string; role: OrganizationRole };

export type SenderAccount = {
  id: string;
  fullName: string;
  status: string;
  role: "admin" | "moderator" | "user";
  hasFactor: boolean;
  memberships: readonly Membership[];
};

type Candidate = {
  id: string;
  number: number;
  oldNumber: string | null;
  organizationId: string;
  status: TicketStatus;
  isParticipant: boolean;
  ccId: string | null;
  /** The contact behind that address; null: only copies go there. */
  contactId: string | null;
  /** The ids that the sender had as a contact, before they had an account. */
  formerCcIds: readonly string[];
  /** The id of one of our mails that the mail answers; null: none is known. */
  isAnswered: boolean;
  /** Up to when that mail tells what has happened, and whether of an internal note; of one to the sender only. */
  notifiedUntil: Instant | null;
  mentionsNote: boolean;
  reopenings: number;
};

type Found = {
  /** The address by which the sender is known: mail may come from a further one of theirs. */
  primaryAddress: string;
  isSeen: boolean;
  isBlocked: boolean;
  /** Mail that has come back to us from one of our own addresses would go round for ever. */
  isOwn: boolean;
  isTooMany: boolean;
  sender: SenderAccount | null;
  contacts: readonly KnownContact[];
  /** The organization to which the domain of the sender belongs, as staff have confirmed. */
  domainOrganizationId: string | null;
  tickets: readonly Candidate[];
};

/** `isRefused`: staff have said that they are not one of the organization. */
export type KnownContact = { id: string; organizationId: string; fullName: string; isRefused: boolean };

const TOKEN = /t(\d{1,12})\.([a-z2-7]{10})/;
const PLUS = new RegExp(`^[^@+]+\\+${TOKEN.source}@`, "i");
const THREAD = new RegExp(`^${TOKEN.source}@`);
const IN_TEXT = new RegExp(`\\[${TOKEN.source}\\]`, "g");
const IN_SUBJECT = /\[T-(\d{1,12})\]/gi;
/** How other products write theirs: `#004512`, `[Ticket#202401011]`, `[4512]`. */
const OLD_IN_SUBJECT = /(?:#|\[)[\s#]*([\w.-]*\d[\w.-]*)/g;

/** Returns the number of the ticket that a subject names. */
export const numberNamedIn = (subject: string): number | null => {
  const [, number] = [...subject.matchAll(IN_SUBJECT)][0] ?? [];
  return number === undefined ? null : Number(number);
};

const oldNumbersIn = ({ subject }: Pick<MatchedMail, "subject">): string[] =>
  [...subject.matchAll(OLD_IN_SUBJECT)].map(([, number = ""]) => number).slice(0, NUMBERS_MAX);

/** Limits what is looked up, so that no mail makes us read a table. */
const NUMBERS_MAX = 4;
const IDS_MAX = 12;

type Named = { number: number; tag: string | null; tier: Tier };

/** Returns the tickets that a mail names, in the order in which they are believed. */
function ticketsNamed(mail: Pick<MatchedMail, "envelopeTo" | "references" | "text" | "subject">): Named[] {
  const named = (tier: Tier, [, number = "", tag]: RegExpMatchArray): Named => ({
    number: Number(number),
    tag: tag ?? null,
    tier,
  });
  const one = (tier: Tier, match: RegExpMatchArray | null) => (match ? [named(tier, match)] : []);
  return [
    ...one("address", PLUS.exec(mail.envelopeTo.toLowerCase())),
    ...mail.references.flatMap((id) => one("thread", THREAD.exec(id))),
    ...[...mail.text.matchAll(IN_TEXT)].map((match) => named("text", match)),
    ...[...mail.subject.matchAll(IN_SUBJECT)].map((match) => named("subject", match)),
  ];
}

/**
 * Reads, in one round trip, all that decides where a mail goes. `isCounted`: it counts towards what its sender may
 * send, which nothing that is tried or delivered again does.
 */
export async function readMatches(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  mail: MatchedMail,
  { isCounted }: { isCounted: boolean },
): Promise<Found> {
  const { db } = ctx;
  const numbers = [...new Set(ticketsNamed(mail).map(({ number }) => number))].slice(0, NUMBERS_MAX);
  const ids = [...mail.references.slice(0, 2), ...mail.references.slice(2).slice(2 - IDS_MAX)];
  const counting = { select: db.select, insert: db.insertBesideReads };
  const domain = domainOf(mail.sender);
  const primaryAddress = primaryAddressOf(mail.sender);
  const limits = isCounted ? limitsOf(mail) : [];
  const [[known], people, contacts, tickets, isOwn, ...blockedUntil] = await Promise.all([
    db.all<{ isSeen: number; isBlocked: number; domainOrganizationId: string | null; primaryAddress: string }>(sql`
      SELECT EXISTS (SELECT 1 FROM inbound_mail WHERE mail_key = ${mail.key} AND id <> ${mail.id}
          AND state IN ('processed', 'held', 'automatic', 'bounced')) AS isSeen,
        EXISTS (SELECT 1 FROM blocked_senders WHERE email IN (${mail.sender}, ${primaryAddress})) AS isBlocked,
        ${primaryAddress} AS primaryAddress,
        ${organizationOf(domain)} AS domainOrganizationId`),
    readSender(db, primaryAddress),
    readContacts(db, primaryAddress),
    readCandidates(db, { numbers, oldNumbers: oldNumbersIn(mail), ids, sender: primaryAddress, now: ctx.now() }),
    isOurAddress(ctx, mail.sender),
    ...limits.map(([type, who]) => takeLimitOfPeriod(counting, type, who, ctx.now())),
  ]);
  return {
    primaryAddress: known?.primaryAddress ?? mail.sender,
    isSeen: known?.isSeen === 1,
    isBlocked: known?.isBlocked === 1,
    // A colleague may write from the address that the site sends from.
    isOwn: isOwn && people === null,
    isTooMany: blockedUntil.some((until) => until !== null),
    domainOrganizationId: known?.domainOrganizationId ?? null,
    contacts,
    sender: people,
    tickets,
  };
}

/** Automatic replies end in one note however many come, and must not keep their person out. */
const limitsOf = (mail: Pick<MatchedMail, "class" | "sender">): ["mail_sender" | "mail_domain", string][] =>
  mail.class === "automatic_reply"
    ? []
    : [
        ["mail_sender", mail.sender],
        ["mail_domain", domainOf(mail.sender)],
      ];

/** Takes a mail out of what was counted: it had been here before. */
export async function refundLimits({ db, now }: Pick<Ctx, "db" | "now">, mail: MatchedMail): Promise<void> {
  await Promise.all(limitsOf(mail).map(([type, who]) => giveBackLimitOfPeriod(db, type, who, now())));
}

const organizationOf = (domain: string): SQL =>
  sql`(SELECT organization_id FROM organization_domains WHERE domain = ${domain})`;

/** Reads the contacts with an address: refused ones last, and `first` the one of an organization. */
export async function readContacts(db: Db, email: string | SQL, first = ""): Promise<KnownContact[]> {
  const rows = await db.all<Omit<KnownContact, "isRefused"> & { isRefused: number }>(sql`
    SELECT id, organization_id AS organizationId, full_name AS fullName, refused_at IS NOT NULL AS isRefused
    FROM contacts WHERE email = ${email} ORDER BY organization_id = ${first} DESC, isRefused LIMIT 3`);
  return rows.map((row) => ({ ...row, isRefused: row.isRefused === 1 }));
}

type SenderRow = Omit<SenderAccount, "hasFactor" | "memberships"> & {
  hasFactor: number;
  organizationId: string | null;
  organizationName: string | null;
  membershipRole: OrganizationRole | null;
};

const MEMBERSHIPS_READ = 4;

export async function readSender(db: Db, email: string | SQL): Promise<SenderAccount | null> {
  const rows = await db.all<SenderRow>(sql`
    SELECT u.id, u.full_name AS fullName, u.status, u.listed_role AS role, u.listed_factor AS hasFactor,
      m.organization_id AS organizationId, m.role AS membershipRole, o.name AS organizationName
    FROM users u
      LEFT JOIN organization_memberships m ON m.user_id = u.id AND m.status = 'active'
      LEFT JOIN organizations o ON o.id = m.organization_id
    WHERE u.email = ${email} LIMIT ${MEMBERSHIPS_READ}`);
  const [first] = rows;
  if (!first) return null;
  const { id, fullName, status, role, hasFactor } = first;
  return {
    ...{ id, fullName, status, role, hasFactor: hasFactor === 1 },
    memberships: rows.flatMap(({ organizationId, organizationName, membershipRole }) =>
      organizationId && membershipRole
        ? [{ organizationId, organizationName: organizationName ?? "", role: membershipRole }]
        : [],
    ),
  };
}

type CandidateFlag = "isParticipant" | "isAnswered" | "mentionsNote";

type Asked = {
  numbers: readonly number[];
  oldNumbers: readonly string[];
  ids: readonly string[];
  sender: SQL;
  now: Instant;
};

async function readCandidates(db: Db, { numbers, oldNumbers, ids, sender, now }: Asked): Promise<Candidate[]> {
  if (numbers.length === 0 && oldNumbers.length === 0 && ids.length === 0) return [];
  const notifiedBy = sql`FROM mail_events e WHERE e.outbox_id = o.id
    AND o.user_id = (SELECT id FROM users WHERE email = ${sender})`;
  const rows = await db.all<
    Omit<Candidate, CandidateFlag | "formerCcIds"> & Record<CandidateFlag, number> & { formerCcIds: string }
  >(sql`
    SELECT t.id, t.number, t.old_number AS oldNumber, t.organization_id AS organizationId, t.status,
      max(found.isAnswered) AS isAnswered, max(found.notifiedUntil) AS notifiedUntil, max(found.mentionsNote) AS mentionsNote,
      coalesce(t.created_by = u.id OR t.assigned_to = u.id
        OR EXISTS (SELECT 1 FROM ticket_people p WHERE p.ticket_id = t.id AND p.user_id = u.id), 0) AS isParticipant,
      (SELECT c.id FROM ticket_copies c WHERE c.ticket_id = t.id AND c.email = ${sender} AND c.removed_at IS NULL) AS ccId,
      (SELECT c.contact_id FROM ticket_copies c
        WHERE c.ticket_id = t.id AND c.email = ${sender} AND c.removed_at IS NULL) AS contactId,
      (SELECT json_group_array(c.id) FROM ticket_copies c WHERE c.ticket_id = t.id AND c.member_id = u.id) AS formerCcIds,
      (SELECT count(*) FROM inbound_mail i WHERE i.ticket_id = t.id AND i.received_at > ${now - REOPENINGS.within}
        AND i.effect = 'reopened') AS reopenings
    FROM (
      SELECT n.id, 0 AS isAnswered, NULL AS notifiedUntil, 0 AS mentionsNote FROM support_tickets n WHERE n.number IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))
      UNION ALL
      SELECT n.id, 0, NULL, 0 FROM support_tickets n WHERE n.old_number IN (SELECT value FROM json_each(${JSON.stringify(oldNumbers)}))
      UNION ALL
      SELECT o.subject_id, 1, (SELECT max(e.at) ${notifiedBy}), EXISTS (SELECT 1 ${notifiedBy} AND e.event = 'mentioned')
      FROM outbox o WHERE o.provider_message_id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND o.subject_type = 'ticket'
    ) found CROSS JOIN support_tickets t ON t.id = found.id LEFT JOIN users u ON u.email = ${sender}
    GROUP BY t.id LIMIT 8`);
  return rows.map(({ isParticipant, isAnswered, mentionsNote, formerCcIds, ...row }) => ({
    ...row,
    formerCcIds: JSON.parse(formerCcIds),
    isParticipant: isParticipant === 1,
    isAnswered: isAnswered === 1,
    mentionsNote: mentionsNote === 1,
  }));
}

type Ending = {
  kind: "end";
  state: "dropped" | "held" | "automatic";
  reason: EndReason;
  ticketId?: string;
  tier?: Tier;
};

export type Decision =
  | Ending
  | { kind: "note"; ticket: Candidate; tier: Tier }
  | { kind: "reply"; ticket: Candidate; tier: Tier; author: Author }
  | { kind: "staff_reply"; ticket: Candidate; tier: Tier; sender: SenderAccount; isAboutNote: boolean }
  | { kind: "forward"; sender: SenderAccount }
  /** Only later can be told who sent it. */
  | { kind: "later" }
  | { kind: "open"; organizationId: string; author: Author | { newContact: true } };

/** `isNew`: the contact becomes known with the mail. */
export type Author =
  | { sender: SenderAccount; membership: Membership }
  | { contact: KnownContact; isNew?: NamedContact };

const hold = (reason: HoldReason, ticketId?: string): Ending => ({ kind: "end", state: "held", reason, ticketId });

/** Signing up with an address, or being invited, proves nothing and shuts nobody out. */
export const verifiedAccount = (sender: SenderAccount | null): SenderAccount | null =>
  sender?.status === "unverified" || sender?.status === "pending" ? null : sender;

/** Decides where a mail goes. Pure but for the key of the tags. */
export function decide(
  ctx: Pick<Ctx, "config">,
  mail: MatchedMail,
  found: Found,
  authentication: Authentication,
): Decision {
  const sender = verifiedAccount(found.sender);
  if (found.isSeen) return { kind: "end", state: "dropped", reason: "seen" };
  if (found.isBlocked) return { kind: "end", state: "dropped", reason: "blocked" };
  if (found.isOwn) return { kind: "end", state: "automatic", reason: "own_address" };
  const match = findTicket(ctx, mail, found);
  if (mail.class === "automatic_reply") {
    if (match && match !== "token_of_another" && isOnTicket(match)) return { kind: "note", ...match };
    return { kind: "end", state: "automatic", reason: "automatic" };
  }
  if (found.isTooMany) return hold("too_many");
  if (match === "token_of_another") return hold("token_of_another");
  if (sender && sender.status !== "active") return hold("shut_out", match?.ticket.id);
  if (sender && sender.role !== "user") return staffMail(ctx, mail, { match, sender, authentication });
  return match ? answerTo(match, mail, { ...found, sender }) : newTicket(mail.sender, { ...found, sender });
}

/** Whoever writes as staff must have proven it, and have an account that a password alone does not open. */
function staffMail(
  { config }: Pick<Ctx, "config">,
  mail: MatchedMail,
  { match, sender, authentication }: { match: Match | null; sender: SenderAccount; authentication: Authentication },
): Decision {
  const held = (reason: HoldReason): Ending => ({
    ...hold(reason, match?.ticket.id),
    ...(match ? { tier: match.tier } : {}),
  });
  if (mail.class !== "person") return held("staff_unproven");
  if (authentication === "temperror") return { kind: "later" };
  if (authentication === "fail") return held("staff_unproven");
  if (!sender.hasFactor) return held("staff_without_factor");
  // Who was sent a mail of theirs may send it on to us.
  const ours = [mail.envelopeTo, senderAddress(config)].map(mailboxOf);
  if (!mail.to.some((address) => ours.includes(mailboxOf(address)))) return held("answers_no_mail");
  if (!match) return { kind: "forward", sender };
  if (mail.isForward) return held("forwards_ticket");
  // What one of them wrote to a colleague, or long ago to anybody, is signed as well: only what answers a mail of ours
  // to them is meant for the client.
  const { id: ticketId, number, notifiedUntil, mentionsNote } = match.ticket;
  const holdsTag = (isAboutNote: boolean) => {
    const tag = threadTag(config, { ticketId, userId: sender.id, isAboutNote });
    return ticketsNamed(mail).some(
      (named) => named.number === number && named.tag !== null && equalInConstantTime(named.tag, tag),
    );
  };
  const isAboutNote = holdsTag(true) || mentionsNote;
  if (!isAboutNote && !holdsTag(false) && notifiedUntil === null) return held("answers_no_mail");
  return { kind: "staff_reply", ...match, sender, isAboutNote };
}

/**
 * Tells whether a mail of staff may answer an internal note of a ticket: it names the ticket by anything but the reply
 * address and quote of its sender, or answers a mail of ours about a note, to whomever that was sent.
 */
export async function mayAnswerNote(
  { config, db }: Pick<Ctx, "config" | "db">,
  mail: MatchedMail,
  { ticket, userId }: { ticket: { id: string; number: number }; userId: string },
): Promise<boolean> {
  const own = threadTag(config, { ticketId: ticket.id, userId });
  const isOfOthers = ({ number, tag }: Named) =>
    number === ticket.number && tag !== null && !equalInConstantTime(tag, own);
  if (ticketsNamed(mail).some(isOfOthers)) return true;
  const [row] = await db.all<{ mentionsNote: number }>(sql`SELECT EXISTS (
    SELECT 1 FROM outbox o CROSS JOIN mail_events e ON e.outbox_id = o.id AND e.event = 'mentioned'
    WHERE o.provider_message_id IN (SELECT value FROM json_each(${JSON.stringify(mail.references)}))
      AND o.subject_type = 'ticket' AND o.subject_id = ${ticket.id}) AS mentionsNote`);
  return row?.mentionsNote === 1;
}

type Opening = Extract<Decision, { kind: "open" }>;

/**
 * Decides for whom a mail is opened that staff forward: as if its first sender had written to us. Whoever was erased
 * does not come back with an old one.
 */
export async function decideForward(ctx: Pick<Ctx, "config" | "db">, original: string): Promise<Opening | HoldReason> {
  const { db } = ctx;
  const isErased = sql`EXISTS (SELECT 1 FROM erased_addresses WHERE email_hash = ${recipientHash(ctx, original)})`;
  const [person, contacts, [domain], isOwn] = await Promise.all([
    readSender(db, primaryAddressOf(original)),
    readContacts(db, primaryAddressOf(original)),
    db.all<{ id: string | null }>(sql`SELECT iif(${isErased}, NULL, ${organizationOf(domainOf(original))}) AS id`),
    isOurAddress(ctx, original),
  ]);
  const known = verifiedAccount(person);
  if (isOwn || (known && known.role !== "user")) return "no_original_sender";
  if (known && known.status !== "active") return "unknown_original_sender";
  const found = { sender: known, contacts, domainOrganizationId: domain?.id ?? null };
  const opening = newTicket(original, found);
  if (opening.kind === "open") return opening;
  return opening.reason === "several_organizations" ? opening.reason : "unknown_original_sender";
}

function answerTo(match: Match, mail: MatchedMail, { sender, contacts }: Found): Decision {
  const { organizationId, contactId, status, reopenings, id } = match.ticket;
  const membership = sender?.memberships.find((each) => each.organizationId === organizationId);
  const contact = contacts.find((each) => each.id === contactId && !each.isRefused);
  const author = sender && membership ? { sender, membership } : contact ? { contact } : null;
  if (!author) return hold(sender ? "no_member" : "cc_address", id);
  const isEnded = status === "resolved" || status === "closed";
  if (mail.class === "person" && isEnded && reopenings >= REOPENINGS.limit) return hold("reopened_often", id);
  return { kind: "reply", ...match, author };
}

/**
 * Whoever writes from the domain of an organization becomes known there, also what watches its devices: a warning that
 * waits unread is worse than one ticket more. Nobody is answered at the mailbox of a program.
 */
function newTicket(
  address: string,
  { sender, contacts, domainOrganizationId }: Pick<Found, "sender" | "contacts" | "domainOrganizationId">,
): Opening | Ending {
  const places = sender?.memberships.length
    ? sender.memberships.map((membership) => ({ sender, membership, organizationId: membership.organizationId }))
    : contacts.flatMap((contact) => (contact.isRefused ? [] : [{ contact, organizationId: contact.organizationId }]));
  const [place, another] = places;
  if (another) return hold("several_organizations");
  if (place) return { kind: "open", organizationId: place.organizationId, author: place };
  if (!sender && contacts.length > 0) return hold("refused_contact");
  if (sender) return hold("no_organization");
  if (domainOrganizationId === null) return hold("unknown_sender");
  if (PROGRAM_MAILBOX.test(address)) return hold("program_mailbox");
  return { kind: "open", organizationId: domainOrganizationId, author: { newContact: true } };
}

type Match = { ticket: Candidate; tier: Tier };

/** That an address is one of staff proves nothing yet: whoever uses it without an account here may be anybody. */
const isOnTicket = ({ ticket, tier }: Match): boolean =>
  tier === "address" || ticket.isParticipant || ticket.ccId !== null;

/**
 * Finds the ticket of a mail. A reply address belongs to one person: whoever else writes to it is no guest of the
 * ticket. All other signs can be seen by anybody who was sent a mail once, so they count for people on the ticket only.
 */
function findTicket(ctx: Pick<Ctx, "config">, mail: MatchedMail, found: Found): Match | "token_of_another" | null {
  const { sender, tickets } = found;
  const named = ticketsNamed(mail);
  const ownTag = ({ id, ccId, formerCcIds }: Candidate, tag: string | null) =>
    tag !== null &&
    [
      { userId: sender?.id },
      { userId: sender?.id, isAboutNote: true },
      { userId: ccId },
      ...formerCcIds.map((userId) => ({ userId })),
    ].some(
      ({ userId, ...about }) =>
        userId && equalInConstantTime(threadTag(ctx.config, { ticketId: id, userId, ...about }), tag),
    );
  const isTheirs = (ticket: Candidate) =>
    ticket.isParticipant || ticket.ccId !== null || (sender !== null && sender.role !== "user");
  const [byAddress] = named.filter(({ tier }) => tier === "address");
  if (byAddress) {
    const ticket = tickets.find(({ number }) => number === byAddress.number);
    return ticket && ownTag(ticket, byAddress.tag) ? { ticket, tier: "address" } : "token_of_another";
  }
  const inOrder = (["thread", "provider", "text", "subject"] as const).flatMap((tier): Match[] =>
    tier === "provider"
      ? tickets.filter(({ isAnswered }) => isAnswered).map((ticket) => ({ ticket, tier }))
      : named
          .filter((each) => each.tier === tier)
          .flatMap(({ number }) =>
            tickets.filter((ticket) => ticket.number === number).map((ticket) => ({ ticket, tier })),
          ),
  );
  const old = oldNumbersIn(mail);
  const imported = tickets
    .filter(({ oldNumber }) => oldNumber !== null && old.includes(oldNumber))
    .map((ticket): Match => ({ ticket, tier: "subject" }));
  return [...inOrder, ...imported].find(({ ticket }) => isTheirs(ticket)) ?? null;
}
