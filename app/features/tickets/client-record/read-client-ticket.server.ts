import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readFileRoom, shortRoomText } from "~/features/attachments/file-quota.server";
import { findFile, sendFile } from "~/features/attachments/queries.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import {
  listDrafts,
  listTicketEvents,
  listTicketFiles,
  readMessages,
  type StoredTicketEvent,
  type TicketMessage,
} from "~/features/conversation/messages.server";
import type { Conflict, ThreadEntry, Undoable } from "~/features/conversation/model";
import { isMuted } from "~/features/notifications/queries.server";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import type { ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import { firstNameOf, nameList, plural } from "~/lib/text";
import { days, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { Download } from "~/platform/responses.server";
import { viewerOf, visibleToClient } from "../access.server";
import { type CcRule, ccRule, listCc } from "../cc/queries.server";
import { timelineFor } from "../labels";
import {
  type ClientTransition,
  canBeReopened,
  clientTransitions,
  isActive,
  mayChangeAsClient,
  REOPEN_WINDOW,
  type TicketPriority,
  type TicketStatus,
} from "../model";
import { clientCcPath, ticketSubject } from "../paths";
import { findTicketForClient, listColleagues, listFollowUps, listPeople, type StoredTicket } from "../queries.server";
import { endOf } from "../reply-as-client.server";
import { slaStateOf, targetsOf } from "../sla/clock";
import { explainTarget, type Reason, targetForClient } from "../sla/explain";
import { confirms, findVote } from "../solved/questions.server";
import { threadOf } from "../thread.server";
import { findUndoable, shownUndoable } from "../undo-reply.server";

export type ClientTicketResult = ValidationError & { intent: string; conflict?: Conflict };

/** `name` is "You" for the reader. `userId` is set for people that the reader may take off it. */
type TicketPerson = { name: string; fullName: string; note: string; userId: string | null };

type SolveBandQuestion = {
  title: string;
  text: string;
  isOpen: boolean;
  reopens: boolean;
  /** Says what it is about, which its form sends: how many messages there are and when the ticket ended, "3 17000". */
  asked: string;
};

export type ClientTicketPage = {
  organizationId: string;
  number: string;
  title: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  /** Says who of us has it, while it is active: "Jordan is on it". */
  holder: string | null;
  isPrivate: boolean;
  /** Asks whether it is solved, or says that it is; null: not theirs to answer, or not any more. */
  question: SolveBandQuestion | null;
  slas: readonly { text: string; reasons: readonly Reason[] }[];
  thread: readonly ThreadEntry[];
  earlier: string | null;
  /** Holds the id of the last of many messages; null: there are few, or later ones. */
  latest: string | null;
  sent: string | null;
  undoable: Undoable | null;
  draft: { text: string; baseMessage: number } | null;
  publicMessages: number;
  timeline: readonly { id: string; at: number; text: string }[];
  people: readonly TicketPerson[];
  readers: string;
  room: string | null;
  colleagues: readonly { id: string; name: string }[];
  hasMoreColleagues: boolean;
  /** Says where the reader chooses which addresses get copies. Null: not theirs to choose. */
  ccPath: string | null;
  isMuted: boolean;
  mayChange: boolean;
  moves: readonly ClientTransition[];
  isOver: boolean;
  followUpOf: string | null;
  oldNumber: string | null;
  followUps: readonly { number: string; title: string }[];
  zone: string;
};

/**
 * Reads the page of a ticket for a client: first the ticket, if they may see it, then all the rest in one round trip.
 * Null for a ticket that they may not see, as for one that does not exist. `before`: the id of a later message.
 */
export async function readClientTicket(
  ctx: Pick<Ctx, "db" | "now" | "publishedSettings">,
  actor: MemberActor,
  { ref, before }: { ref: string; before: string | null },
): Promise<ClientTicketPage | null> {
  const { db } = ctx;
  const viewer = viewerOf(actor);
  const ticket = await findTicketForClient(db, ref, viewer);
  if (!ticket) return null;
  const { id } = ticket;
  const [
    conversation,
    files,
    events,
    eventsOfPage,
    people,
    followUps,
    { colleagues, isMore },
    visibility,
    copies,
    drafts,
    muted,
    vote,
    undoable,
    { timeZone: zone },
    brand,
    room,
  ] = await Promise.all([
    readMessages(db, id, { withInternal: false, before }),
    listTicketFiles(db, id, { withInternal: false, before }),
    listTicketEvents(db, id),
    listTicketEvents(db, id, { before }),
    listPeople(db, id),
    listFollowUps(db, id, viewer),
    listColleagues(db, ticket),
    readVisibility(db, ticket),
    listCc(db, id),
    listDrafts(db, id, actor.userId),
    isMuted(db, { subject: { type: "ticket", id }, userId: actor.userId }),
    findVote(db, { ticketId: id, userId: actor.userId }),
    findUndoable(db, { ticket, userId: actor.userId, now: ctx.now() }),
    getSettings(db),
    effectiveBrand(ctx),
    readFileRoom(ctx, { userId: actor.userId, side: "client" }, ticket.organization.id),
  ]);
  const { planNames } = brand;
  const now = ctx.now();
  const client = { userId: actor.userId, role: actor.membership.role };
  const movable = { ...ticket, createdBy: ticket.creator.id };
  const mayChange = mayChangeAsClient(client, movable);
  const { messages } = conversation;
  const history = { messages, events, isConfirmed: confirms(vote, ticket), now };
  const question = mayChange ? questionFor(ticket, history) : null;
  const { title, status, priority, category, isPrivate, followUpOf } = ticket;
  const nameOf = ({ actorId, actor: name, side }: Pick<StoredTicketEvent, "actorId" | "actor" | "side">) =>
    side === "client" ? (actorId === actor.userId ? "You" : name) : firstNameOf(name) || brand.name;
  const writerAt = (at: Instant): string | null => {
    const isThen = (written: Instant) => Math.abs(written - at) < seconds(1);
    const message = messages.find(({ side, at: written }) => side === "client" && isThen(written));
    const writer = message ? { id: message.authorId, name: message.author } : (ticket.writtenBy ?? ticket.creator);
    if (!message && !isThen(ticket.createdAt)) return null;
    if (!message && ticket.openedBy) return brand.name;
    return writer.id === actor.userId ? "You" : firstNameOf(writer.name);
  };
  const draft = drafts.find(({ kind }) => kind === "reply");
  // Those since the page tell who has opened it again.
  const idsOfPage = new Set(eventsOfPage.map((event) => event.id));
  const untilNow = [...events.filter((event) => !idsOfPage.has(event.id)), ...eventsOfPage];
  const thread = threadOf({
    ticket,
    conversation,
    events: untilNow,
    isOfPage: (event) => idsOfPage.has(event.id),
    files,
    isNewest: before === null,
    reader: {
      userId: actor.userId,
      side: "client",
      nameOf,
      labels: { them: "Colleague", us: `${brand.name} support` },
    },
    now,
  });
  return {
    title,
    status,
    priority,
    category,
    isPrivate,
    mayChange,
    zone,
    organizationId: ticket.organization.id,
    number: referenceNumber("ticket", ticket.number),
    holder: isActive(status)
      ? ticket.assignee
        ? `${firstNameOf(ticket.assignee.name)} is on it`
        : "We have it"
      : null,
    question: question && { ...question, asked: askedOf(ticket) },
    slas: targetsOf(slaStateOf(ticket.sla.json, priority)).map((target) => ({
      text: targetForClient(target, { zone, now, phone: brand.phone?.display ?? null, planNames }),
      reasons: explainTarget(target, { side: "client", zone, planNames, writer: writerAt(target.startedAt) }),
    })),
    thread: thread.entries,
    sent: thread.sent,
    earlier: thread.earlier,
    latest: thread.latest,
    undoable: shownUndoable(undoable, { zone, now }),
    draft: draft ? { text: draft.text, baseMessage: draft.baseMessage } : null,
    publicMessages: ticket.publicMessages,
    isMuted: muted,
    timeline: timelineFor(events, { userId: actor.userId, provider: brand.name }).reverse(),
    people: [
      ...peopleOf(ticket, { people, actor, mayChange, provider: brand.name }),
      ...(isPrivate
        ? []
        : copies.map(({ email }) => ({ name: email, fullName: email, note: "copy by mail", userId: null }))),
    ],
    ccPath:
      mayChange && (visibility.rule !== "off" || copies.length > 0)
        ? clientCcPath(referenceNumber("ticket", ticket.number))
        : null,
    room: shortRoomText(room),
    readers: readersInWords(ticket, {
      people,
      actor,
      ...visibility,
      copies: isPrivate ? 0 : copies.length,
      provider: brand.name,
    }),
    colleagues: mayChange ? colleagues.map(({ id: userId, name }) => ({ id: userId, name })) : [],
    hasMoreColleagues: mayChange && isMore,
    moves: clientTransitions(client, movable, now),
    isOver: !isActive(status) && !canBeReopened(ticket, now),
    followUpOf: followUpOf && referenceNumber("ticket", followUpOf.number),
    oldNumber: ticket.oldNumber,
    followUps: followUps.map((each) => ({ number: referenceNumber("ticket", each.number), title: each.title })),
  };
}

type Visibility = { isOpenToAll: boolean; creatorBelongs: boolean; rule: CcRule };

async function readVisibility(db: Db, { isPrivate, organization, creator }: StoredTicket): Promise<Visibility> {
  const [row] = await db.all<{ visibility: string; creatorBelongs: number; rule: CcRule }>(sql`
    SELECT visibility, ${ccRule(organization.id)} AS rule, EXISTS (SELECT 1 FROM organization_memberships m
      WHERE m.organization_id = ${organization.id} AND m.user_id = ${creator.id} AND m.status = 'active') AS creatorBelongs
    FROM organizations WHERE id = ${organization.id}`);
  return {
    isOpenToAll: !isPrivate && row?.visibility === "all",
    creatorBelongs: row?.creatorBelongs === 1,
    rule: row?.rule ?? "off",
  };
}

type Question = Omit<SolveBandQuestion, "asked">;

type History = {
  messages: readonly TicketMessage[];
  events: readonly StoredTicketEvent[];
  isConfirmed: boolean;
  now: Instant;
};

/** Says what the question whether a ticket is solved is about: how many messages there are, and when it ended. */
export const askedOf = (ticket: StoredTicket): string =>
  [ticket.publicMessages, endOf(ticket)].filter((part) => part !== null).join(" ");

/** Returns the question whether a ticket is solved, by what has happened last. Null: it ended too long ago. */
function questionFor(ticket: StoredTicket, { messages, events, isConfirmed, now }: History): Question | null {
  const { status, assignee } = ticket;
  const last = messages.at(-1);
  const reopens = !isActive(status);
  if (reopens && !canBeReopened(ticket, now)) return null;
  const within = `within ${plural(REOPEN_WINDOW / days(1), "day")}`;
  const end = events.find(({ kind, to }) => kind === "status" && to === "resolved");
  const by = end?.side === "staff" ? end.actor : null;
  const hears = assignee
    ? reopens && assignee.name === by
      ? "they hear"
      : `${firstNameOf(assignee.name)} hears`
    : "we hear";
  const ifNot = `If not, ${hears} at once and the clock starts again.`;
  if (status === "closed") {
    return { title: "Closed", text: `Still broken? Say so ${within}, and it opens again.`, isOpen: false, reopens };
  }
  if (!reopens) {
    const isAnswered = last?.side === "staff";
    const text = isAnswered ? ifNot : `If it works again, tell us. It reopens when you write ${within}.`;
    return { title: "Is it solved?", text, isOpen: true, reopens };
  }
  if (isConfirmed || end?.side === "client")
    return { title: "Solved", text: `It reopens when you write ${within}.`, isOpen: false, reopens };
  const because = end?.side === "system" ? "You did not answer, so we think" : "We think";
  const text = `${by ? `${firstNameOf(by)} thinks` : because} so. ${ifNot}`;
  return { title: "Is it solved?", text, isOpen: true, reopens };
}

/** Returns the name of an author for clients: of staff the first name only. */
export const authorName = ({ side, author }: Pick<TicketMessage, "side" | "author">): string =>
  side === "staff" ? firstNameOf(author) : author;

type NotifiedReaders = Pick<Around, "people" | "actor" | "provider"> & Visibility & { copies: number };

function readersInWords(
  { creator, contact, organization }: StoredTicket,
  { people, actor, isOpenToAll, creatorBelongs, copies, provider }: NotifiedReaders,
): string {
  const support = `${provider} support`;
  const mailed = [
    ...(contact ? [` ${creator.name} gets it by mail.`] : []),
    ...(copies > 0 ? [` Copies go to ${plural(copies, "address", "addresses")}.`] : []),
  ].join("");
  if (isOpenToAll) return `Everybody at ${organization.name} and ${support} can read this.${mailed}`;
  const others = [...(creatorBelongs ? [creator] : []), ...people]
    .filter(({ id }) => id !== actor.userId)
    .map(({ name }) => name);
  const admins = `${others.length > 0 ? "admins" : "Admins"} of ${organization.name}`;
  return `${nameList.format([...others, admins, support])} can read this.${mailed}`;
}

type Around = {
  people: readonly { id: string; name: string }[];
  actor: MemberActor;
  mayChange: boolean;
  provider: string;
};

function peopleOf(
  { creator, contact, openedBy, writtenBy, assignee }: StoredTicket,
  { people, actor, mayChange, provider }: Around,
): TicketPerson[] {
  const isOwn = (id: string | null) => id === actor.userId;
  const nameOf = ({ id, name }: { id: string | null; name: string }) => (isOwn(id) ? "You" : name);
  const opener = openedBy ? "we" : writtenBy ? nameOf(writtenBy) : null;
  return [
    {
      name: nameOf(creator),
      fullName: creator.name,
      note: `${opener ? `${opener} opened it for ${isOwn(creator.id) ? "you" : "them"}` : "opened it"}${contact ? ", gets it by mail" : ""}`,
      userId: null,
    },
    ...people.map((person) => ({
      name: nameOf(person),
      fullName: person.name,
      note: isOwn(person.id) ? "on this ticket" : "colleague",
      // Everybody may leave.
      userId: mayChange || isOwn(person.id) ? person.id : null,
    })),
    ...(assignee ? [{ name: firstNameOf(assignee.name), fullName: assignee.name, note: provider, userId: null }] : []),
  ];
}

/**
 * Returns a file of a ticket that a client has asked for. Null for a file of a note, of a ticket that they may not see,
 * and of anything else, as for one that does not exist. `isInline`: for a page that shows the image.
 */
export async function sendClientFile(
  ctx: Ctx,
  { userId, membership }: MemberActor,
  attachmentId: string,
  { isInline = false } = {},
): Promise<Download | null> {
  const file = await findFile(ctx.db, attachmentId);
  if (file?.subject.type !== "ticket") return null;
  const { organizationId, role } = membership;
  const isReadable = sql`(${file.messageId} IS NULL OR EXISTS (
    SELECT 1 FROM ticket_messages m WHERE m.id = ${file.messageId} AND m.ticket_id = t.id AND ${isPublic()}))`;
  const ticket = await ctx.db.get<{ id: string; title: string } | undefined>(sql`
    SELECT t.id, t.title FROM support_tickets t
    WHERE t.id = ${file.subject.id} AND ${visibleToClient({ userId, organizationId, role })} AND ${isReadable}`);
  return ticket ? sendFile(ctx, { file, subject: ticketSubject(ticket), isInline, actorId: userId }) : null;
}
