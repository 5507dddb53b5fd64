import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { countUpTo, type Db } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { submissionAssignments, submissionEvents, submissionReplies } from "~/db/schema/submissions";
import type { StaffActor } from "~/features/auth/guards.server";
import type { MailState } from "~/features/conversation/model";
import { pauseWords, readMailPause, shownMailStatus } from "~/features/mail/mail-pause.server";
import { ADDRESS_HELD, failureWords, type MailStatus, UNDELIVERED } from "~/features/mail/model";
import { listedNote, listNotes } from "~/features/notes/queries.server";
import { organizationPath } from "~/features/organizations/model";
import { estimateFacts } from "~/features/pricing/current-prices";
import { estimatePath } from "~/features/pricing/estimate";
import { planNamesIn, readInSiteZone } from "~/features/settings/queries.server";
import type { StaffMember } from "~/features/users/queries.server";
import { STAFF_NEW_TICKET_PATH, withParams } from "~/lib/addresses";
import { MODERATION_LABELS } from "~/lib/moderation";
import { capped } from "~/lib/numbers";
import { dayIn, type Instant } from "~/lib/time";
import { justSent, shortDay } from "~/lib/time-labels";
import type { Ctx } from "~/platform/context.server";
import { idParam } from "~/platform/responses.server";
import { formatInstant } from "~/ui/text";
import { SUBMISSION_STATUS_LABELS } from "../labels";
import { recordPath, submissionList } from "../list/definition";
import { submissionRows } from "../list/definition.server";
import {
  CONVERSATION_FILTERS,
  type ConversationEntry,
  type ConversationFilter,
  type Delivery,
  type KnownSender,
  type ShownEntry,
  type StatusChange,
  type SubmissionEntries,
  type SubmissionStatus,
  type TimelineEntry,
} from "../model";
import type { SubmissionRecord } from "../queries.server";
import { FIRST_RESPONSE, findSubmission, listRepeats, RELEASED_FROM, UNLINKED_FROM } from "../queries.server";
import { replyDue } from "../reply-target";
import { makeClientPath, notePath } from "../subject";

export async function findFirstResponse(db: Db, submissionId: string): Promise<Instant | null> {
  const [row] = await db.all<{ at: number | null }>(sql`
    SELECT ${sql.raw(FIRST_RESPONSE)} AS at FROM contact_submissions t WHERE t.id = ${submissionId}`);
  return row?.at ?? null;
}

/** Tells of a mail whether it waits because earlier mail to its address came back. */
export const IS_ADDRESS_HELD: SQL = sql`(${outbox.status} = 'pending' AND ${outbox.last_error} = ${ADDRESS_HELD})`;

export async function findReply(db: Db, { submissionId, replyId }: { submissionId: string; replyId: string }) {
  const t = submissionReplies;
  const [reply] = await db
    .select({
      author: t.actor_name,
      message: t.message,
      mailId: t.mail_id,
      isUndelivered: sql<boolean>`coalesce(${inArray(outbox.status, UNDELIVERED)}, 0)`.mapWith(Boolean),
      isAddressHeld: sql<boolean>`coalesce(${IS_ADDRESS_HELD}, 0)`.mapWith(Boolean),
    })
    .from(t)
    .leftJoin(outbox, eq(outbox.id, t.mail_id))
    .where(and(eq(t.id, replyId), eq(t.submission_id, submissionId)));
  return reply;
}

/** More than anybody has. */
const MEMBERSHIPS_LIMIT = 20;

export const findKnownSender = (db: Db, submissionId: string): Promise<KnownSender | null> =>
  findKnownAddress(db, sql`(SELECT email FROM contact_submissions WHERE id = ${submissionId})`);

