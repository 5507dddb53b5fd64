import { and, eq, sql } from "drizzle-orm";
import { type Db, expectRow, expectThat } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import { ticketDrafts, ticketPeople } from "~/db/schema/tickets";
import type { MemberActor } from "~/features/auth/guards.server";
import { moveContacts } from "~/features/contacts/commands.server";
import { type AccountState, accountStateOf } from "~/features/contacts/queries.server";
import { messageStatements } from "~/features/conversation/messages.server";
import { eraseNotificationsOf } from "~/features/notifications/queries.server";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { changedValues, type FormerValues } from "~/platform/run-command.server";
import { viewerOf } from "./access.server";
import { endCc, endProposal } from "./cc/queries.server";
import { assignmentChange, changeTicket, slaEventsOf, statusColumns, type TicketChange } from "./change-ticket.server";
import { CATEGORY_NONE, PRIORITY_LABELS, TICKET_STATUS_LABELS } from "./labels";
import {
  asClient,
  asStaff,
  type ClientTransition,
  clientTransitions,
  mayChangeAsClient,
  STATUS_AFTER,
  type TicketActor,
  type TicketPriority,
  type TicketStatus,
} from "./model";
import { findTicketForClient, findTicketForStaff, type StoredTicket, ticketSearchText } from "./queries.server";
import { staffReplyChange } from "./reply-as-staff.server";
import { confirms, findVote, voteStatement } from "./solved/questions.server";

/** Gives a ticket to a member of staff, or takes it away from everybody. The last write wins. */
export function assignTicket(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, assigneeId, nonce }: { ticketId: string; assigneeId: string | null; nonce: string },
): Promise<Result<string, "ticket_not_found" | "assignee_not_staff" | "changed_since" | "unchanged">> {
  const choice = assigneeId ?? "";
  return changeTicket<"assignee_not_staff" | "unchanged">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-assign",
    key: `${nonce}:${ticketId}`,
    choice,
    plan: async (ticket, last) => {
      // The same form that arrives again did change it.
      if (assigneeId === (ticket.assignee?.id ?? null)) return last === choice ? ok(null) : fail("unchanged");
      const assignee = await findAssignee(ctx, assigneeId);
      return assignee === undefined ? fail("assignee_not_staff") : ok(assignmentChange(ticket, assignee));
    },
  });
}

/** Gives a ticket that nobody has to the person who takes it. The first one gets it. */
export const takeTicket = (
  ctx: Ctx,
  { userId, fullName }: SignedIn,
  { ticketId, nonce }: { ticketId: string; nonce: string },
): Promise<Result<string, "ticket_not_found" | "has_owner" | "changed_since">> =>
  changeTicket<"has_owner">(ctx, asStaff({ userId, fullName }), {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-take",
    // All rows of a page share a token.
    key: `${nonce}:${ticketId}`,
    choice: userId,
    plan: (ticket) => {
      if (ticket.assignee?.id === userId) return ok(null);
      return ticket.assignee ? fail("has_owner") : ok(assignmentChange(ticket, { id: userId, name: fullName }));
    },
  });

/**
 * Moves a ticket to any status but resolved, which a reply does, because it says what was done. The last write wins,
 * and every move stays in the history. A ticket that has the status already is left as it is.
 */
export async function changeStatus(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, status, nonce }: { ticketId: string; status: TicketStatus; nonce: string },
): Promise<Result<string, "ticket_not_found" | "resolution_missing" | "changed_since" | "unchanged">> {
  return changeTicket<"resolution_missing" | "unchanged">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-status",
    key: `${nonce}:${ticketId}`,
    choice: status,
    plan: (ticket, last) => {
      // The same form that arrives again did change it.
      if (status === ticket.status) return last === status ? ok(null) : fail("unchanged");
      if (status === "resolved") return fail("resolution_missing");
      return ok(statusChange(ctx, by, { ticket, status }));
    },
  });
}

type StatusMove = { ticket: StoredTicket; status: Exclude<TicketStatus, "resolved"> };

export const statusChange = (ctx: Ctx, by: TicketActor, { ticket, status }: StatusMove): TicketChange =>
  staffReplyChange(ctx, by, { ticket, message: null, to: status });

