import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { solvedQuestions } from "~/db/schema/tickets";
import { isProgramMailbox } from "~/features/contacts/queries.server";
import { BUNDLED_FOR, type NotificationEvent, UNDO_WINDOW } from "~/features/notifications/model";
import { activeStaff, notifyPeople, recipientsOf } from "~/features/notifications/notify-people.server";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-values";
import { days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { TICKET_STATUS_LABELS } from "./labels";
import { isActive, type TicketActor } from "./model";

export type TicketNotification = {
  ticket: {
    id: string;
    organization: { id: string; name: string };
    priority: TicketPriority;
    status: TicketStatus;
    creator: { id: string | null; name: string };
    assignee: { id: string; name: string } | null;
    isPrivate: boolean;
  };
  actor: TicketActor;
  opened?: {
    description: string;
    isFollowUp?: boolean;
    /** Tells whether the client who opened it gets a receipt; absent: they do. */
    isConfirmed?: boolean;
  };
  /** Holds the message. `mentions`: the staff whom an internal note names. */
  message?: { id: string; text: string; isInternal: boolean; mentions?: readonly string[] };
  statusBefore?: TicketStatus;
  resolution?: string;
  assigned?: { id: string; name: string };
  personAdded?: { id: string; name: string };
  ccAdded?: string;
  movedHere?: true;
  sla?: "near" | "missed" | "resolution_near" | "resolution_missed";
  reminded?: "waiting" | "closing";
  /** Holds the ids of those whom its author leaves out, people and copies: see `listReplyRecipients`. */
  notTo?: readonly string[];
};

type PlannedNotification = Pick<Parameters<typeof notifyPeople>[1], "itemId" | "detail" | "recipients" | "holdUntil">;

/**
 * Returns the statements that tell people of a change, for its batch: notifications and mails. They belong after the
 * change itself. Of an internal note only staff are told whom it names, and only that it does.
 */
export async function notifyOfTicket(
  ctx: Pick<Ctx, "db" | "newId" | "now">,
  notification: TicketNotification,
): Promise<Statement[]> {
  const { ticket, actor } = notification;
  // One time for the whole change, by which the parts of it are told to belong together.
  const at = ctx.now();
  const moment = { ...ctx, now: () => at };
  const subject = { type: "ticket", id: ticket.id } as const;
  const statements = notificationsOf(moment, notification).flatMap((planned) => {
    const status =
      planned.detail && planned.detail in TICKET_STATUS_LABELS
        ? TICKET_STATUS_LABELS[planned.detail as TicketStatus]
        : null;
    return notifyPeople(moment, {
      ...planned,
      subject,
      actor: { userId: actor.userId, fullName: actor.side === "system" ? "" : actor.fullName },
      // By the number in the database: a ticket that is being opened gets it inside the batch.
      label: sql`(SELECT 'T-' || number || ' ' || title FROM support_tickets WHERE id = ${ticket.id})
        || ${status ? `: ${status}` : ""}`,
      mail: "ticket-update",
      notTo: notification.notTo,
      isUrgent: isUrgentFor(moment, notification),
    });
  });
  const isConfirmed = notification.opened !== undefined && notification.opened.isConfirmed !== false;
  return [
    ...(isConfirmed && actor.side === "client" ? [acknowledgeTicket(moment, { ...actor, ticketId: ticket.id })] : []),
    ...statements,
    ...ccMails(moment, notification),
    ...(notification.statusBefore && ticket.status === "resolved" ? [askSolved(moment, ticket.id)] : []),
  ];
}

/**
 * Tells whether people hear of it at once: if it is urgent, and not one more that clients of an organization which has
 * just done so have opened as urgent. Its mail is then collected with those of the others.
 */
function isUrgentFor({ now }: Pick<Ctx, "now">, { ticket, opened, actor }: TicketNotification): SQL {
  if (ticket.priority !== "urgent") return sql`0`;
  if (!opened || actor.side !== "client") return sql`1`;
  return sql`NOT EXISTS (SELECT 1 FROM (
      SELECT priority, created_at, opened_by FROM support_tickets
      WHERE organization_id = ${ticket.organization.id} AND id <> ${ticket.id} ORDER BY opened_rank DESC LIMIT 20)
    WHERE priority = 'urgent' AND opened_by IS NULL AND created_at > ${now() - BUNDLED_FOR})`;
}

const CC_EVENTS: readonly NotificationEvent[] = ["staff_replied", "colleague_replied", "status_changed"];
const CONTACT_EVENTS: readonly NotificationEvent[] = ["opened_for_you", "reminded"];

/**
 * Returns the statements that mail copies: of public messages, of how it ends or goes on, and that they begin. A person
 * without an account whose ticket it is gets them, and is told what any other client is.
 */
function ccMails(ctx: Pick<Ctx, "db" | "newId" | "now">, notification: TicketNotification): Statement[] {
  const { ticket, actor, ccAdded } = notification;
  const common = {
    ticketId: ticket.id,
    actorName: actor.side === "system" ? "" : actor.fullName,
    isUrgent: ticket.priority === "urgent",
    author: actor.contactId,
    notTo: notification.notTo,
  };
  const planned = notificationsOf(ctx, notification).flatMap(({ recipients, ...rest }) => {
    const event = recipients
      .map((one) => one.event)
      .find((one) => CC_EVENTS.includes(one) || CONTACT_EVENTS.includes(one));
    return event ? [{ ...rest, event, isForContact: CONTACT_EVENTS.includes(event) }] : [];
  });
  return [
    ...planned.flatMap((one) => mailCc(ctx, { ...common, ...one })),
    ...(ccAdded || notification.opened?.isFollowUp
      ? mailCc(ctx, { ...common, event: "added_to_ticket", itemId: addedItem(ctx, notification), ccId: ccAdded })
      : []),
  ];
}

/** Whoever is on a ticket that goes on from another one is told what it says: it has the ticket's id. */
const addedItem = ({ newId }: Pick<Ctx, "newId">, { opened, ticket }: TicketNotification): string =>
  opened?.isFollowUp ? ticket.id : newId("tnw");

function notificationsOf(ctx: Pick<Ctx, "newId" | "now">, notification: TicketNotification): PlannedNotification[] {
  const { ticket, actor, message, statusBefore } = notification;
  const { id } = ticket;
  const isByClient = actor.side === "client";
  const responsible = [assigneeOf(id), staffIfUnassigned(id)];
  const notify = (event: NotificationEvent, people: readonly SQL[], detail = ""): PlannedNotification => ({
    itemId: ctx.newId("tnw"),
    detail,
    recipients: people.map((each) => ({ event, people: each })),
  });
  const planned: PlannedNotification[] = [];
  if (notification.opened) {
    planned.push(notify("ticket_opened", [activeStaff]));
    if (!isByClient) planned.push(notify("opened_for_you", [clientOn(id, ticket.creator.id)]));
    if (notification.opened.isFollowUp)
      planned.push({ ...notify("added_to_ticket", [clientsOn(id)]), itemId: addedItem(ctx, notification) });
  }
  if (message?.isInternal && message.mentions?.length)
    planned.push({ itemId: message.id, recipients: [{ event: "mentioned", people: staffAmong(message.mentions) }] });
  if (message && !message.isInternal) planned.push(replyNotification(ctx, notification, message.id));
  if (statusBefore && (statusBefore !== ticket.status || notification.resolution !== undefined)) {
    // A reply says by itself that the client has come back.
    if (isByClient && !message) planned.push(notify("moved_by_client", responsible, ticket.status));
    // That somebody works on it, or waits, shows in the portal.
    if (!isActive(ticket.status) || !isActive(statusBefore))
      planned.push({ ...notify("status_changed", [clientsOn(id)], ticket.status), ...undoWindow(ctx, notification) });
  }
  if (notification.assigned) planned.push(notify("assigned_to_me", [assigneeOf(id)]));
  if (notification.personAdded) planned.push(notify("added_to_ticket", [clientOn(id, notification.personAdded.id)]));
  if (notification.movedHere) planned.push(notify("moved_here", [clientsOn(id)]));
  if (notification.sla) planned.push(notify("promise_at_risk", responsible, notification.sla));
  if (notification.reminded) planned.push(notify("reminded", [clientsOn(id)], notification.reminded));
  return planned;
}

function replyNotification(
  { now }: Pick<Ctx, "now">,
  { ticket: { id }, actor, message }: TicketNotification,
  messageId: string,
): PlannedNotification {
  const isByStaff = actor.side === "staff";
  return {
    itemId: messageId,
    recipients: [
      { event: isByStaff ? "staff_replied" : "colleague_replied", people: clientsOn(id) },
      { event: "reply_on_mine", people: assigneeOf(id) },
      ...(isByStaff ? [] : [{ event: "reply_on_unassigned", people: staffIfUnassigned(id) } as const]),
    ],
    ...undoWindow({ now }, { actor, message }),
  };
}

/** Keeps the mails of what staff do, and of what clients write, until it cannot be taken back any more. */
const undoWindow = (
  { now }: Pick<Ctx, "now">,
  { actor: { side }, message }: Pick<TicketNotification, "actor" | "message">,
): Pick<PlannedNotification, "holdUntil"> =>
  side === "staff" || (side === "client" && message) ? { holdUntil: now() + UNDO_WINDOW } : {};

/*
 * Queries for people who hear of a ticket: `user_id`, and `organization_id` for those who read it in the portal. They
 * run inside the batch of a change and after it, so that the new assignee hears of it, and nobody who was just removed.
 */

const ticketWhere = (id: string, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM support_tickets t WHERE t.id = ${id} AND ${condition})`;

const assigneeOf = (id: string): SQL =>
  sql`${activeStaff} AND r.user_id = (SELECT assigned_to FROM support_tickets WHERE id = ${id})`;

const staffAmong = (userIds: readonly string[]): SQL =>
  sql`${activeStaff} AND r.user_id IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`;

/** Returns the query for all staff, if a ticket is assigned to nobody, or to somebody who no longer works here. */
const staffIfUnassigned = (id: string): SQL =>
  sql`${activeStaff} AND ${ticketWhere(
    id,
    sql`(t.assigned_to IS NULL OR NOT EXISTS (SELECT 1 FROM user_roles h JOIN users p ON p.id = h.user_id
      WHERE h.user_id = t.assigned_to AND h.role IN ('admin', 'moderator') AND p.status = 'active'))`,
  )}`;

const readersOf = (id: string): SQL => sql`
  SELECT m.user_id, m.organization_id FROM support_tickets t
  JOIN (SELECT id AS ticket_id, created_by AS user_id FROM support_tickets WHERE id = ${id}
    UNION SELECT ticket_id, user_id FROM ticket_people WHERE ticket_id = ${id}) p ON p.ticket_id = t.id
  JOIN organization_memberships m ON m.user_id = p.user_id AND m.organization_id = t.organization_id
    AND m.status = 'active'
  JOIN users u ON u.id = m.user_id AND u.status = 'active'
  WHERE t.id = ${id}`;

/**
 * Returns the query for the clients who hear of a ticket: its creator and the people on it. If none of them belongs to
 * its organization any more, because they have left or it was moved, its owner and admins hear of it.
 */
const clientsOn = (id: string): SQL => sql`${readersOf(id)} UNION ALL
  SELECT m.user_id, m.organization_id FROM support_tickets t
  JOIN organization_memberships m ON m.organization_id = t.organization_id AND m.role <> 'member'
    AND m.status = 'active'
  JOIN users u ON u.id = m.user_id AND u.status = 'active'
  WHERE t.id = ${id} AND t.contact_id IS NULL AND NOT EXISTS (${readersOf(id)})`;

const clientOn = (id: string, userId: string | null): SQL => sql`${readersOf(id)} AND m.user_id = ${userId}`;

/** Sets how long nobody gets a second confirmation: two automatic programs must not answer each other. */
const ONE_PER = hours(1);

/** Returns the condition that no ticket was confirmed to an address since a time, with an account or without. */
const isUnconfirmed = (email: SQL, since: Instant): SQL => sql`NOT ${isProgramMailbox(email)}
  AND NOT EXISTS (SELECT 1 FROM users x CROSS JOIN outbox o ON o.user_id = x.id AND o.kind = 'ticket-received'
    AND o.created_at > ${since} WHERE x.email = ${email})
  AND NOT EXISTS (SELECT 1 FROM ticket_copies x CROSS JOIN outbox o ON o.copy_id = x.id AND o.kind = 'ticket-received'
    AND o.created_at > ${since} WHERE x.email = ${email} AND x.added_at > ${since})`;

/**
 * Returns the statement that confirms a new ticket to the client who opened it, by mail only and at once. It is a
 * receipt and no notification: so it goes to the very person who did it, unless they have switched it off. Where
 * neither account nor contact is named, they have become known with it, and it is their ticket.
 */
function acknowledgeTicket(
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticketId, userId, contactId }: Pick<TicketActor, "userId" | "contactId"> & { ticketId: string },
): Statement {
  const at = now();
  const opener =
    userId === null
      ? sql`SELECT NULL AS user_id, c.id AS copy_id FROM ticket_copies c
          JOIN support_tickets t ON t.id = c.ticket_id AND c.contact_id = ${contactId ?? sql`t.contact_id`}
          WHERE c.ticket_id = ${ticketId} AND c.stopped_mailbox IS NULL AND ${isUnconfirmed(sql`c.email`, at - ONE_PER)}`
      : sql`SELECT u.id AS user_id, NULL AS copy_id FROM users u WHERE u.id = ${userId}
          AND coalesce((SELECT by_mail FROM notification_preferences
            WHERE user_id = u.id AND event = 'ticket_received'), 1)
          AND ${isUnconfirmed(sql`u.email`, at - ONE_PER)}`;
  // Every column in its order, as an insert from a query has them.
  return db.insert(outbox).select(sql`
    SELECT 'mail_' || lower(hex(randomblob(13))), 'ticket-received', '', '', opener.user_id, 'ticket', ${ticketId}, 1,
      'pending', 0, ${at}, NULL, NULL, NULL, ${at}, NULL, opener.copy_id, NULL
    FROM (${opener}) opener WHERE true`);
}

const ASKED_EVERY = days(7);

/**
 * Returns the statement that asks whoever gets the mail that a ticket was resolved whether it is solved: each person
 * once in seven days. It follows those that queue the mail, and has the time of its event.
 */
function askSolved({ db, now }: Pick<Ctx, "db" | "now">, ticketId: string): Statement {
  const at = now();
  return db
    .insert(solvedQuestions)
    .select(sql`
      SELECT o.user_id, ${ticketId}, ${at} FROM outbox o
      WHERE o.subject_type = 'ticket' AND o.subject_id = ${ticketId} AND o.params_enc = '' AND o.user_id IS NOT NULL
        AND EXISTS (SELECT 1 FROM mail_events e WHERE e.outbox_id = o.id AND e.event = 'status_changed'
          AND e.detail = 'resolved' AND e.at = ${at})`)
    .onConflictDoUpdate({
      target: solvedQuestions.user_id,
      set: { ticket_id: sql`excluded.ticket_id`, asked_at: sql`excluded.asked_at` },
      setWhere: sql`${solvedQuestions.asked_at} <= ${at - ASKED_EVERY}`,
    });
}

type MailedToCc = {
  ticketId: string;
  event: NotificationEvent;
  itemId: string;
  detail?: string;
  actorName: string;
  holdUntil?: Instant;
  isUrgent: boolean;
  /** Tells that only the person is mailed whose ticket it is, if they have no account. */
  isForContact?: boolean;
  /** Names the contact who did it, and knows. */
  author?: string;
  notTo?: readonly string[];
  /** Holds the id of the one copy that is mailed; absent: all of the ticket are. */
  ccId?: string;
};

/** Queries the copies of a ticket. Those that are mailed nothing, because they asked for no more, are among them. */
const copiesOn = (
  ticketId: string,
  { isForContact, author, notTo = [], ccId }: Pick<MailedToCc, "isForContact" | "author" | "notTo" | "ccId"> = {},
): SQL => sql`SELECT c.id FROM ticket_copies c JOIN support_tickets t ON t.id = c.ticket_id
  WHERE c.ticket_id = ${ticketId} AND (t.is_private = 0 OR c.contact_id IS NOT NULL) AND c.removed_at IS NULL
    AND c.contact_id IS NOT ${author ?? ""}
    ${isForContact ? sql`AND c.contact_id IS NOT NULL` : sql``} ${ccId ? sql`AND c.id = ${ccId}` : sql``}
    ${notTo.length > 0 ? sql`AND c.id NOT IN (SELECT value FROM json_each(${JSON.stringify(notTo)}))` : sql``}`;

/** Limits the people who are named beside a reply: of a ticket that has more, the others cannot be left out. */
const RECIPIENTS_LISTED = 100;

/** Describes whoever gets a reply of staff. `kind`: an address in cc is from outside the organization. */
export type ReplyRecipient = { id: string; name: string; kind: "member" | "contact" | "copy" };

/**
 * Lists who gets a reply of one of the staff, by the queries by which it is sent. An address that asked for no more
 * copies is listed like any other: what its owner has chosen is nobody else's to find out.
 */
export async function listReplyRecipients(db: Db, ticketId: string, userId: string): Promise<ReplyRecipient[]> {
  const recipient = recipientsOf({
    subject: { type: "ticket", id: ticketId },
    recipients: [{ event: "staff_replied", people: clientsOn(ticketId) }],
    actor: { userId },
  });
  const [people, copies] = await Promise.all([
    db.all<ReplyRecipient>(sql`
      SELECT u.id, u.full_name AS name, 'member' AS kind FROM (${recipient}) recipient CROSS JOIN users u ON u.id = recipient.user_id
      WHERE recipient.by_mail OR recipient.in_app ORDER BY u.full_name, u.id LIMIT ${RECIPIENTS_LISTED}`),
    db.all<ReplyRecipient>(sql`
      SELECT c.id, coalesce(k.full_name, c.email) AS name, iif(k.id IS NULL, 'copy', 'contact') AS kind
      FROM ticket_copies c LEFT JOIN contacts k ON k.id = c.contact_id
      WHERE c.id IN (${copiesOn(ticketId)}) ORDER BY k.id IS NULL, c.added_at, c.id`),
  ]);
  return [...people, ...copies];
}

/**
 * Returns the statements that mail what has happened to the addresses that get copies of a ticket: collected like the
 * mails to people, and of a private ticket to nobody. What they say is read when they leave.
 */
function mailCc(ctx: Pick<Ctx, "db" | "now">, mailed: MailedToCc): Statement[] {
  const { ticketId, event, itemId, detail = "", actorName, holdUntil, isUrgent, ...whom } = mailed;
  const now = ctx.now();
  const leavesAt = Math.max(isUrgent ? now : now + BUNDLED_FOR, holdUntil ?? now);
  const copies = sql`${copiesOn(ticketId, whom)} AND c.stopped_mailbox IS NULL`;
  // The plus keeps SQLite from going through every mail that waits.
  const openMail = sql`FROM outbox o WHERE o.copy_id = c.id AND o.kind = 'ticket-copy' AND +o.status = 'pending'
    AND o.params_enc = ''`;
  // Every column in its order, as an insert from a query has them.
  return [
    ctx.db.insert(outbox).select(sql`
      SELECT 'mail_' || lower(hex(randomblob(13))), 'ticket-copy', '', '', NULL, 'ticket', ${ticketId}, 1, 'pending', 0,
        ${leavesAt}, NULL, NULL, NULL, ${now}, NULL, c.id, NULL
      FROM (${copies}) c WHERE NOT EXISTS (SELECT 1 ${openMail})`),
    ctx.db
      .insert(mailEvents)
      .select(sql`
      SELECT (SELECT o.id ${openMail} LIMIT 1), ${event}, ${itemId}, ${detail}, ${actorName}, ${now} FROM (${copies}) c
      WHERE true`)
      .onConflictDoNothing(),
    ...(holdUntil
      ? [
          ctx.db
            .update(outbox)
            .set({ next_at: sql`max(${outbox.next_at}, ${holdUntil})` })
            .where(
              sql`${outbox.copy_id} IN (${copies}) AND +${outbox.status} = 'pending' AND ${outbox.params_enc} = ''`,
            ),
        ]
      : []),
  ];
}
