import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { BUNDLED_FOR, type NotificationEvent, UNDO_WINDOW } from "~/features/notifications/model";
import { notifyPeople } from "~/features/notifications/notify-people.server";
import type { TicketPriority, TicketStatus } from "~/lib/ticket-words";
import type { Ctx } from "~/platform/context.server";
import { mailCopies } from "./copies/mail-copies.server";
import { STATUS_LABELS } from "./copy";
import { acknowledgeTicket } from "./mails/acknowledge.server";
import { askSolved } from "./mails/ask-solved.server";
import { allStaff, assigneeOf, clientOn, clientsOn, staffAmong, staffIfUnassigned } from "./mails/recipients.server";
import { isActive, type TicketActor } from "./model";

/** Holds what has happened to a ticket, for those who want to be told. Absent: it did not happen. */
export type TicketAnnouncement = {
  ticket: {
    id: string;
    organization: { id: string; name: string };
    priority: TicketPriority;
    /** Names the status after the change. */
    status: TicketStatus;
    creator: { id: string | null; name: string };
    /** Names who had it before the change. */
    assignee: { id: string; name: string } | null;
    isPrivate: boolean;
  };
  actor: TicketActor;
  /** Holds the description of a ticket that was opened: by the client, or by staff for the client. */
  opened?: {
    description: string;
    /** Tells whether it goes on from another one, whose people are on it too. */
    isFollowUp?: boolean;
  };
  /** Holds the message. `mentions`: the staff whom an internal note names. */
  message?: { id: string; text: string; isInternal: boolean; mentions?: readonly string[] };
  statusBefore?: TicketStatus;
  /** Says what was done, as the client reads it. */
  resolution?: string;
  /** Names who has it from now on. */
  assigned?: { id: string; name: string };
  personAdded?: { id: string; name: string };
  /** Names an address that gets copies from now on. */
  copyAdded?: string;
  /** Tells whether it belongs to another organization from now on, whose people are told. */
  movedHere?: true;
  /** Says that a promised time is near, or has passed: of a reply, or of its resolution. */
  promise?: "near" | "missed" | "resolution_near" | "resolution_missed";
  /** Tells what the client is reminded of: that we wait, or that it will be closed. */
  reminded?: "waiting" | "closing";
};

type PlannedNotification = Pick<Parameters<typeof notifyPeople>[1], "itemId" | "detail" | "recipients" | "holdUntil">;

/**
 * Returns the statements that tell people of a change, for its batch: notifications and mails. They belong after the
 * change itself. Of an internal note only staff are told whom it names, and only that it does.
 */
export async function announceTicket(
  ctx: Pick<Ctx, "db" | "newId" | "now">,
  announcement: TicketAnnouncement,
): Promise<Statement[]> {
  const { ticket, actor } = announcement;
  // One time for the whole change, by which the parts of it are told to belong together.
  const at = ctx.now();
  const moment = { ...ctx, now: () => at };
  const subject = { type: "ticket", id: ticket.id } as const;
  const statements = notificationsOf(moment, announcement).flatMap((planned) => {
    const status =
      planned.detail && planned.detail in STATUS_LABELS ? STATUS_LABELS[planned.detail as TicketStatus] : null;
    return notifyPeople(moment, {
      ...planned,
      subject,
      actor: { userId: actor.userId, fullName: actor.side === "system" ? "" : actor.fullName },
      // By the number in the database: a ticket that is being opened gets it inside the batch.
      label: sql`(SELECT 'T-' || number || ' ' || title FROM support_tickets WHERE id = ${ticket.id})
        || ${status ? `: ${status}` : ""}`,
      mail: "ticket-update",
      isUrgent: isUrgentFor(moment, announcement),
    });
  });
  const opener = announcement.opened && actor.side === "client" ? actor.userId : null;
  return [
    ...(opener === null ? [] : [acknowledgeTicket(moment, { ticketId: ticket.id, userId: opener })]),
    ...statements,
    ...copiesOf(moment, announcement),
    ...(announcement.statusBefore && ticket.status === "resolved" ? [askSolved(moment, ticket.id)] : []),
  ];
}

/**
 * Tells whether people hear of it at once: if it is urgent, and not one more that clients of an organization which has
 * just done so have opened as urgent. Its mail is then collected with those of the others.
 */
