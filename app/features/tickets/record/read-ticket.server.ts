import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readFileRoom, shortRoomText } from "~/features/attachments/file-quota.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { offerCannedReplies } from "~/features/canned-replies/queries.server";
import { listDrafts, listTicketEvents, listTicketFiles, readMessages } from "~/features/conversation/messages.server";
import { listNotes } from "~/features/notes/queries.server";
import { isMuted } from "~/features/notifications/queries.server";
import type { PlanNames } from "~/features/settings/model";
import { getSettings, planNamesIn, readInSiteZone } from "~/features/settings/queries.server";
import { referenceNumber } from "~/lib/ids";
import type { TicketStatus } from "~/lib/ticket-values";
import type { Ctx } from "~/platform/context.server";
import { countUses, usesInWords } from "../allowances/ledger.server";
import { listProposedCc } from "../cc/queries.server";
import { type Colleague, mentionsIn, mentionText } from "../internal-note.server";
import { COVERAGE_LABELS } from "../labels";
import { listDeliveries } from "../mails/delivery.server";
import { contractYearOf } from "../model";
import { listReplyRecipients } from "../notify-ticket.server";
import { staffTicketPath } from "../paths";
import { findTicketForStaff, listColleagues, listFollowUps, listPeople, type StoredTicket } from "../queries.server";
import { breachedReply, slaStateOf, targetsOf } from "../sla/clock";
import { coverageOf } from "../sla/due-times";
import { explainTarget, PAUSED_FOR_STAFF, targetDue } from "../sla/explain";
import { ticketList } from "../staff-list/definition";
import { ticketRows } from "../staff-list/definition.server";
import { threadOf } from "../thread.server";
import { findSentBefore, findUndoable, shownUndoable } from "../undo-reply.server";

/** Returns the address of a ticket's page that keeps the filter of the list one came from. */
export const listedTicketPath = (ticket: string, params: URLSearchParams): string => {
  const query = ticketList.query(ticketList.readFilter(params));
  return query ? `${staffTicketPath(ticket)}?${query}` : staffTicketPath(ticket);
};

export async function readPlaceInList(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  { id, params }: { id: string; params: URLSearchParams },
) {
  const filter = ticketList.readFilter(params);
  const { value } = await readInSiteZone(db, (zone) =>
    ticketRows.neighbours(db, { filter, viewer: { actor, zone, now: now() }, id, column: "number" }),
  );
  const pathOf = (number: string | null) =>
    number === null ? null : listedTicketPath(referenceNumber("ticket", Number(number)), params);
  return { path: ticketList.pathTo(filter), previous: pathOf(value.previous), next: pathOf(value.next) };
}

type TicketRequest = {
  ref: string;
  /** Of the address: the filter of the list, and as `before` the message before which the conversation is shown. */
  params: URLSearchParams;
  /** Null: they could not be read. */
  staffRead: Promise<readonly Colleague[] | null>;
};