/** Null when the address is nobody's. */
export async function findKnownAddress(db: Db, address: SQL): Promise<KnownSender | null> {
  const [accounts, memberships] = await Promise.all([
    db.all<Omit<NonNullable<KnownSender["account"]>, "role"> & { role: "admin" | "moderator" | "user" | null }>(sql`
      SELECT u.full_name AS name, r.role, u.status FROM users u LEFT JOIN user_roles r ON r.user_id = u.id
      WHERE u.email = ${address}`),
    db.all<KnownSender["memberships"][number]>(sql`
      SELECT o.id AS organizationId, o.name AS organization, m.role, m.status
      FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = (SELECT id FROM users WHERE email = ${address})
        OR (m.status = 'pending' AND m.invited_email = ${address})
      ORDER BY o.name LIMIT ${MEMBERSHIPS_LIMIT}`),
  ]);
  const [account] = accounts;
  if (!account && memberships.length === 0) return null;
  return {
    account: account ? { ...account, role: account.role ?? "user" } : null,
    memberships,
  };
}

type Address = { params: { submissionId?: string; noteId?: string }; searchParams: URLSearchParams };

/** With the filter of the list it was opened from. Throws a 404 response if it names no ids. */
export function noteOnSubmission({ params, searchParams }: Address) {
  const id = idParam("sub", params.submissionId);
  const noteId = idParam("note", params.noteId);
  const filter = submissionList.readFilter(searchParams);
  const query = submissionList.query(filter);
  return {
    subject: { type: "submission", id } as const,
    noteId,
    path: notePath(id, noteId, { query }),
    deletionPath: notePath(id, noteId, { page: "delete", query }),
    back: recordPath(id, filter),
  };
}

/** The newest first: at most so many of each kind, only those before an instant. */
type Range = { limit: number; before: Instant | null };

const NEWEST: Range = { limit: 50, before: null };

const isIn = (columns: { submission_id: SQLiteColumn; at: SQLiteColumn }, submissionId: string, { before }: Range) =>
  and(eq(columns.submission_id, submissionId), before === null ? undefined : lt(columns.at, before));

export async function listStatusChanges(db: Db, submissionId: string, range = NEWEST): Promise<StatusChange[]> {
  const rows = await db
    .select({
      id: submissionEvents.id,
      from: submissionEvents.from_status,
      to: submissionEvents.to_status,
      actor: submissionEvents.actor_name,
      at: submissionEvents.at,
      madeClient: submissionEvents.made_client,
    })
    .from(submissionEvents)
    .where(isIn(submissionEvents, submissionId, range))
    .orderBy(desc(submissionEvents.at))
    .limit(range.limit);
  return rows.map(({ from, to, ...row }) => ({
    ...row,
    to: to as SubmissionStatus,
    released: from === RELEASED_FROM,
    unlinked: from === UNLINKED_FROM,
  }));
}

type Entry<Kind extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: Kind }>;

async function listAssignments(db: Db, submissionId: string, range: Range): Promise<Entry<"assignment">[]> {
  const rows = await db
    .select({
      id: submissionAssignments.id,
      actor: submissionAssignments.actor_name,
      at: submissionAssignments.at,
      owner: submissionAssignments.owner_name,
      followUpOn: submissionAssignments.follow_up_on,
    })
    .from(submissionAssignments)
    .where(isIn(submissionAssignments, submissionId, range))
    .orderBy(desc(submissionAssignments.at))
    .limit(range.limit);
  return rows.map((row, index) => {
    const previous = rows[index + 1] ?? { owner: null, followUpOn: null };
    return {
      kind: "assignment",
      ...row,
      ownerChanged: row.owner !== previous.owner,
      followUpChanged: row.followUpOn !== previous.followUpOn,
    };
  });
}