function isUrgentFor({ now }: Pick<Ctx, "now">, { ticket, opened, actor }: TicketAnnouncement): SQL {
  if (ticket.priority !== "urgent") return sql`0`;
  if (!opened || actor.side !== "client") return sql`1`;
  return sql`NOT EXISTS (SELECT 1 FROM (
      SELECT priority, created_at, opened_by FROM support_tickets
      WHERE organization_id = ${ticket.organization.id} AND id <> ${ticket.id} ORDER BY number DESC LIMIT 20)
    WHERE priority = 'urgent' AND opened_by IS NULL AND created_at > ${now() - BUNDLED_FOR})`;
}

/** Holds what addresses that get copies are told of. */
const COPIED: readonly NotificationEvent[] = ["staff_replied", "colleague_replied", "status_changed"];

/** Returns the statements that mail copies: of public messages, of how it ends or goes on, and that they begin. */
function copiesOf(ctx: Pick<Ctx, "db" | "newId" | "now">, announcement: TicketAnnouncement): Statement[] {
  const { ticket, actor, copyAdded } = announcement;
  const common = {
    ticketId: ticket.id,
    actorName: actor.side === "system" ? "" : actor.fullName,
    isUrgent: ticket.priority === "urgent",
  };
  const planned = notificationsOf(ctx, announcement).flatMap(({ recipients, ...rest }) => {
    const event = recipients.map((one) => one.event).find((one) => COPIED.includes(one));
    return event ? [{ ...rest, event }] : [];
  });
  return [
    ...planned.flatMap((one) => mailCopies(ctx, { ...common, ...one })),
    ...(copyAdded
      ? mailCopies(ctx, { ...common, event: "added_to_ticket", itemId: ctx.newId("tnw"), copyId: copyAdded })
      : []),
  ];
}

/** Returns what is told, with the people who hear of it: one entry for each thing that has happened. */
function notificationsOf(ctx: Pick<Ctx, "newId" | "now">, announcement: TicketAnnouncement): PlannedNotification[] {
  const { ticket, actor, message, statusBefore } = announcement;
  const { id } = ticket;
  const isByClient = actor.side === "client";
  const responsible = [assigneeOf(id), staffIfUnassigned(id)];
  const telling = (event: NotificationEvent, people: readonly SQL[], detail = ""): PlannedNotification => ({
    itemId: ctx.newId("tnw"),
    detail,
    recipients: people.map((each) => ({ event, people: each })),
  });
  const planned: PlannedNotification[] = [];
  if (announcement.opened) {
    planned.push(telling("ticket_opened", [allStaff]));
    if (!isByClient) planned.push(telling("opened_for_you", [clientOn(id, ticket.creator.id)]));
    if (announcement.opened.isFollowUp) planned.push(telling("added_to_ticket", [clientsOn(id)]));
  }
  if (message?.isInternal && message.mentions?.length)
    planned.push({ itemId: message.id, recipients: [{ event: "mentioned", people: staffAmong(message.mentions) }] });
  if (message && !message.isInternal) planned.push(replyNotification(ctx, announcement, message.id));
  if (statusBefore && (statusBefore !== ticket.status || announcement.resolution !== undefined)) {
    // A reply says by itself that the client has come back.
    if (isByClient && !message) planned.push(telling("moved_by_client", responsible, ticket.status));
    // That somebody works on it, or waits, shows in the portal.
    if (!isActive(ticket.status) || !isActive(statusBefore))
      planned.push({ ...telling("status_changed", [clientsOn(id)], ticket.status), ...undoWindow(ctx, announcement) });
  }
  if (announcement.assigned) planned.push(telling("assigned_to_me", [assigneeOf(id)]));
  if (announcement.personAdded) planned.push(telling("added_to_ticket", [clientOn(id, announcement.personAdded.id)]));
  if (announcement.movedHere) planned.push(telling("moved_here", [clientsOn(id)]));
  if (announcement.promise) planned.push(telling("promise_at_risk", responsible, announcement.promise));
  if (announcement.reminded) planned.push(telling("reminded", [clientsOn(id)], announcement.reminded));
  return planned;
}

/** Returns who hears of a public message: the other people on the ticket, and whoever of staff has it. */
function replyNotification(
  { now }: Pick<Ctx, "now">,
  { ticket: { id }, actor, message }: TicketAnnouncement,
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
  { actor: { side }, message }: Pick<TicketAnnouncement, "actor" | "message">,
): Pick<PlannedNotification, "holdUntil"> =>
  side === "staff" || (side === "client" && message) ? { holdUntil: now() + UNDO_WINDOW } : {};
