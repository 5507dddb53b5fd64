import type { MailData } from "~/features/mail/kinds";
import { NOTIFICATION_EVENTS } from "~/features/notifications/model";
import { closingTimes, type ShortSettings } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { promisedTime } from "~/features/submissions/reply-target";
import { shortDay } from "~/lib/due";
import { referenceNumber } from "~/lib/reference-number";
import { clockIn, dayIn, type Instant } from "~/lib/time";
import type { ComposedMails, MailComposer } from "~/platform/subjects.server";
import { stopCopiesPath } from "../copies/token.server";
import { CLIENT_STATUS_LABELS, STATUS_LABELS } from "../labels";
import { isActive } from "../model";
import { solvedLinks } from "../solved/token.server";
import { clientTicketPath, staffTicketPath, ticketsOfOrganizationPath } from "../subject";
import { mailedEvent } from "./mailed-event";
import {
  type EarlierMessage,
  type MailOfOpening,
  type MailOfTicket,
  readMails,
  type TicketEventOfMail,
} from "./read-mails.server";
import { mailThreadOf } from "./thread.server";

/** Limits what is repeated of earlier messages, in bytes. */
const EARLIER_LIMIT = 20_000;
const EARLIER_MESSAGES = 3;

/**
 * Puts together mails about tickets from what the database holds now, but nothing later than their newest event. Only
 * people who may still read the ticket get one, and only public messages are read.
 */
export async function composeTicketMails(ctx: MailComposer, mailIds: readonly string[]): Promise<ComposedMails> {
  const [{ mails, events, earlier, openings }, settings] = await Promise.all([
    readMails(ctx.db, mailIds),
    getSettings(ctx.db),
  ]);
  const bundles = bundlesOf(openings);
  const bundled = new Set([...bundles.values()].flatMap((tickets) => tickets.map(({ id }) => id)));
  return new Map(
    mails.flatMap((mail): [string, Composed][] => {
      const own = events.filter(({ mailId }) => mailId === mail.id);
      const data = contentOf(ctx, mail, { events: own, earlier, settings });
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

/** Returns the mails that become one, by the id of the first of them, which tells of all. */
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

/** Returns what a mail about several new tickets says instead of one about the first of them. */
const asBundle = (tickets: readonly MailOfOpening[]) => ({
  path: ticketsOfOrganizationPath(tickets[0]?.organizationId ?? ""),
  opened: tickets.map(({ number, title, by, isUrgent }) => ({
    number: referenceNumber("ticket", number),
    title,
    by,
    isUrgent: isUrgent === 1,
  })),
});

type Around = { events: TicketEventOfMail[]; earlier: EarlierMessage[]; settings: ShortSettings };

function contentOf(ctx: MailComposer, mail: MailOfTicket, { events: all, earlier, settings }: Around) {
  const zone = settings.timeZone;
  const isOfStaff = ({ event }: TicketEventOfMail) => NOTIFICATION_EVENTS[event].side === "staff";
  const isForStaff = mail.isStaff && all.some(isOfStaff);
  if (!isForStaff && !mail.isVisibleToClient) return null;
  // Who works here no longer, but is a client, hears nothing of what only staff are told.
  const events = isForStaff ? all : all.filter((event) => !isOfStaff(event));
  const { number, title, status, dueAt, resolveBy } = mail;
  const ahead = (at: Instant | null) => (at !== null && at > ctx.now() ? promisedTime(zone, at) : null);
  const common: MailData["ticket-received"] = {
    number: referenceNumber("ticket", number),
    title,
    path: (isForStaff ? staffTicketPath : clientTicketPath)(referenceNumber("ticket", number)),
    status: (isForStaff || mail.kind === "ticket-copy" ? STATUS_LABELS : CLIENT_STATUS_LABELS)[status],
    replyBy: ahead(dueAt),
    resolveBy: ahead(resolveBy),
    thread: mailThreadOf(ctx.config, settings, mail),
    message: mail.description,
  };
  if (mail.kind === "ticket-received") return common;
  const mailed = events.flatMap((event) => {
    const isAboutOpening = event.event === "ticket_opened" || event.event === "opened_for_you";
    const message = isAboutOpening ? openingText(mail) : event.message;
    const resolution = event.detail === "resolved" ? mail.resolution : null;
    const promised = event.detail.startsWith("resolution") ? resolveBy : dueAt;
    const passedAt = promised !== null && promised <= event.at ? promisedTime(zone, promised) : null;
    const rest = {
      passedAt,
      endsAfter: endsAfter(event.detail, settings),
      isStillSo: isStillSo(mail, event.detail, ctx.now()),
    };
    return mailedEvent({ ...event, message, resolution, ...rest }) ?? [];
  });
  if (mailed.length === 0) return null;
  const { message: _, ...shared } = common;
  const isCopy = mail.kind === "ticket-copy";
  // Whoever gets copies has no account: the link of the mail ends them.
  const ticket = isCopy ? { ...shared, path: stopCopiesPath(ctx.config, mail.userId) } : shared;
  const newest = Math.max(...events.map(({ at }) => at));
  const shown = new Set(events.map(({ itemId }) => itemId));
  const isOpening = events.some(({ event }) => event === "ticket_opened" || event === "opened_for_you");
  const before = earlier.filter(
    ({ ticketId, id, at }) =>
      ticketId === mail.ticketId && !shown.has(id) && at <= newest && !(isOpening && id === mail.ticketId),
  );
  const texts = {
    organization: mail.organizationName,
    events: mailed,
    earlier: lastMessages(before).map(({ author, at, text }) => ({ author, at: momentOf(zone, at), text })),
  };
  if (isCopy) return { ...ticket, ...texts };
  return {
    ...ticket,
    ...texts,
    isForStaff,
    solved: isForStaff ? null : solvedQuestion(ctx, mail),
  };
}

/** Returns the links of the question whether a ticket is solved. Null: it is not asked, or is open again. */
const solvedQuestion = ({ config }: MailComposer, { askedAt, status, ...mail }: MailOfTicket) =>
  askedAt === null || isActive(status) ? null : solvedLinks(config, { ...mail, askedAt });

/** Returns what the ticket was opened with. */
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
  if (detail === "near") return mail.isReplyWarned && isAhead(mail.dueAt);
  return detail !== "resolution_near" || (mail.isResolutionWarned && isAhead(mail.resolveBy));
}

/** Returns how many days after a reminder what it announces comes; 0: it does not come by itself. */
const endsAfter = (reminder: string, settings: ShortSettings): number =>
  reminder === "closing" ? closingTimes(settings).closeAfter : settings.resolveWaitingAfter;

const momentOf = (zone: string, at: Instant): string => `${shortDay(dayIn(zone, at))}, ${clockIn(zone, at)}`;

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