export async function listReplies(db: Db, submissionId: string, range: Range): Promise<Entry<"reply">[]> {
  const t = submissionReplies;
  const rows = await db
    .select({
      id: t.id,
      actorId: t.actor_id,
      actor: t.actor_name,
      at: t.at,
      message: t.message,
      mailId: t.mail_id,
      status: sql<MailStatus | null>`${sql.raw(shownMailStatus("outbox"))}`,
      sentAt: outbox.sent_at,
      nextAt: outbox.next_at,
      reason: outbox.last_error,
    })
    .from(t)
    .leftJoin(outbox, eq(outbox.id, t.mail_id))
    .where(isIn(t, submissionId, range))
    .orderBy(desc(t.at))
    .limit(range.limit);
  return rows.map(({ mailId, status, sentAt, nextAt, reason, ...row }) => ({
    kind: "reply",
    ...row,
    // A mail that was removed had been sent before.
    delivery: mailId
      ? {
          status: status ?? "sent",
          at: sentAt,
          nextAt,
          reason: status === "bounced" || status === "dead" ? reason : null,
        }
      : null,
  }));
}

export async function listTimeline(db: Db, submissionId: string, range = NEWEST): Promise<TimelineEntry[]> {
  const [changes, assignments, replies] = await Promise.all([
    listStatusChanges(db, submissionId, range),
    listAssignments(db, submissionId, range),
    listReplies(db, submissionId, range),
  ]);
  return [...changes.map((change) => ({ kind: "status" as const, ...change })), ...assignments, ...replies];
}

const ENTRIES_COUNTED = 99;

const PAGE = 50;

type View = { shown: ConversationFilter; before: Instant | null };

/** Anything malformed shows all of it, up to now. */
export function conversationView(params: URLSearchParams): View {
  const before = params.get("until") ?? "";
  return {
    shown: CONVERSATION_FILTERS.find((shown) => shown === params.get("show")) ?? "all",
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  };
}

/** One round trip. However long the conversation is, it reads as much as one page can show of each kind. */
export async function readSubmissionEntries(
  db: Db,
  actor: Actor,
  { submissionId, shown, before }: View & { submissionId: string },
): Promise<SubmissionEntries> {
  const range = { limit: PAGE + 1, before };
  const subject = { type: "submission", id: submissionId } as const;
  const [notes, events, counts] = await Promise.all([
    shown === "mail" ? [] : listNotes(db, subject, range),
    { all: listTimeline, mail: listReplies, notes: noEntries }[shown](db, submissionId, range),
    countEntries(db, submissionId),
  ]);
  const written = notes.map((note) => ({ kind: "note" as const, at: note.createdAt, ...listedNote(actor, note) }));
  const { entries, earlier } = pageOf([...written, ...events]);
  // A conversation is read downwards; of the notes alone the newest one is looked for.
  const inOrder = shown === "notes" ? entries : entries.toReversed();
  return { shown, entries: inOrder, earlier, isEarlier: before !== null, counts };
}

const noEntries = async (): Promise<[]> => [];

/** Newest first. What happened at the same instant stays together. */
function pageOf(entries: ConversationEntry[]): Pick<SubmissionEntries, "entries" | "earlier"> {
  const sorted = entries.toSorted((left, right) => right.at - left.at);
  const first = sorted[PAGE - 1];
  const shown = first ? sorted.filter(({ at }) => at >= first.at) : sorted;
  return { entries: shown, earlier: first && shown.length < sorted.length ? first.at : null };
}

async function countEntries(db: Db, submissionId: string): Promise<SubmissionEntries["counts"]> {
  const replies = sql`SELECT 1 FROM submission_replies WHERE submission_id = ${submissionId}`;
  const notes = sql`SELECT 1 FROM admin_notes WHERE subject_type = 'submission' AND subject_id = ${submissionId}`;
  const [row] = await db.all<{ replies: number; notes: number }>(sql`
    SELECT ${countUpTo(replies, ENTRIES_COUNTED)} AS replies, ${countUpTo(notes, ENTRIES_COUNTED)} AS notes`);
  // The message of the visitor is one of them.
  return { mail: capped((row?.replies ?? 0) + 1, ENTRIES_COUNTED), notes: capped(row?.notes ?? 0, ENTRIES_COUNTED) };
}

