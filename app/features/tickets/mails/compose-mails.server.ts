import { IMAGE_TYPES } from "~/features/attachments/model";
import type { MailData } from "~/features/mail/kinds";
import type { MailThread } from "~/features/mail/kinds/tickets";
import type { MailedEvent } from "~/features/mail/mail-kind";
import { NOTIFICATION_EVENTS, type NotificationEvent } from "~/features/notifications/model";
import { closingTimes } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { ShortSettings } from "~/features/settings/settings.server";
import { targetTime } from "~/features/submissions/reply-target";
import { referenceNumber } from "~/lib/ids";
import { plural } from "~/lib/text";
import { TICKET_STATUSES } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import { shortMoment } from "~/lib/time-labels";
import { keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import type { ComposedMails, MailComposer } from "~/platform/subjects.server";
import { stopCcPath } from "../cc/queries.server";
import { CLIENT_STATUS_LABELS, TICKET_STATUS_LABELS } from "../labels";
import { isActive } from "../model";
import { clientTicketPath, staffTicketPath, ticketsOfOrganizationPath } from "../paths";
import { solvedLinks } from "../solved/questions.server";
import {
  type EarlierMessage,
  type MailOfOpening,
  type MailOfTicket,
  readMails,
  type TicketEventOfMail,
} from "./read-mails.server";

const EARLIER_LIMIT = 20_000;
const EARLIER_MESSAGES = 3;

/** Only people who may still read the ticket get one, and only public messages are read. */
export async function composeTicketMails(ctx: MailComposer, mailIds: readonly string[]): Promise<ComposedMails> {
  const [{ mails, events, earlier, openings, known }, settings] = await Promise.all([
    readMails(ctx.db, mailIds),
    getSettings(ctx.db),
  ]);
  const bundles = bundlesOf(openings);
  const bundled = new Set([...bundles.values()].flatMap((tickets) => tickets.map(({ id }) => id)));
  return new Map(
    mails.flatMap((mail): [string, Composed][] => {
      const own = events.filter(({ mailId }) => mailId === mail.id);
      const references = known.filter(({ mailId }) => mailId === mail.id).map(({ id }) => id);
      const data = contentOf(ctx, mail, { events: own, earlier, settings, references });
      const bundle = bundles.get(mail.id);
      if (data && "isForStaff" in data && data.isForStaff && bundle)
        return [
          [mail.id, { to: mail.email, data: { ...data, ...asBundle(bundle) }, takesIn: bundle.map(({ id }) => id) }],
        ];
      return data && !bundled.has(mail.id) ? [[mail.id, { to: mail.email, data }]] : [];
    }),
  );
}

type Composed = { to: string; data: MailData["ticket-received" | "ticket-update" | "ticket-copy"]; takesIn?: string[] };

/** Sets from how many new tickets of one organization on staff get one mail about all of them. */
const BUNDLED_FROM = 3;

function bundlesOf(openings: readonly MailOfOpening[]): Map<string, MailOfOpening[]> {
  const bundles = new Map<string, MailOfOpening[]>();
  const taken = new Set<string>();
  for (const headId of new Set(openings.map((opening) => opening.headId))) {
    const own = openings.filter((opening) => opening.headId === headId);
    if (own.length < BUNDLED_FROM || own[0]?.id !== headId || taken.has(headId)) continue;
    bundles.set(headId, own);
    for (const { id } of own) taken.add(id);
  }
  return bundles;
}

const asBundle = (tickets: readonly MailOfOpening[]) => ({
  path: ticketsOfOrganizationPath(tickets[0]?.organizationId ?? ""),
  opened: tickets.map(({ number, title, by, isUrgent }) => ({
    number: referenceNumber("ticket", number),
    title,
    by,
    isUrgent: isUrgent === 1,
  })),
});

type Around = { events: TicketEventOfMail[]; earlier: EarlierMessage[]; settings: ShortSettings; references: string[] };

function contentOf(ctx: MailComposer, mail: MailOfTicket, { events: all, earlier, settings, references }: Around) {
  const zone = settings.timeZone;
  const isOfStaff = ({ event }: TicketEventOfMail) => NOTIFICATION_EVENTS[event].side === "staff";
  const isForStaff = mail.isStaff === 1 && all.some(isOfStaff);
  if (!isForStaff && !mail.isVisibleToClient) return null;
  // Who works here no longer, but is a client, hears nothing of what only staff are told.
  const events = isForStaff ? all : all.filter((event) => !isOfStaff(event));
  const { number, title, status, dueAt, resolveBy } = mail;
  const isAboutNote = isForStaff && events.some(({ event }) => event === "mentioned");
  const ahead = (at: Instant | null) => (at !== null && at > ctx.now() ? targetTime(zone, at) : null);
  const common: MailData["ticket-received"] = {
    number: referenceNumber("ticket", number),
    title,
    path: (isForStaff ? staffTicketPath : clientTicketPath)(referenceNumber("ticket", number)),
    status: (isForStaff || mail.kind === "ticket-copy" || mail.isContact ? TICKET_STATUS_LABELS : CLIENT_STATUS_LABELS)[
      status
    ],
    replyBy: ahead(dueAt),
    resolveBy: ahead(resolveBy),
    // An answer to a mail about a note must not be matched by a mail that a client has got too.
    thread: withReferences(mailThreadOf(ctx.config, settings, { ...mail, isAboutNote }), isAboutNote ? [] : references),
    message: mail.description,
  };
  if (mail.kind === "ticket-received") return { ...common, isRequester: mail.isContact === 1 };
  const mailed = events.flatMap((event) => {
    const isAboutOpening =
      event.event === "ticket_opened" || event.event === "opened_for_you" || event.itemId === mail.ticketId;
    const message = isAboutOpening ? openingText(mail) : event.message;
    const resolution = event.detail === "resolved" ? mail.resolution : null;
    const promised = event.detail.startsWith("resolution") ? resolveBy : dueAt;
    const passedAt = promised !== null && promised <= event.at ? targetTime(zone, promised) : null;
    const rest = {
      passedAt,
      endsAfter: endsAfter(event.detail, settings),
      isStillSo: isStillSo(mail, event.detail, ctx.now()),
      canReopen: !mail.isContact,
    };
    return mailedEvent({ ...event, message, resolution, ...rest }) ?? [];
  });
  if (mailed.length === 0) return null;
  const { message: _, ...shared } = common;
  const isCc = mail.kind === "ticket-copy";
  // Whoever gets copies has no account: the link of the mail ends them.
  const ticket = isCc ? { ...shared, path: stopCcPath(ctx.config, mail.userId) } : shared;
  const newest = Math.max(...events.map(({ at }) => at));
  const shown = new Set(events.map(({ itemId }) => itemId));
  const isOpening = events.some(({ event }) => event === "ticket_opened" || event === "opened_for_you");
  const before = earlier.filter(
    ({ ticketId, id, at, notTo }) =>
      ticketId === mail.ticketId &&
      !shown.has(id) &&
      at <= newest &&
      !(isOpening && id === mail.ticketId) &&
      !(JSON.parse(notTo) as string[]).includes(mail.userId),
  );
  const texts = {
    organization: mail.organizationName,
    events: mailed,
    earlier: lastMessages(before).map(({ author, at, text }) => ({ author, at: shortMoment(zone, at), text })),
  };
  if (isCc) {
    const files = events.flatMap((event) => event.files);
    // What leaves an organization in our name is words only.
    const attached = mail.isContact ? fittingFiles(files) : [];
    return { ...ticket, ...texts, files: files.length - attached.length, attached, isRequester: mail.isContact === 1 };
  }
  return {
    ...ticket,
    ...texts,
    isForStaff,
    isAboutNote,
    solved: isForStaff ? null : solvedQuestion(ctx, mail),
  };
}

/** A mail has at most 5 MiB, and files grow by a third on their way. */
const ATTACHED_BYTES = 3.25 * 1024 * 1024;

function fittingFiles(files: TicketEventOfMail["files"]) {
  let left = ATTACHED_BYTES;
  return files.flatMap(({ key, name, kind, size }) => {
    if (size > left) return [];
    left -= size;
    return [{ key, name, type: IMAGE_TYPES[kind] ?? "application/octet-stream" }];
  });
}

const solvedQuestion = ({ config }: MailComposer, { askedAt, status, ...mail }: MailOfTicket) =>
  askedAt === null || isActive(status) ? null : solvedLinks(config, { ...mail, askedAt });

const openingText = ({ description, impact }: MailOfTicket): string =>
  impact ? `${description}\n\nWhat has stopped working: ${impact}` : description;

/**
 * Tells whether a ticket is still as a reminder or a warning says: `detail` is what that is about. That a promised time
 * has passed stays so; that it is near does not.
 */
function isStillSo(mail: MailOfTicket, detail: string, now: Instant): boolean {
  const isAhead = (at: Instant | null) => at !== null && at >= now;
  if (detail === "waiting") return mail.status === "waiting_for_customer";
  if (detail === "closing") return mail.status === "resolved";
  if (detail === "near") return mail.isReplyWarned === 1 && isAhead(mail.dueAt);
  return detail !== "resolution_near" || (mail.isResolutionWarned === 1 && isAhead(mail.resolveBy));
}

/** Returns how many days after a reminder what it announces comes; 0: it does not come by itself. */
const endsAfter = (reminder: string, settings: ShortSettings): number =>
  reminder === "closing" ? closingTimes(settings).closeAfter : settings.resolveWaitingAfter;

/** Returns the newest of the messages, as many as fit. The last one that does is cut. */
function lastMessages(messages: readonly EarlierMessage[]): EarlierMessage[] {
  let left = EARLIER_LIMIT;
  return messages.slice(0, EARLIER_MESSAGES).flatMap((message) => {
    if (left <= 0) return [];
    const bytes = Buffer.from(message.text);
    const text = bytes.length <= left ? message.text : `${cutToBytes(bytes, left)}…`;
    left -= bytes.length;
    return [{ ...message, text }];
  });
}

/** Returns the beginning of a text. A character that would be cut in two is left out. */
const cutToBytes = (bytes: Buffer, limit: number): string =>
  new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const TAG_LENGTH = 10;

type Thread = {
  ticketId: string;
  number: number;
  userId: string;
  /** Of mails to staff about an internal note: what answers them must reach no client. */
  isAboutNote?: boolean;
};

/**
 * Returns the names of a thread for one recipient: the tag binds ticket and person, so that an address that was passed
 * on tells whose it was, and no tag of one ticket can be made into that of another.
 */
export function mailThreadOf(
  config: Config,
  settings: Pick<ShortSettings, "provenInboundDomain">,
  { number, ...owner }: Thread,
): MailThread {
  const token = `t${number}.${threadTag(config, owner)}`;
  const answered = answeredDomain(config, settings);
  return {
    id: `<${token}@${config.MAIL_INBOUND_DOMAIN ?? sendingDomain(config)}>`,
    reply: answered ? { address: `support+${token}@${answered}`, token } : null,
  };
}

const REFERENCES_MAX = 20;
/** A line of a mail has at most 998 characters (RFC 5322), and nothing folds what is handed to a provider. */
const REFERENCES_LENGTH = 998 - "References: ".length;

/** Matches what may stand between the brackets of a Message-ID: nothing that ends it, or the header. */
const MESSAGE_ID = /^[!-;=?-~]{1,250}$/;

/** Adds the newest known mails that fit to a thread, oldest first. `newest`: their ids, newest first. */
export function withReferences(thread: MailThread, newest: readonly string[]): MailThread {
  let left = REFERENCES_LENGTH - thread.id.length;
  const fitting: string[] = [];
  for (const id of new Set(newest)) {
    if (!MESSAGE_ID.test(id) || `<${id}>` === thread.id) continue;
    left -= id.length + " <>".length;
    if (left < 0 || fitting.length === REFERENCES_MAX) break;
    fitting.unshift(`<${id}>`);
  }
  return fitting.length > 0 ? { ...thread, known: fitting } : thread;
}

/**
 * Returns the domain at which mails may be answered: a mail that was sent there has come back to us. That it is
 * configured alone proves nothing, and an answer that bounces is worse than none. Null: no mail asks for one.
 */
const answeredDomain = (
  { MAIL_INBOUND_DOMAIN: configured }: Config,
  { provenInboundDomain }: Pick<ShortSettings, "provenInboundDomain">,
): string | null => (configured && configured === provenInboundDomain ? configured : null);

export function threadTag(config: Config, { ticketId, userId, isAboutNote = false }: Omit<Thread, "number">): string {
  const bound = `${ticketId}\n${userId}${isAboutNote ? "\nnote" : ""}`;
  const bytes = Buffer.from(keyedHash(config.LOG_HMAC_KEY, "mail-thread", bound), "base64url");
  // Each byte gives five bits: 256 is a multiple of 32, so that no letter is likelier than another.
  return Array.from(bytes.subarray(0, TAG_LENGTH), (byte: number) => BASE32[byte % BASE32.length]).join("");
}

const sendingDomain = ({ MAIL_FROM, APP_ORIGIN }: Config): string =>
  /@([^@>\s]+)>?$/.exec(MAIL_FROM)?.[1] ?? new URL(APP_ORIGIN).hostname;

type StoredEvent = {
  event: NotificationEvent;
  detail: string;
  actorName: string;
  message: string | null;
  resolution: string | null;
  /** Holds the promised time in words, if the event is that it has passed and nothing has changed since. */
  passedAt: string | null;
  /** Says after how many days what a reminder announces comes; 0: it does not come by itself. */
  endsAfter: number;
  /** Tells whether what a reminder or a warning says is still so: mails wait, also for the end of quiet hours. */
  isStillSo: boolean;
  /** Tells whether the reader has the portal, where they may open it again. */
  canReopen: boolean;
};

/**
 * Returns what a mail says of an event. Null: nothing is left to say, because the message was taken back, or what
 * somebody was to be reminded of has been done.
 */
export function mailedEvent(stored: StoredEvent): MailedEvent | null {
  const { event, detail, actorName, message, resolution, isStillSo } = stored;
  const who = actorName || "We";
  const only = (sentence: string): MailedEvent => ({ sentence, text: null });
  switch (event) {
    case "ticket_opened":
      return { sentence: `${who} opened a ticket:`, text: message };
    case "opened_for_you":
      return { sentence: `${who} opened this ticket for you:`, text: message };
    case "staff_replied":
    case "colleague_replied":
    case "reply_on_mine":
    case "reply_on_unassigned":
      if (message === null) return null;
      return message === "" ? only(`${who} added files.`) : { sentence: `${who} wrote:`, text: message };
    case "mentioned":
      return only(`${who} mentioned you in an internal note.`);
    case "assigned_to_me":
      return only(`${who} assigned this ticket to you.`);
    case "added_to_ticket":
      return message === null
        ? only(`${who} added you to this ticket.`)
        : { sentence: `${who} wrote about a ticket that had ended, so it goes on here:`, text: message };
    case "moved_here":
      return only(`${who} moved this ticket to your organization.`);
    case "status_changed":
    case "moved_by_client":
      return { sentence: statusSentence(who, detail), text: resolution };
    case "promise_at_risk":
      return isStillSo ? only(targetSentence(stored)) : null;
    case "reminded":
      return isStillSo ? only(reminderSentence(stored)) : null;
    case "sent_for_me":
    case "new_submission":
    case "submission_moved":
    case "security_alert":
    case "invited":
    case "monthly_letter":
    case "daily_summary":
    case "ticket_received":
      return null;
  }
}

function targetSentence({ detail, passedAt }: StoredEvent): string {
  const what = detail.startsWith("resolution") ? "to resolve this ticket" : "a reply";
  if (!detail.endsWith("missed")) return `The time by which we promised ${what} is near.`;
  return passedAt
    ? `We promised ${what} by ${passedAt}. That time has passed.`
    : `The time by which we promised ${what} has passed.`;
}

function reminderSentence({ detail, endsAfter, canReopen }: StoredEvent): string {
  if (detail === "closing") {
    const when = endsAfter > 0 ? `in ${plural(endsAfter, "day")}` : "soon";
    return `This ticket is resolved and will be closed ${when}. Still broken? ${canReopen ? "Reopen it" : "Answer us"}.`;
  }
  const waiting = "We are waiting for your answer on this ticket.";
  return endsAfter > 0
    ? `${waiting} If we don't hear from you within ${plural(endsAfter, "business day")}, we'll mark it as resolved. You can reopen it by replying.`
    : waiting;
}

function statusSentence(who: string, detail: string): string {
  if (detail === "open") return `${who} reopened this ticket.`;
  if (detail === "resolved") return `${who} resolved this ticket.`;
  const status = TICKET_STATUSES.find((known) => known === detail);
  return `${who} set this ticket to ${status ? TICKET_STATUS_LABELS[status] : detail}.`;
}