export async function readTicket(
  { config, db, now }: Pick<Ctx, "config" | "db" | "now">,
  actor: StaffActor,
  { ref, params, staffRead }: TicketRequest,
) {
  const before = params.get("before");
  const ticket = await findTicketForStaff(db, ref);
  if (!ticket) return null;
  const { id, organization } = ticket;
  const [
    conversation,
    events,
    files,
    drafts,
    people,
    recipients,
    proposedCc,
    followUps,
    recent,
    { colleagues, isMore },
    [creator],
    sentBefore,
    notes,
    staff,
    canned,
    mails,
    undoable,
    muted,
    used,
    settings,
    room,
    list,
  ] = await Promise.all([
    readMessages(db, id, { withInternal: true, before }),
    listTicketEvents(db, id, { before }),
    listTicketFiles(db, id, { withInternal: true, before }),
    listDrafts(db, id, actor.userId),
    listPeople(db, id),
    listReplyRecipients(db, id, actor.userId),
    listProposedCc(db, id),
    listFollowUps(db, id, null),
    listRecentTickets(db, ticket),
    listColleagues(db, ticket),
    db.all<{ email: string; phone: string }>(sql`
      SELECT u.email, coalesce(nullif(u.phone, ''), c.phone, '') AS phone FROM users u
      LEFT JOIN contacts c ON c.email = u.email AND c.organization_id = ${organization.id}
      WHERE u.id = ${ticket.creator.id ?? ""}`),
    findSentBefore({ db, now }, actor.userId, (reference) => listedTicketPath(reference, params)),
    listNotes(db, { type: "organization", id: organization.id }, { limit: NOTES_SHOWN, before: null }),
    staffRead,
    offerCannedReplies(db, actor.userId),
    listDeliveries({ config, db, now }, id),
    findUndoable(db, { ticket, userId: actor.userId, now: now() }),
    isMuted(db, { subject: { type: "ticket", id }, userId: actor.userId }),
    countUses(db, organization.id),
    getSettings(db),
    readFileRoom({ db, now }, { userId: actor.userId, side: "staff" }, organization.id),
    readPlaceInList({ db, now }, actor, { id, params }),
  ]);
  const zone = settings.timeZone;
  const planNames = planNamesIn(settings);
  const { entries, sent, earlier, latest } = threadOf({
    ticket,
    conversation,
    events,
    files,
    mails,
    isNewest: before === null,
    reader: {
      userId: actor.userId,
      side: "staff",
      nameOf: ({ actor: name, side }) => (side === "system" ? "The system" : name),
      labels: { them: organization.name, us: "Reply", inside: "Internal note – the client never sees this" },
    },
    now: now(),
  });
  const sentEntry = entries.find((entry) => entry.id === sent);
  const note = sentEntry?.kind === "message" && sentEntry.from === "inside" ? sentEntry : null;
  const draftOf = (kind: "reply" | "note") => drafts.find((draft) => draft.kind === kind) ?? null;
  const { description: _, sla: __, ...shown } = ticket;
  const reference = referenceNumber("ticket", ticket.number);
  return {
    ticket: { ...shown, reference },
    path: listedTicketPath(reference, params),
    list,
    ownId: actor.userId,
    thread: entries,
    earlier,
    latest,
    isEarlier: before !== null,
    drafts: { reply: draftOf("reply"), note: draftOf("note") },
    room: shortRoomText(room),
    recipients,
    proposedCc,
    isLate: breachedReply(slaStateOf(ticket.sla.json, ticket.priority), now()) !== null,
    slas: targetsForStaff(ticket, { zone, now: now(), planNames }),
    about: {
      isMuted: muted,
      people,
      colleagues,
      hasMoreColleagues: isMore,
      creatorEmail: creator?.email ?? ticket.contact?.email ?? null,
      creatorPhone: creator?.phone || ticket.contact?.phone || null,
      plan: planNames[organization.plan],
      coverage: COVERAGE_LABELS[coverageOf(organization.plan)],
      allowances: usesInWords(organization, used, contractYearOf({ ...organization, zone }, now())),
      recent,
      followUps: followUps.map((each) => ({ ...each, reference: referenceNumber("ticket", each.number) })),
      followUpOf: ticket.followUpOf && referenceNumber("ticket", ticket.followUpOf.number),
      notes: notes.map(({ id: noteId, author, text, createdAt }) => ({ id: noteId, author, text, createdAt })),
    },
    staff: staff?.map(({ id: staffId, fullName }) => ({ id: staffId, name: fullName })) ?? null,
    canned,
    undoable: shownUndoable(undoable, { zone, now: now() }),
    sentBefore: sentBefore?.reference === reference ? null : sentBefore,
    /**
     * Names the message, or what was done, that the reader has just sent, and says whom a note has told; null: nothing.
     */
    sent: sentEntry
      ? {
          id: sentEntry.id,
          isInternal: note !== null,
          mentions: note && staff && mentionText(mentionsIn(note.text, staff), actor.userId),
        }
      : null,
    zone,
  };
}

const NOTES_SHOWN = 3;
const RECENT_SHOWN = 5;

const PROMISED = { first_response: "First reply", next_response: "Next reply", resolution: "Resolution" } as const;

function targetsForStaff(
  { sla, priority }: StoredTicket,
  { zone, now, planNames }: { zone: string; now: number; planNames: PlanNames },
) {
  return targetsOf(slaStateOf(sla.json, priority)).map((target) => {
    const due = targetDue(target, { zone, now });
    return {
      label: PROMISED[target.kind],
      due,
      paused: due ? null : PAUSED_FOR_STAFF,
      reasons: explainTarget(target, { side: "staff", zone, planNames }).map(({ term, text: detail }) => {
        return { term, detail };
      }),
    };
  });
}

async function listRecentTickets(db: Db, { id, organization }: StoredTicket) {
  const rows = await db.all<{ id: string; number: number; title: string; status: TicketStatus }>(sql`
    SELECT id, number, title, status FROM support_tickets
    WHERE organization_id = ${organization.id} AND id <> ${id} ORDER BY opened_rank DESC LIMIT ${RECENT_SHOWN}`);
  return rows.map((row) => ({ ...row, reference: referenceNumber("ticket", row.number) }));
}