/** One round trip. */
export async function readRecord(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  actor: StaffActor,
  { id, params, staffRead }: { id: string; params: URLSearchParams; staffRead: Promise<StaffMember[] | null> },
) {
  const { db } = ctx;
  const at = ctx.now();
  const filter = submissionList.readFilter(params);
  const [submission, conversation, repeats, sender, answeredAt, staff, { settings, value: neighbours }] =
    await Promise.all([
      findSubmission(db, id),
      readSubmissionEntries(db, actor, { submissionId: id, ...conversationView(params) }),
      listRepeats(db, id),
      findKnownSender(db, id),
      findFirstResponse(db, id),
      staffRead,
      readInSiteZone(db, (zone) => submissionRows.neighbours(db, { filter, viewer: { actor, zone, now: at }, id })),
    ]);
  if (!submission) return null;
  const { replyDueAt: dueAt, status, moderationReason } = submission;
  const zone = settings.timeZone;
  const due = moderationReason ? null : replyDue({ zone, now: at, dueAt, isNew: status === "new", answeredAt });
  const isDelayed = conversation.entries.some(
    (entry) => entry.kind === "reply" && entry.delivery?.status === "delayed",
  );
  const pause = isDelayed ? await readMailPause(db) : null;
  const view = { zone, delay: pause ? pauseWords(pause, ctx, zone) : "" };
  // The list's own code would be a tenth of the page's scripts.
  const list = { path: submissionList.pathTo(filter), query: submissionList.query(filter), ...neighbours };
  return {
    submission,
    conversation: { ...conversation, entries: conversation.entries.map((entry) => shownEntry(entry, view)) },
    repeats,
    staff,
    ownId: actor.userId,
    zone,
    list,
    due,
    sent: justSent(
      conversation.entries.map((entry) => ({
        ...entry,
        isOwn: entry.kind === "reply" && entry.actorId === actor.userId,
      })),
      at,
    ),
    ticketPath: can(actor, "ticket.open") && !moderationReason ? newTicketPath(actor, submission, sender) : null,
    clientPath:
      can(actor, "organization.manage") && !moderationReason && !submission.client ? makeClientPath(id) : null,
    about: {
      moderation: moderationReason && MODERATION_LABELS[moderationReason],
      sender: sender ? senderLabel(sender) : null,
      source: sourceLabel(submission),
      estimate: submission.estimate
        ? {
            facts: estimateFacts(submission.estimate, planNamesIn(settings)),
            path: estimatePath(submission.estimate.choice),
          }
        : null,
    },
  };
}

/**
 * In the client it was made into, or the sender's organization. Where there is none, who may makes it a client first;
 * others search for the company they named.
 */
function newTicketPath(
  actor: StaffActor,
  { id, company, client }: SubmissionRecord,
  sender: KnownSender | null,
): string {
  const path = withParams(STAFF_NEW_TICKET_PATH, { submission: id });
  const membership = sender?.memberships.find(({ status }) => status === "active");
  const organization = client?.id ?? membership?.organizationId;
  if (organization) return withParams(path, { organization });
  if (can(actor, "organization.manage")) return withParams(makeClientPath(id), { for: "ticket" });
  return company ? withParams(path, { find: company }) : path;
}

/** "Dele Okafor set the status to Contacted" */
function statusText({ actor, to, released, unlinked, madeClient }: Entry<"status">): string {
  if (unlinked) return `${actor} unlinked it from a client, and left it ${SUBMISSION_STATUS_LABELS[to]}`;
  if (madeClient) return `${actor} made a client of it, and set the status to ${SUBMISSION_STATUS_LABELS[to]}`;
  return released
    ? `${actor} released it from review as ${SUBMISSION_STATUS_LABELS[to]}`
    : `${actor} set the status to ${SUBMISSION_STATUS_LABELS[to]}`;
}