/** Holds what a form says. What its sender has not changed stays as it is at the moment of the commit. */
type TicketPropertiesChange = {
  ticketId: string;
  status?: TicketStatus;
  assigneeId?: string | null;
  category?: string | null;
  /** Tells whether nothing is changed where the assignee is another one by now. */
  takes?: boolean;
  had?: FormerValues;
  nonce: string;
};

type Rejection = "unchanged" | "resolution_missing" | "assignee_not_staff" | "taken";

/** The last write wins, for each of the three by itself. What is as it was leaves no trace. */
export function saveTicketProperties(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, nonce, takes, had = {}, ...values }: TicketPropertiesChange,
): Promise<Result<string, "ticket_not_found" | "changed_since" | Rejection>> {
  const posted = { values, had };
  return changeTicket<Rejection>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-handling",
    key: `${nonce}:${ticketId}`,
    choice: JSON.stringify(posted),
    plan: async (ticket, last) => {
      const changes: TicketChange[] = [];
      const chosen = changedValues(posted, last);
      if (Object.keys(chosen).length === 0) return fail("unchanged");
      const { status, assigneeId, category } = chosen;
      if (takes && (ticket.assignee?.id ?? null) !== had.assigneeId) return fail("taken");
      if (status !== undefined && status !== ticket.status) {
        if (status === "resolved") return fail("resolution_missing");
        changes.push(statusChange(ctx, by, { ticket, status }));
      }
      if (assigneeId !== undefined && assigneeId !== (ticket.assignee?.id ?? null)) {
        const assignee = await findAssignee(ctx, assigneeId);
        if (assignee === undefined) return fail("assignee_not_staff");
        changes.push(assignmentChange(ticket, assignee));
      }
      if (category !== undefined && category !== ticket.category) changes.push(categoryChange(ticket, category));
      // The same form that arrives again did change it.
      if (changes.length === 0 && last !== JSON.stringify(posted)) return fail("unchanged");
      return ok(together(changes));
    },
  });
}

const findAssignee = async (
  { db }: Pick<Ctx, "db">,
  id: string | null,
): Promise<StoredTicket["assignee"] | undefined> =>
  id === null ? null : (await listStaff(db)).find((person) => person.id === id);

function together(changes: readonly TicketChange[]): TicketChange | null {
  const [first, ...others] = changes;
  if (!first) return null;
  return others.reduce(
    (all, each) => ({
      set: { ...all.set, ...each.set },
      sla: [...(all.sla ?? []), ...(each.sla ?? [])],
      events: [...(all.events ?? []), ...(each.events ?? [])],
      audit: [...all.audit, ...each.audit],
      statements: [...(all.statements ?? []), ...(each.statements ?? [])],
      notification: all.notification || each.notification ? { ...all.notification, ...each.notification } : undefined,
      label: `${all.label}, ${each.label}`,
    }),
    first,
  );
}

/**
 * Returns the change that a client makes who says that a ticket is solved. What staff have done before is not told
 * again.
 */
export function resolvedByClient(ticket: StoredTicket, at: Instant): TicketChange {
  const { status } = ticket;
  return {
    set: { ...statusColumns(ticket, { to: "resolved", at }), resolution: null },
    sla: slaEventsOf(status, { to: "resolved", at, by: "client" }),
    events: [{ kind: "status", from: status, to: "resolved" }],
    audit: [{ action: "ticket.status_changed", meta: { from: status, to: "resolved" } }],
    notification: { statusBefore: status },
    label: TICKET_STATUS_LABELS.resolved,
  };
}

/**
 * Colleagues who only see it, and statuses that do not lead there, are rejected. Where it has that status already,
 * nothing is written, but the first time that whoever is asked confirms what staff have resolved.
 */
