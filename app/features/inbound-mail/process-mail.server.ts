import { eq, type SQL, sql } from "drizzle-orm";
import type { StaffRole } from "~/access/model";
import { expectChange, isDuplicate, type Statement } from "~/db/client.server";
import { inboundMail } from "~/db/schema/inbound-mail";
import { outbox } from "~/db/schema/outbox";
import { TICKET_FILES } from "~/features/attachments/model";
import { inspectFile, type StoredFile } from "~/features/attachments/store-attachment.server";
import type { NamedContact } from "~/features/contacts/commands.server";
import { recordReturn } from "~/features/mail/delivery-events.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { proposeCc } from "~/features/tickets/cc/queries.server";
import { noteFromMail, noteStatements } from "~/features/tickets/internal-note.server";
import { DEFAULT_PRIORITY, MESSAGE_LIMIT, TITLE_LIMIT, type TicketActor } from "~/features/tickets/model";
import { type FromMail, insertTicket, type Requester } from "~/features/tickets/opening/open-ticket.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyByMail } from "~/features/tickets/reply-by-mail.server";
import { normalizeEmail } from "~/lib/email";
import { describeError, fail, ok, type Result } from "~/lib/errors";
import { plural } from "~/lib/text";
import { days, hours, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { NotNow } from "~/platform/run-command.server";
import { classifyMail } from "./classify-mail";
import { type ForwardedMail, readForwarded } from "./forwarded-mail.server";
import { NO_SUBJECT } from "./labels";
import {
  type Authentication,
  type Author,
  type Decision,
  decide,
  decideForward,
  type MatchedMail,
  readMatches,
  refundLimits,
  type SenderAccount,
} from "./match-mail.server";
import {
  type EndReason,
  type HoldReason,
  type InboundState,
  LEASE,
  MAIL_TRIES,
  type MailDetails,
  type Signature,
  type UnreadableMail,
} from "./model";
import { type ParsedMail, parseMail, readStart } from "./parse-mail.server";
import { isForwarded, isMarked, trimQuote } from "./trim-quote";
import { txtRecords, verifyDkim } from "./verify-dkim.server";

/** Describes a mail that is being processed or decided: what of its row that needs, as it was read. */
type StoredMail = Pick<
  typeof inboundMail.$inferSelect,
  "id" | "state" | "envelope_from" | "envelope_to" | "size" | "object_key" | "mail_key" | "attempts" | "received_at"
>;

const PROCESSED_AT_ONCE = 10;

/** Processes mails whose first try did not come to an end, the oldest first. Returns how many. */
export async function processWaitingMail(ctx: Ctx): Promise<number> {
  const now = ctx.now();
  const isDue = sql`state = 'received' AND next_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})`;
  const waiting = await ctx.db.all<{ id: string; attempts: number }>(
    sql`SELECT id, attempts FROM inbound_mail WHERE ${isDue} ORDER BY next_at LIMIT ${PROCESSED_AT_ONCE}`,
  );
  // One that has ended its run each time, by too much memory or time, could say nothing itself.
  const exhausted = waiting.filter(({ attempts }) => attempts >= MAIL_TRIES).map(({ id }) => id);
  if (exhausted.length > 0) {
    await ctx.db
      .update(inboundMail)
      .set({ state: "failed", reason: "gave_up", lease_until: null })
      .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(exhausted)})) AND ${isDue}`);
  }
  let count = 0;
  for (const { id } of waiting.filter((mail) => !exhausted.includes(mail.id))) {
    if (ctx.budget.isUsedUp()) break;
    const [claimed] = await ctx.db
      .update(inboundMail)
      // Behind the others, should it end the run.
      .set({ lease_until: now + LEASE, next_at: now + LEASE, attempts: sql`${inboundMail.attempts} + 1` })
      .where(sql`id = ${id} AND ${isDue}`)
      .returning();
    if (!claimed) continue;
    await processMail(ctx, claimed);
    count += 1;
  }
  return count;
}

/**
 * Brings a mail to its end: any number of times and by several at once, it becomes one message at most. What fails is
 * tried again, and listed as failed at last. Never throws.
 */
export async function processMail(ctx: Ctx, mail: StoredMail): Promise<void> {
  try {
    await processOnce(ctx, mail);
  } catch (error) {
    const isLast = mail.attempts >= MAIL_TRIES;
    ctx.log(isLast ? "error" : "warn", {
      event: "mail_not_processed",
      object_id: mail.id,
      error: describeError(error),
    });
    await scheduleRetry(ctx, mail, { isLast, error });
  }
}

async function processOnce(ctx: Ctx, mail: StoredMail): Promise<void> {
  const result = await readMail(ctx, mail);
  if (!result.ok) {
    const details = JSON.stringify({ unreadable: result.code } satisfies MailDetails);
    return void (await end(ctx, mail, { state: "held", reason: "unreadable", details }));
  }
  const read = result.value;
  if (read.matched.class === "delivery_report") return recordReport(ctx, mail, read);
  if (read.defect) return void (await end(ctx, mail, { ...read.columns, state: "held", reason: read.defect }));
  // Whoever joined while it was read is somebody else then.
  if (await decideAndWrite(ctx, mail, { read, isCounted: mail.attempts === 1 })) return;
  if (await decideAndWrite(ctx, mail, { read, isCounted: false })) return;
  await end(ctx, mail, { ...read.columns, state: "held", reason: "no_member" });
}

/** Returns whether the mail has come to its end; false: its author may not write there any more. */
async function decideAndWrite(
  ctx: Ctx,
  mail: StoredMail,
  { read: received, isCounted }: { read: ReadMail; isCounted: boolean },
): Promise<boolean> {
  const { matched, details } = received;
  const found = await readMatches(ctx, matched, { isCounted });
  const dkim = found.isSeen || found.isBlocked ? null : await checkSender(ctx, mail, received);
  const decision = decide(ctx, matched, found, authenticateSender(dkim?.result, received));
  const checked = dkim?.result === "aligned" ? dkim.domain : null;
  const read = fromPrimaryAddress(received, found.primaryAddress);
  // Whatever becomes of it: an erasure must find what is stored of whoever wrote it first.
  const forwarded = found.sender && found.sender.role !== "user" ? await readForwarded(read.parsed) : null;
  const columns = {
    ...read.columns,
    ...(forwarded ? { original_address: normalizeEmail(forwarded.sender.address) } : {}),
    details: JSON.stringify({ ...details, checked, signature: dkim?.result, ...tierOf(decision) }),
  };
  const finish = async (ending: Ending) => {
    const ended = await end(ctx, mail, { ...columns, ...ending });
    if (ended.reason === "seen" && isCounted && !found.isTooMany) await refundLimits(ctx, matched);
    return true;
  };
  switch (decision.kind) {
    case "end":
      return finish({ state: decision.state, reason: decision.reason, ticket_id: decision.ticketId ?? null });
    case "later":
      if (mail.attempts >= MAIL_TRIES) return finish({ state: "held", reason: "staff_unproven" });
      throw new Error("DNS could not say whether the sender is proven");
    case "forward": {
      const opened = await openForwarded(ctx, mail, { decision, read, columns, forwarded });
      return opened === "written" || finish(opened);
    }
    case "staff_reply": {
      const replied = await writeStaffReply(ctx, mail, { decision, read, columns });
      return replied === "written" || finish(replied);
    }
    case "note":
      await note(ctx, mail, { decision, read, columns });
      return true;
    default: {
      const written = await writeMail(ctx, mail, { decision, read, columns });
      // Another delivery of this mail was faster, or this one was cut off when all was written.
      if (written === "repeated") return finish({ state: "dropped", reason: "seen" });
      if (written === "empty") return finish({ state: "held", reason: "empty" });
      return written === "written";
    }
  }
}

/** Returns a mail as one from the address by which its sender is known; its row keeps the one it came from. */
export const fromPrimaryAddress = (read: ReadMail, email: string): ReadMail =>
  email === read.matched.sender
    ? read
    : {
        ...read,
        matched: { ...read.matched, sender: email },
        columns: { ...read.columns, original_address: email },
      };

export const tierOf = (decision: Decision): Pick<MailDetails, "tier"> =>
  "tier" in decision ? { tier: decision.tier } : {};

/** Only what people send is shown as theirs. The signature of a mail that was not read whole says nothing. */
async function checkSender(ctx: Ctx, mail: StoredMail, { matched, parsed, raw }: ReadMail) {
  if (matched.class !== "person" || parsed.isLarge) return null;
  const signed = { raw, from: matched.sender, hasSeveralSenders: parsed.hasSeveralSenders };
  return verifyDkim(signed, txtRecords(ctx), mail.received_at);
}

/** Whoever has a mail of staff may send it once more. Clocks differ, and mail may wait on its way. */
const STAFF_MAIL_AGE = days(3);

const isFresh = ({ parsed: { date }, matched: { receivedAt } }: Pick<ReadMail, "parsed" | "matched">): boolean =>
  date !== null && Math.abs(receivedAt - date) <= STAFF_MAIL_AGE;

export const authenticateSender = (
  result: Signature | undefined,
  read: Pick<ReadMail, "parsed" | "matched">,
): Authentication => {
  if (result === "aligned") return isFresh(read) ? "pass" : "fail";
  return result === "temperror" ? result : "fail";
};

type Columns = Omit<Partial<typeof inboundMail.$inferInsert>, "reason"> & { reason?: EndReason | null };
type Ending = Columns & { state: InboundState };

export type ReadMail = {
  parsed: ParsedMail;
  /** Of a large mail: what was read. */
  raw: Uint8Array;
  /** Why nothing can be written in the name of its sender. */
  defect: "no_sender" | "several_senders" | null;
  matched: MatchedMail;
  /** What was written, without what was quoted. */
  text: string;
  details: MailDetails;
  columns: Columns;
};

export async function readMail(ctx: Pick<Ctx, "files">, mail: StoredMail): Promise<Result<ReadMail, UnreadableMail>> {
  const stored = await ctx.files.get(mail.object_key);
  if (!stored) throw new Error("The stored mail is not there");
  const raw = await readStart(stored, mail.size);
  const result = await parseMail({ body: raw, size: mail.size });
  return result.ok ? ok({ ...interpretMail(result.value, mail), raw }) : result;
}

/** Returns of a mail what decides where it goes, and what of it is written there. */
export function interpretMail(
  parsed: ParsedMail,
  mail: Pick<StoredMail, "id" | "mail_key" | "envelope_to" | "received_at"> & { envelope_from: string | null },
): Omit<ReadMail, "raw"> {
  const { from, subject } = parsed;
  const written = trimQuote(parsed);
  const mailClass = classifyMail({ ...parsed, envelopeFrom: mail.envelope_from });
  const text = written.text.trim();
  const isForward = parsed.isForward || isForwarded(written.text);
  const isCut = parsed.isTextCut || written.text.length > MESSAGE_LIMIT;
  return {
    parsed,
    defect: from === null ? "no_sender" : parsed.hasSeveralSenders ? "several_senders" : null,
    text,
    matched: {
      id: mail.id,
      key: mail.mail_key,
      class: mailClass,
      receivedAt: mail.received_at,
      sender: from?.address ?? "",
      envelopeTo: mail.envelope_to,
      to: parsed.to.map(({ address }) => address),
      subject,
      text: parsed.text,
      isForward,
      references: [...parsed.references, ...parsed.inReplyTo].map((id) => id.replace(/^<|>$/g, "")),
    },
    details: {
      ...(parsed.messageId ? { messageId: parsed.messageId.replace(/^<|>$/g, "") } : {}),
      isTrimmed: written.wasTrimmed,
      isCut,
      ...(isForward || isCut || isMarked(text) ? { couldShowMore: true } : {}),
      isLarge: parsed.isLarge,
      hasWinmail: parsed.hasWinmail,
    },
    columns: { class: mailClass, subject, ...(from ? { from_address: from.address, from_name: from.name } : {}) },
  };
}

type Writing<Kind extends Decision["kind"]> = {
  decision: Extract<Decision, { kind: Kind }>;
  read: ReadMail;
  columns: Columns;
  /** Says who of the staff has decided it; absent: nobody had to. */
  placing?: Placing;
};

type Opening = Extract<Decision, { kind: "open" }>;
type Replying = { kind: "reply"; ticket: { id: string }; author: Author };

/** `join`: puts its sender on the ticket. */
export type Placing = Pick<FromMail, "join"> & {
  /** The condition that whoever decides may still do so. */
  mayPlace: SQL;
  /** Returns the statements that record who has decided it. */
  audit: (ticket: { id: string; title: string }) => Statement[];
};

const CLOCKS_DIFFER = minutes(10);

/**
 * Marks the mails of ours that a report says were not delivered. It must name both the mail and its recipient, so that
 * nobody marks one that they have not got; one of a former sending says nothing about a mail that was sent again.
 */
async function recordReport(ctx: Ctx, mail: StoredMail, { parsed, columns }: ReadMail): Promise<void> {
  const { recipients = [], messageId = null, sentAt = null } = parsed.report ?? {};
  const id = messageId?.replace(/^<|>$/g, "") ?? "";
  const failed = recipients
    .filter(({ action }) => action === "failed")
    .map(({ address }) => recipientHash(ctx, address));
  const [returned] = await ctx.db.all<{ id: string; providerId: string | null; ticketId: string | null }>(sql`
    SELECT id, provider_message_id AS providerId, iif(subject_type = 'ticket', subject_id, NULL) AS ticketId FROM (
      SELECT * FROM outbox WHERE provider_message_id = ${id} UNION SELECT * FROM outbox WHERE id = ${id.split("@")[0] ?? ""})
    WHERE to_hash IN (SELECT value FROM json_each(${JSON.stringify(failed)}))
      AND (${sentAt} IS NULL OR sent_at IS NULL OR sent_at - ${CLOCKS_DIFFER} <= ${sentAt}) LIMIT 1`);
  if (!returned) return void (await end(ctx, mail, { ...columns, state: "automatic", reason: "report" }));
  const ended = { ...columns, state: "bounced", reason: "report", ticket_id: returned.ticketId } as const;
  await ctx.db.batch([
    ctx.db
      .update(outbox)
      .set({ status: "bounced", last_error: "returned" })
      .where(sql`${outbox.id} = ${returned.id} AND ${outbox.status} IN ('sent', 'delivered', 'uncertain')`),
    ...(returned.providerId
      ? recordReturn(ctx, { reportId: mail.id, providerId: returned.providerId, at: mail.received_at })
      : []),
    endStatement(ctx, mail, ended),
  ]);
}

/** Writes down that an automatic reply came: once for each sender and ticket, however many come. */
async function note(ctx: Ctx, mail: StoredMail, { decision, read, columns }: Writing<"note">): Promise<void> {
  const { sender } = read.matched;
  const ticketId = decision.ticket.id;
  const noteId = ctx.newId("msg");
  const ended = { ...columns, state: "automatic" as const, reason: "automatic" as const, ticket_id: ticketId };
  const written = await noteFromMail(ctx, {
    id: noteId,
    ticketId,
    // No name of theirs, which the mail may say as it likes and an erasure would not find.
    author: "Automatic reply",
    text: `${sender}\n\n${read.text || read.parsed.subject}`.slice(0, MESSAGE_LIMIT),
    key: `mail-note:${ticketId}:${fingerprintOf(sender)}`,
    isWaiting: isWaiting(mail),
    statements: [endStatement(ctx, mail, { ...ended, message_id: noteId, effect: "noted" })],
  });
  if (written !== noteId) await end(ctx, mail, ended);
}

const NO_TEXT = "(no text)";

/** Is part of the key of whatever a mail becomes, so that it becomes one thing. */
export const nonceOf = ({ id, mail_key }: Pick<StoredMail, "id" | "mail_key">): string => `mail:${mail_key ?? id}`;

/**
 * Writes a mail of a person or a machine on its ticket, or opens one. "repeated": it was written before; "refused": its
 * author may not write there any more, or it was erased or decided meanwhile; "empty": it says nothing.
 */
export async function writeMail(
  ctx: Ctx,
  mail: StoredMail,
  { decision, read, columns, placing }: Omit<Writing<"open">, "decision"> & { decision: Replying | Opening },
): Promise<"written" | "repeated" | "refused" | "empty"> {
  const { parsed } = read;
  const { files, refused, details } = await storeFiles(ctx, parsed, columns);
  // The picture of a signature is no message.
  if (!placing && read.text === "" && files.length === 0 && refused.length === 0) return "empty";
  const { sender, envelopeTo } = read.matched;
  const addresses = [...parsed.to, ...parsed.cc].map(({ address }) => address);
  const written = new Set<string>();
  const fromMail: FromMail = {
    receivedAt: mail.received_at,
    isFromPerson: read.matched.class === "person",
    isWaiting: placing ? sql`${isWaiting(mail)} AND ${placing.mayPlace}` : isWaiting(mail),
    join: placing?.join,
    record: ({ ticketId, messageId, effect }) => {
      written.add(messageId ?? ticketId);
      const to = { ticket_id: ticketId, message_id: messageId, effect };
      return [
        endStatement(ctx, mail, { ...columns, ...to, details, state: "processed" }),
        // Nothing is written for a mail that was erased meanwhile.
        expectChange(ctx.db),
        ...(fromMail.isFromPerson ? proposeCc(ctx, { ticketId, messageId, sender, envelopeTo, addresses }) : []),
        ...(placing?.audit({ id: ticketId, title: titleOf(read.parsed.subject) }) ?? []),
      ];
    },
  };
  const parts = { read, files, fromMail, nonce: nonceOf(mail), isPlaced: placing !== undefined };
  const id = decision.kind === "reply" ? await reply(ctx, decision, parts) : await open(ctx, decision, parts);
  if (id !== null && written.has(id)) return "written";
  await ctx.files.delete(files.map(({ key }) => key));
  return id === null ? "refused" : "repeated";
}

const NOT_SENT = {
  answered_first: "colleague_answered",
  note: "answers_note",
  untrimmed: "untrimmed",
  secret: "holds_secret",
} as const satisfies Record<string, HoldReason>;

/** Answers the client in the name of staff who have proven who they are, or keeps it as their draft. */
async function writeStaffReply(
  ctx: Ctx,
  mail: StoredMail,
  { decision, read, columns }: Writing<"staff_reply">,
): Promise<Ending | "written"> {
  const { sender, ticket } = decision;
  const { parsed, text } = read;
  const { files, details } = await storeFiles(ctx, parsed, columns);
  if (text === "" && files.length === 0) return { details, state: "held", reason: "empty", ticket_id: ticket.id };
  const written = new Set<string>();
  const replied = await replyByMail(
    ctx,
    { userId: sender.id, fullName: sender.fullName, email: read.matched.sender, role: sender.role as StaffRole },
    {
      ticketId: ticket.id,
      text: text.slice(0, MESSAGE_LIMIT),
      files,
      receivedAt: mail.received_at,
      writtenAt: Math.min(parsed.date ?? mail.received_at, mail.received_at),
      notifiedUntil: ticket.notifiedUntil,
      notSent: decision.isAboutNote ? "note" : isMarked(text) || read.details.isCut ? "untrimmed" : null,
      nonce: nonceOf(mail),
      isWaiting: isWaiting(mail),
      record: (messageId, why) => {
        if (messageId) written.add(messageId);
        const ended = why
          ? { state: "held" as const, reason: NOT_SENT[why] }
          : { state: "processed" as const, message_id: messageId, effect: "replied" as const };
        return [endStatement(ctx, mail, { ...columns, details, ticket_id: ticket.id, ...ended }), expectChange(ctx.db)];
      },
    },
  );
  if (replied.ok && replied.value.messageId !== null && written.has(replied.value.messageId)) return "written";
  // It was not sent, or another delivery of this mail was faster.
  await ctx.files.delete(files.map(({ key }) => key));
  if (!replied.ok) return { state: "held", reason: "staff_unproven" };
  const { why } = replied.value;
  return why === null ? SEEN : { details, ticket_id: ticket.id, state: "held", reason: NOT_SENT[why] };
}

/** Opens a ticket for whoever wrote the mail that staff forward. */
async function openForwarded(
  ctx: Ctx,
  mail: StoredMail,
  { decision: { sender }, columns, forwarded }: Writing<"forward"> & { forwarded: ForwardedMail | null },
): Promise<Ending | "written"> {
  if (!forwarded) return { state: "held", reason: "no_original_sender" };
  const { name, address } = forwarded.sender;
  const known = { ...JSON.parse(columns.details ?? "{}"), originalSender: name ? `${name} <${address}>` : address };
  const details = JSON.stringify(known);
  const opening = await decideForward(ctx, address);
  if (typeof opening === "string") return { details, state: "held", reason: opening };
  const forwarding = { sender, forwarded, opening, columns: { ...columns, details } };
  const written = await writeForwarded(ctx, mail, forwarding);
  if (written === "written") return written;
  return written === "repeated" ? SEEN : { details, state: "held", reason: "unknown_original_sender" };
}

type Forwarding = {
  /** Who of the staff forwards it. */
  sender: SenderAccount;
  forwarded: ForwardedMail;
  opening: Opening;
  columns: Columns;
  placing?: Omit<Placing, "join">;
};

/** Opens the ticket of a mail that staff forward, for its first sender. See `writeMail`. */
export async function writeForwarded(
  ctx: Ctx,
  mail: StoredMail,
  { sender, forwarded, opening, columns, placing }: Forwarding,
): Promise<"written" | "repeated" | "refused"> {
  const sent = { files: forwarded.files, isLarge: false, droppedFiles: 0 };
  const { files, details } = await storeFiles(ctx, sent, columns);
  const by: TicketActor = {
    userId: sender.id,
    fullName: sender.fullName,
    role: sender.role as StaffRole,
    side: "staff",
  };
  const { author, organizationId } = opening;
  const { name, address } = forwarded.sender;
  const title = titleOf(forwarded.subject);
  const written = new Set<string>();
  const waits = placing ? sql`${isWaiting(mail)} AND ${placing.mayPlace}` : isWaiting(mail);
  const opened = await insertTicket(ctx, by, {
    ...{ organizationId, files, priority: DEFAULT_PRIORITY, category: null, impact: null },
    title,
    description: forwarded.text.slice(0, MESSAGE_LIMIT) || NO_TEXT,
    nonce: nonceOf(mail),
    requester: requesterOf(author, { email: address, fullName: name || address }),
    mail: { receivedAt: mail.received_at, isFromPerson: true, isWaiting: waits },
    extra: ({ id }) => {
      written.add(id);
      return [
        ...(forwarded.note === ""
          ? []
          : noteStatements(ctx, by, { ticket: { id, title }, organizationId, text: forwarded.note })),
        endStatement(ctx, mail, { ...columns, details, ticket_id: id, effect: "opened", state: "processed" }),
        expectChange(ctx.db),
        ...(placing?.audit({ id, title }) ?? []),
      ];
    },
  });
  if (opened.ok && written.has(opened.value)) return "written";
  await ctx.files.delete(files.map(({ key }) => key));
  return opened.ok ? "repeated" : "refused";
}

const titleOf = (subject: string): string => [...(subject || NO_SUBJECT)].slice(0, TITLE_LIMIT).join("");

const requesterOf = (author: Opening["author"], written: Omit<NamedContact, "phone">): Requester => {
  if ("sender" in author) return { userId: author.sender.id };
  return "contact" in author ? { contactId: author.contact.id } : { contact: { ...written, phone: "" } };
};

type Parts = { read: ReadMail; files: StoredFile[]; fromMail: FromMail; nonce: string; isPlaced: boolean };

/** Returns the id of the message, or of the ticket that goes on; null: its author may not write there any more. */
async function reply(ctx: Ctx, { author, ticket }: Replying, parts: Parts): Promise<string | null> {
  const { read, files, fromMail, nonce } = parts;
  const actor =
    "contact" in author
      ? { contactId: author.contact.id, fullName: author.contact.fullName, isNew: author.isNew }
      : { userId: author.sender.id, fullName: author.sender.fullName, membership: author.membership };
  const text = read.text.slice(0, MESSAGE_LIMIT) || (files.length > 0 ? "" : NO_TEXT);
  const replied = await replyAsClient(ctx, actor, { ticketId: ticket.id, text, files, nonce, mail: fromMail });
  if (!replied.ok) return null;
  return replied.value.kind === "message" ? replied.value.messageId : replied.value.ticket.id;
}

/** Returns the id of the ticket; null: none may be opened for its author. */
async function open(ctx: Ctx, { author, organizationId }: Opening, parts: Parts) {
  const { read, files, fromMail, nonce, isPlaced } = parts;
  const { sender: email } = read.matched;
  const known = "newContact" in author ? null : "contact" in author ? author.contact : author.sender;
  const fullName = known?.fullName ?? (read.parsed.from?.name || email);
  const userId = "sender" in author ? author.sender.id : null;
  const opened = await insertTicket(
    ctx,
    { userId, fullName, side: "client" },
    {
      organizationId,
      title: titleOf(read.parsed.subject),
      description: read.text.slice(0, MESSAGE_LIMIT) || NO_TEXT,
      priority: DEFAULT_PRIORITY,
      category: null,
      impact: null,
      files,
      nonce,
      requester: requesterOf(author, { email, fullName, isUnasked: !isPlaced }),
      mail: fromMail,
      extra: ({ id }) => fromMail.record({ ticketId: id, messageId: null, effect: "opened" }),
    },
  );
  return opened.ok ? opened.value : null;
}

/** Pictures of a signature are smaller, and nobody misses them. */
const SMALL_PICTURE = 8 * 1024;

/** Stores the files of a mail, which pass what uploads pass. `details`: those of the mail, with what was refused. */
export async function storeFiles(
  ctx: Pick<Ctx, "files">,
  { files: all, isLarge, droppedFiles }: Pick<ParsedMail, "files" | "isLarge" | "droppedFiles">,
  { details = "{}" }: Pick<Columns, "details">,
) {
  const files: StoredFile[] = [];
  const refused = droppedFiles > 0 ? [plural(droppedFiles, "more file")] : [];
  for (const { name, bytes, isInline } of all) {
    if (!isLarge && isInline && bytes.byteLength < SMALL_PICTURE) continue;
    // Of a large mail they were not read to their end.
    const kind = isLarge ? fail("unread") : inspectFile(name, bytes, TICKET_FILES);
    if (!kind.ok || files.length === TICKET_FILES.maxFiles) {
      refused.push(name);
      continue;
    }
    const key = `att/${crypto.randomUUID()}`;
    await ctx.files.put(key, bytes);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    const sha256 = Buffer.from(digest).toString("hex");
    files.push({ name, key, kind: kind.value, size: bytes.byteLength, sha256 });
  }
  const known = JSON.parse(details) as MailDetails;
  return { files, refused, details: JSON.stringify({ ...known, refusedFiles: refused } satisfies MailDetails) };
}

export const isWaiting = ({ id, state }: Pick<StoredMail, "id" | "state">): SQL =>
  sql`EXISTS (SELECT 1 FROM inbound_mail waiting WHERE waiting.id = ${id} AND waiting.state = ${state})`;

/** Whoever was faster has ended it already, and that stays. */
export const endStatement = ({ db }: Pick<Ctx, "db">, { id, state }: StoredMail, columns: Columns): Statement =>
  db
    .update(inboundMail)
    .set({ ...columns, lease_until: null })
    .where(sql`${eq(inboundMail.id, id)} AND ${inboundMail.state} = ${state}`);

async function end(ctx: Pick<Ctx, "db">, mail: StoredMail, ending: Ending): Promise<Ending> {
  try {
    await endStatement(ctx, mail, ending);
    return ending;
  } catch (error) {
    if (!isDuplicate(error, "inbound_mail.mail_key")) throw error;
    const seen = { ...ending, ...SEEN };
    await endStatement(ctx, mail, seen);
    return seen;
  }
}

const SEEN = { state: "dropped", reason: "seen" } as const;
const FIRST_DELAY = seconds(30);
const LONGEST_DELAY = hours(1);

async function scheduleRetry(ctx: Ctx, mail: StoredMail, { isLast, error }: { isLast: boolean; error: unknown }) {
  const { attempts } = mail;
  const isRateLimited = error instanceof NotNow && error.outcome === "rate_limited";
  try {
    if (isDuplicate(error, "inbound_mail.mail_key")) return void (await end(ctx, mail, SEEN));
    if (isRateLimited) return void (await end(ctx, mail, { state: "held", reason: "too_many" }));
    const details = JSON.stringify({ error: describeError(error) } satisfies MailDetails);
    if (isLast) return void (await end(ctx, mail, { state: "failed", reason: "gave_up", details }));
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1));
    await endStatement(ctx, mail, { next_at: ctx.now() + delay, details });
  } catch (failure) {
    // The lease ends, and the job takes it up again.
    ctx.log("error", { event: "mail_not_given_back", object_id: mail.id, error: describeError(failure) });
  }
}