/** "Dele Okafor took this, to follow up Nov 24" */
function assignmentLabel({ actor, owner, followUpOn, ownerChanged, followUpChanged }: Entry<"assignment">): string {
  const day = followUpOn ? shortDay(followUpOn) : null;
  const whose = ownerChanged ? ownerLabel(actor, owner) : null;
  if (!followUpChanged) return whose ?? `${actor} saved owner and follow-up date`;
  if (whose) return day ? `${whose}, to follow up ${day}` : `${whose}, without a follow-up`;
  return day ? `${actor} set the follow-up to ${day}` : `${actor} removed the follow-up`;
}

function ownerLabel(actor: string, owner: string | null): string {
  if (owner === null) return `${actor} removed the owner`;
  return owner === actor ? `${actor} took this` : `${actor} assigned it to ${owner}`;
}

function deliveryLabel(
  { status, at, nextAt, reason }: Delivery,
  repliedAt: Instant,
  { zone, delay }: { zone: string; delay: string },
): MailState {
  const isSameDay = at !== null && dayIn(zone, at) === dayIn(zone, repliedAt);
  const sent = at === null ? "Sent" : `Sent ${formatInstant(at, zone, isSameDay ? "time" : "short")}`;
  switch (status) {
    case "pending":
      return { state: "waiting", words: "Queued" };
    case "delayed":
      return { state: "waiting", words: `Delayed${delay}` };
    case "held":
      return { state: "failed", words: `Address bounces, held until ${formatInstant(nextAt ?? 0, zone, "short")}` };
    case "sending":
      return { state: "waiting", words: "Sending" };
    case "sent":
      return { state: "sent", words: sent };
    case "delivered":
      return { state: "sent", words: `${sent}, delivered` };
    case "bounced":
    case "dead":
    case "left":
      return { state: "failed", words: reason ? `Not delivered: ${failureWords(reason)}` : "Not delivered" };
    case "uncertain":
      return { state: "failed", words: "Uncertain: it may not have been sent" };
  }
}

/** `delay`: why mail waits, where it does. */
export function shownEntry(entry: ConversationEntry, view: { zone: string; delay: string }): ShownEntry {
  switch (entry.kind) {
    case "status":
      return { kind: "event", id: entry.id, at: entry.at, words: statusText(entry) };
    case "assignment":
      return { kind: "event", id: entry.id, at: entry.at, words: assignmentLabel(entry) };
    case "reply": {
      const { id, at, actor: author, message: text, delivery } = entry;
      const mail = delivery ? deliveryLabel(delivery, at, view) : null;
      const rest = { impact: null, files: [], mail, notTo: null };
      return { kind: "message", id, at, author, from: "us", label: "Reply", text, ...rest };
    }
    case "note":
      return entry;
  }
}

/** "Dana Whitlock", "Brightsmile Dental (owner)", or "Invited to Harbor House Counseling" */
function senderLabel({ account, memberships }: KnownSender): { text: string; to: string | null }[] {
  const organizations = memberships.map(({ organizationId, organization, role, status }) => {
    const state = status === "active" ? role : `${role}, ${status}`;
    const text = account ? `${organization} (${state})` : `Invited to ${organization}`;
    return { text, to: organizationPath(organizationId) };
  });
  if (!account) return organizations;
  const staff = account.role === "user" ? [] : [{ text: `staff (${account.role})`, to: null }];
  const where = [...staff, ...organizations];
  return [{ text: account.name, to: null }, ...(where.length > 0 ? where : [{ text: "no organization", to: null }])];
}

/** "/pricing, campaign spring" */
const sourceLabel = ({ source, campaign }: Pick<SubmissionRecord, "source" | "campaign">): string =>
  [source ?? "direct", campaign ? `campaign ${campaign}` : null].filter((part) => part !== null).join(", ");

/** Returns the address of the record that its forms lead back to: with the filter of the list, and what is shown. */
export function herePath(id: string, params: URLSearchParams): string {
  const show = CONVERSATION_FILTERS.find((shown) => shown !== "all" && shown === params.get("show")) ?? null;
  return recordPath(id, submissionList.readFilter(params), { show });
}
