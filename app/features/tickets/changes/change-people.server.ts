import { and, eq, sql } from "drizzle-orm";
import { type Db, expectRow } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import { ticketPeople } from "~/db/schema/tickets";
import type { MemberActor } from "~/features/auth/guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket } from "../change-ticket.server";
import { viewerOf } from "../conversation/reply-as-client.server";
import { mayChangeAsClient, type TicketActor } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";

type PersonInput = { ticketId: string; userId: string; nonce: string };

/** Names who changes the people on a ticket: staff, or a client who may change this ticket. */
type PeopleEditor = { side: "staff"; by: TicketActor } | { side: "client"; actor: MemberActor };

function editing(ctx: Pick<Ctx, "db">, editor: PeopleEditor, ticketId: string) {
  if (editor.side === "staff") {
    return { by: editor.by, find: () => findTicketForStaff(ctx.db, ticketId), mayEdit: () => true };
  }
  const { actor } = editor;
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "client" };
  const client = { userId: actor.userId, role: actor.membership.role };
  return {
    by,
    find: () => findTicketForClient(ctx.db, ticketId, viewerOf(actor)),
    mayEdit: ({ creator }: StoredTicket, userId: string) =>
      // Everybody may leave.
      userId === actor.userId || mayChangeAsClient(client, { createdBy: creator.id }),
  };
}

type FoundPerson = { id: string; name: string; isOn: number };

/** Finds an active member of an organization whose account is active, and whether they are on a ticket. */
async function findMember(db: Db, { userId, ticket }: { userId: string; ticket: StoredTicket }) {
  const [person] = await db.all<FoundPerson>(sql`
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
  editor: PeopleEditor,
  { ticketId, userId, nonce }: PersonInput,
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "person_not_found" | "changed_since">> {
  const { by, find, mayEdit } = editing(ctx, editor, ticketId);
  return changeTicket<"not_allowed" | "person_not_found">(ctx, by, {
    find,
    scope: "ticket-person",
    key: `${nonce}:${ticketId}:${userId}`,
    choice: "add",
    plan: async (ticket) => {
      if (!mayEdit(ticket, "")) return fail("not_allowed");
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
        ],
        audit: [{ action: "ticket.person_added", meta: { person: person.name, people: { person: userId } } }],
        announcement: { personAdded: { id: person.id, name: person.name } },
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
  editor: PeopleEditor,
  { email, ...person }: NamedInput,
): ReturnType<typeof addPerson> {
  if (email === "") return addPerson(ctx, editor, person);
  const { find, mayEdit } = editing(ctx, editor, person.ticketId);
  const ticket = await find();
  if (!ticket) return fail("ticket_not_found");
  if (!mayEdit(ticket, "")) return fail("not_allowed");
  const [member] = await ctx.db.all<{ id: string }>(sql`
    SELECT u.id FROM users u CROSS JOIN organization_memberships m
      ON m.organization_id = ${ticket.organization.id} AND m.user_id = u.id AND m.status = 'active'
    WHERE u.email = ${email} AND u.status = 'active'`);
  return member ? addPerson(ctx, editor, { ...person, userId: member.id }) : fail("person_not_found");
}

/** Takes a person off a ticket, who then sees it only as other colleagues do. */
export function removePerson(
  ctx: Ctx,
  editor: PeopleEditor,
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