export function changeStatusAsClient(
  ctx: Ctx,
  actor: MemberActor,
  {
    ticketId,
    move,
    message,
    nonce,
  }: { ticketId: string; move: ClientTransition; message: string | null; nonce: string },
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "changed_since">> {
  const { by, find } = editing(ctx, { side: "client", actor }, ticketId);
  const client = { userId: actor.userId, role: actor.membership.role };
  const to = STATUS_AFTER[move];
  const messageId = ctx.newId("msg");
  return changeTicket<"not_allowed">(ctx, by, {
    find,
    scope: "ticket-move",
    key: `${nonce}:${ticketId}`,
    choice: move,
    plan: async (ticket) => {
      const at = ctx.now();
      const { status } = ticket;
      const described = { ...ticket, createdBy: ticket.creator.id };
      const allowed = clientTransitions(client, described, at);
      if (status === to && message === null) {
        const { userId } = actor;
        const isAsked = move === "solved" && ticket.resolution !== null;
        const isNew = isAsked && !confirms(await findVote(ctx.db, { ticketId: ticket.id, userId }), ticket);
        if (!isNew || !mayChangeAsClient(client, described)) return ok(null);
        return ok({
          statements: [voteStatement(ctx.db, { ticket, userId, isSolved: true, comment: "", at })],
          events: [{ kind: "vote", to: "solved" }],
          audit: [],
          label: "Solved, says the client",
        });
      }
      if (!allowed.includes(move)) return fail("not_allowed");
      const written = message === null ? null : { id: messageId, text: message };
      const { id, organization } = ticket;
      return ok({
        set: { ...statusColumns(ticket, { to, at }), ...(move === "solved" ? { resolution: null } : {}) },
        sla: [
          ...slaEventsOf(status, { to, at, by: "client" }),
          ...(written && move === "reopen" ? [{ type: "client-message" as const, at }] : []),
        ],
        events: [{ kind: "status", from: status, to }],
        statements: written
          ? messageStatements(ctx, by, { ...written, ticketId: id, organizationId: organization.id })
          : [],
        audit: [
          { action: "ticket.status_changed", meta: { from: status, to } },
          ...(written ? [{ action: "ticket.replied" as const, meta: { message: written.id } }] : []),
        ],
        notification: {
          statusBefore: status,
          ...(written ? { message: { ...written, isInternal: false } } : {}),
        },
        label: TICKET_STATUS_LABELS[to],
      });
    },
  });
}

/** Changes the priority of a ticket and with it what is promised. The client reads why. */
export const changePriority = (
  ctx: Ctx,
  by: TicketActor,
  { ticketId, priority, reason, nonce }: { ticketId: string; priority: TicketPriority; reason: string; nonce: string },
): Promise<Result<string, "ticket_not_found" | "changed_since" | "unchanged">> =>
  changeTicket<"unchanged">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-priority",
    key: `${nonce}:${ticketId}`,
    choice: priority,
    plan: (ticket, last) => {
      // The same form that arrives again did change it.
      if (ticket.priority === priority) return last === priority ? ok(null) : fail("unchanged");
      return ok({
        set: { priority },
        sla: [{ type: "priority-changed", at: ctx.now(), to: priority }],
        events: [{ kind: "priority", from: ticket.priority, to: priority, reason }],
        audit: [{ action: "ticket.priority_changed", meta: { from: ticket.priority, to: priority, reason } }],
        label: `${PRIORITY_LABELS[priority]} priority`,
      });
    },
  });

const categoryChange = (
  { category: former }: Pick<StoredTicket, "category">,
  category: string | null,
): TicketChange => ({
  set: { category },
  events: [{ kind: "category", from: former, to: category }],
  audit: [{ action: "ticket.category_changed", meta: { from: former ?? "none", to: category ?? "none" } }],
  label: category ?? CATEGORY_NONE,
});

/**
 * Hides a ticket from colleagues, or shows it to them again. Its creator decides, and admins of the organization; the
 * people on it, and admins, see it in any case. Its copies end when it is hidden, because each mail quotes what came
 * before.
 */
export function setPrivacy(
  ctx: Ctx,
  actor: MemberActor,
  { ticketId, isPrivate, nonce }: { ticketId: string; isPrivate: boolean; nonce: string },
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "changed_since">> {
  const { by, find, mayEdit } = editing(ctx, { side: "client", actor }, ticketId);
  return changeTicket<"not_allowed">(ctx, by, {
    find,
    scope: "ticket-privacy",
    key: `${nonce}:${ticketId}`,
    choice: String(isPrivate),
    plan: (ticket) => {
      if (!mayEdit(ticket)) return fail("not_allowed");
      if (ticket.isPrivate === isPrivate) return ok(null);
      const words = (hidden: boolean) => (hidden ? "private" : "shared");
      return ok({
        set: { is_private: isPrivate },
        statements: isPrivate ? endCc(ctx, ticket.id) : [],
        events: [{ kind: "privacy", from: words(ticket.isPrivate), to: words(isPrivate) }],
        audit: [{ action: isPrivate ? "ticket.made_private" : "ticket.made_shared" }],
        label: isPrivate ? "Private" : "Shared",
      });
    },
  });
}

type PersonInput = { ticketId: string; userId: string; nonce: string };

export type TicketEditor = { side: "staff"; by: TicketActor } | { side: "client"; actor: MemberActor };

/** `mayEdit`: whose ticket it is, and admins of its organization; everybody may take themselves off it. */
export function editing({ db }: Pick<Ctx, "db">, editor: TicketEditor, ticketId: string) {
  if (editor.side === "staff")
    return { by: editor.by, find: () => findTicketForStaff(db, ticketId), mayEdit: () => true };
  const { actor } = editor;
  const client = { userId: actor.userId, role: actor.membership.role };
  return {
    by: asClient(actor),
    find: () => findTicketForClient(db, ticketId, viewerOf(actor)),
    mayEdit: ({ creator }: StoredTicket, userId?: string) =>
      userId === actor.userId || mayChangeAsClient(client, { createdBy: creator.id }),
  };
}

async function findMember(db: Db, { userId, ticket }: { userId: string; ticket: StoredTicket }) {
  const [person] = await db.all<{ id: string; name: string; isOn: number }>(sql`
    SELECT u.id, u.full_name AS name,
      EXISTS (SELECT 1 FROM ticket_people p WHERE p.ticket_id = ${ticket.id} AND p.user_id = u.id) AS isOn
    FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${ticket.organization.id} AND m.user_id = ${userId} AND m.status = 'active'
      AND u.status = 'active'`);
  return person ?? null;
}

/** Puts a colleague of the creator on a ticket: they see it and are told of it. Only members of its organization. */
export function addPerson(
  ctx: Ctx,
  editor: TicketEditor,
  { ticketId, userId, nonce }: PersonInput,
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "person_not_found" | "changed_since">> {
  const { by, find, mayEdit } = editing(ctx, editor, ticketId);
  return changeTicket<"not_allowed" | "person_not_found">(ctx, by, {
    find,
    scope: "ticket-person",
    key: `${nonce}:${ticketId}:${userId}`,
    choice: "add",
    plan: async (ticket) => {
      if (!mayEdit(ticket)) return fail("not_allowed");
      if (ticket.creator.id === userId) return ok(null);
      const person = await findMember(ctx.db, { userId, ticket });
      if (!person) return fail("person_not_found");
      if (person.isOn) return ok(null);
      const { id, organization } = ticket;
      const m = organizationMemberships;
      const isMember = and(eq(m.organization_id, organization.id), eq(m.user_id, userId), eq(m.status, "active"));
      const row = { organization_id: organization.id, ticket_id: id, user_id: userId };
      return ok({
        events: [{ kind: "person_added", to: person.name }],
        statements: [
          expectRow(ctx.db, m, isMember),
          ctx.db.insert(ticketPeople).values({ ...row, added_by: by.userId, added_at: ctx.now() }),
          endProposal(ctx.db, id, sql`(SELECT email FROM users WHERE id = ${userId})`),
        ],
        audit: [{ action: "ticket.person_added", meta: { person: person.name, people: { person: userId } } }],
        notification: { personAdded: { id: person.id, name: person.name } },
        label: `${person.name} added`,
      });
    },
  });
}

type NamedInput = {
  ticketId: string;
  userId: string;
  /** Holds an address, normalized, by which somebody is named instead; empty: nobody is. */
  email: string;
  nonce: string;
};

/** Puts a colleague on a ticket whom a form names by id, or by address where there are more than its page offers. */
export async function addNamedPerson(
  ctx: Ctx,
  editor: TicketEditor,
  { email, ...person }: NamedInput,
): ReturnType<typeof addPerson> {
  if (email === "") return addPerson(ctx, editor, person);
  const { find, mayEdit } = editing(ctx, editor, person.ticketId);
  const ticket = await find();
  if (!ticket) return fail("ticket_not_found");
  if (!mayEdit(ticket)) return fail("not_allowed");
  const [member] = await ctx.db.all<{ id: string }>(sql`
    SELECT u.id FROM users u CROSS JOIN organization_memberships m
      ON m.organization_id = ${ticket.organization.id} AND m.user_id = u.id AND m.status = 'active'
    WHERE u.email = ${email} AND u.status = 'active'`);
  return member ? addPerson(ctx, editor, { ...person, userId: member.id }) : fail("person_not_found");
}

/** Takes a person off a ticket, who then sees it only as other colleagues do. */
export function removePerson(
  ctx: Ctx,
  editor: TicketEditor,
  { ticketId, userId, nonce }: PersonInput,
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "changed_since">> {
  const { by, find, mayEdit } = editing(ctx, editor, ticketId);
  return changeTicket<"not_allowed">(ctx, by, {
    find,
    scope: "ticket-person",
    key: `${nonce}:${ticketId}:${userId}`,
    choice: "remove",
    plan: async (ticket) => {
      if (!mayEdit(ticket, userId)) return fail("not_allowed");
      const [person] = await ctx.db.all<{ name: string }>(sql`
        SELECT u.full_name AS name FROM ticket_people p CROSS JOIN users u ON u.id = p.user_id
        WHERE p.ticket_id = ${ticket.id} AND p.user_id = ${userId}`);
      if (!person) return ok(null);
      const isThem = and(eq(ticketPeople.ticket_id, ticket.id), eq(ticketPeople.user_id, userId));
      return ok({
        events: [{ kind: "person_removed", from: person.name }],
        statements: [ctx.db.delete(ticketPeople).where(isThem)],
        audit: [{ action: "ticket.person_removed", meta: { person: person.name, people: { person: userId } } }],
        label: `${person.name} taken off`,
      });
    },
  });
}

const membersOf = (organizationId: string) => sql`SELECT user_id FROM organization_memberships
  WHERE organization_id = ${organizationId} AND status = 'active' AND user_id IS NOT NULL`;

type MoveError = "organization_not_found" | "is_suspended" | "is_colleague";

/**
 * Moves a ticket with all that was written on it to another organization, whose promises hold from then on. Its people
 * stay on it if they are members there too; nobody else of the former organization sees it any more. Its clients there
 * are told, or the organization's admins if it has none. The person of a ticket who has no account must not be shut out
 * there by one.
 */
export function moveToOrganization(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, organizationId, nonce }: { ticketId: string; organizationId: string; nonce: string },
): Promise<Result<string, MoveError | "ticket_not_found" | "changed_since">> {
  return changeTicket<MoveError>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-organization",
    key: `${nonce}:${ticketId}`,
    choice: organizationId,
    plan: async (ticket) => {
      const { id, number, oldNumber, title, description, organization: former } = ticket;
      if (former.id === organizationId) return ok(null);
      const account = accountStateOf(organizationId, ticket.contact?.email ?? "");
      const [found] = await ctx.db.all<{ name: string; account: AccountState | null }>(
        sql`SELECT name, ${account} AS account FROM organizations WHERE id = ${organizationId}`,
      );
      if (!found) return fail("organization_not_found");
      if (found.account === "suspended") return fail("is_suspended");
      if (found.account === "colleague") return fail("is_colleague");
      return ok({
        set: {
          organization_id: organizationId,
          search_text: ticketSearchText({ title, number, oldNumber, description, organization: found.name }),
        },
        sla: [{ type: "organization-moved", at: ctx.now() }],
        events: [{ kind: "moved", from: former.name, to: found.name }],
        statements: [
          eraseNotificationsOf(ctx.db, { type: "ticket", id }, former.id),
          ctx.db.delete(ticketPeople).where(sql`ticket_id = ${id} AND user_id NOT IN (${membersOf(organizationId)})`),
          ...endCc(ctx, id),
          expectThat(ctx.db, sql`coalesce(${account}, 'active') = 'active'`),
          ...moveContacts(ctx, { ticketId: id, organizationId, formerId: former.id }),
          ctx.db.delete(ticketDrafts).where(sql`ticket_id = ${id} AND user_id NOT IN (${membersOf(organizationId)})
            AND user_id NOT IN (SELECT user_id FROM user_roles WHERE role IN ('admin', 'moderator'))`),
        ],
        audit: [{ action: "ticket.moved", meta: { from: former.name, to: found.name } }],
        notification: { movedHere: true },
        label: `Moved to ${found.name}`,
      });
    },
  });
}
