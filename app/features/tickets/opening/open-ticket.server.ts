import { type SQL, sql } from "drizzle-orm";
import { expectations } from "~/content/expectations";
import { type Db, expectRow, expectThat, type Statement } from "~/db/client.server";
import { counters } from "~/db/schema/infrastructure";
import { contacts, organizationMemberships, organizations } from "~/db/schema/organizations";
import { ticketCopies } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import { attachTicketFiles, type StoredFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { type NamedContact, saveContact } from "~/features/contacts/commands.server";
import { contactIdOf, isNotErased } from "~/features/contacts/queries.server";
import { contentKey } from "~/features/conversation/messages.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { TicketPriority } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { stillBelongs } from "../access.server";
import { endProposal } from "../cc/queries.server";
import {
  afterTicketChange,
  auditActorOf,
  eventStatement,
  liveStatements,
  type TicketChange,
  takeTicketLimit,
} from "../change-ticket.server";
import type { TicketActor } from "../model";
import { notifyOfTicket } from "../notify-ticket.server";
import { ticketSubject } from "../paths";
import { searchTextOfNew } from "../queries.server";
import { openTargets } from "../sla/targets.server";

/** What the first ticket of a client says: the steps that the contact page names. */
export const ONBOARDING = {
  title: "Onboarding",
  description: [
    "Welcome. This is how we start, one step after the other. Ask us anything about it here.",
    "",
    ...expectations.map(({ title, text }, index) => (index === 0 ? `[x] ${title}` : `[ ] ${title}: ${text}`)),
  ].join("\n"),
};

export type NewTicket = {
  organizationId: string;
  title: string;
  description: string;
  priority: TicketPriority;
  category: string | null;
  impact: string | null;
  files?: readonly StoredFile[];
  isPrivate?: boolean;
  requester?: Requester;
  followUpOf?: string;
  nonce: string;
};

/** A member of the organization, or somebody who has no account. */
export type Requester = { userId: string } | { contactId: string } | { contact: NamedContact };

type OpenedTicket = { id: string; number: number };
export type OpeningError = "organization_not_found" | "person_not_found" | "is_colleague" | "is_suspended";

/**
 * Opens a ticket: for oneself in one of one's organizations, or as staff for a member of any. Number, record, files,
 * history, audit, promise, live event and notification are one batch. The same form posted again opens nothing.
 */
export async function openTicket(
  ctx: Ctx,
  actor: MemberActor | StaffActor,
  input: NewTicket,
): Promise<Result<OpenedTicket, OpeningError>> {
  const isStaff = actor.role !== "user";
  if (!isStaff && !worksIn(actor, input.organizationId)) return fail("organization_not_found");
  const requester = isStaff ? (input.requester ?? { userId: "" }) : { userId: actor.userId };
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: isStaff ? "staff" : "client" };
  const { nonce, ...content } = input;
  const key = contentKey(`${nonce}:`, content);
  const opened = await insertTicket(ctx, by, { ...content, nonce: key, requester });
  return opened.ok ? findOpened(ctx.db, opened.value) : opened;
}

const worksIn = ({ membership, organizations: own }: MemberActor, organizationId: string): boolean =>
  membership.organizationId === organizationId || own.some((each) => each.organizationId === organizationId);

type Insert = NewTicket & {
  requester: Requester;
  extra?: (ticket: { id: string; organizationId: string }) => Statement[];
  /** Says that it came by mail, which counts mails itself. */
  mail?: Pick<FromMail, "receivedAt" | "isFromPerson" | "isWaiting">;
};

/** Says of what was written that it came by mail. */
export type FromMail = {
  receivedAt: Instant;
  /** What a machine sends is stored, and people are notified of it, but it moves nothing and is not confirmed. */
  isFromPerson: boolean;
  /** The condition that it waits still: it was neither erased nor decided meanwhile. */
  isWaiting: SQL;
  /** Returns what puts its sender on the ticket, which staff have chosen; absent: it found the ticket by itself. */
  join?: (ticket: { id: string; organizationId: string }) => Pick<TicketChange, "statements" | "events" | "audit">;
  /** Returns what the batch records of it. `messageId`: null: it opened the ticket. */
  record: (written: {
    ticketId: string;
    messageId: string | null;
    effect: "replied" | "reopened" | "opened" | "follow_up";
  }) => Statement[];
};

/**
 * Stores a ticket and returns its id. Its creator is a member of its organization at the moment of the commit or has no
 * account, and whoever opens it still belongs to it or to the staff.
 */
export async function insertTicket(
  ctx: Ctx,
  by: TicketActor,
  { nonce, organizationId, requester, extra = () => [], mail, ...input }: Insert,
): Promise<Result<string, OpeningError>> {
  const id = ctx.newId("tkt");
  const { title, description, priority, category, impact, isPrivate = false, followUpOf = null } = input;
  const form = { scope: "ticket-open", key: nonce };
  return runCommand(ctx, form, {
    read: () => readOpeningContext(ctx.db, { organizationId, requester }),
    plan: async (opening, { isFirst }): Promise<Planned<OpeningError>> => {
      if (!opening.ok) return opening;
      const [limited] = await Promise.all([
        isFirst && !mail ? takeTicketLimit(ctx, by, { work: "ticket", organizationId }) : null,
        checkFileRoom(ctx, by, { organizationId, files: input.files }),
      ]);
      if (limited) throw limited;
      const at = mail?.receivedAt ?? ctx.now();
      const { creator, contact, organization } = opening.value;
      const side = by.side === "staff" ? "staff" : "client";
      const [sla, notifications] = await Promise.all([
        // Whose mail staff forward has written to us.
        openTargets(ctx, { id, organizationId, by: mail ? "client" : side, at, priority }),
        notifyOfTicket(ctx, {
          ticket: { id, organization, priority, status: "open", creator, assignee: null, isPrivate },
          actor: by,
          opened: {
            description,
            isFollowUp: followUpOf !== null,
            isConfirmed: mail?.isFromPerson !== false,
          },
        }),
      ]);
      const number = sql`(SELECT value FROM counters WHERE name = 'ticket')`;
      const searched = { title, number, description, organization: organization.name };
      return ok({
        resultId: id,
        expects: [
          {
            that: stillBelongs(by, organizationId),
            otherwise: side === "staff" ? "organization_not_found" : "person_not_found",
          },
          ...(mail ? [{ that: mail.isWaiting, otherwise: "person_not_found" as const }] : []),
        ],
        statements: [
          // Inside the batch, so that nobody else's new ticket is in the way: what names the number reads it by SQL.
          ctx.db
            .update(counters)
            .set({ value: sql`${counters.value} + 1` })
            .where(sql`${counters.name} = 'ticket'`),
          ...creatorStatements(ctx, organizationId, opening.value),
          ctx.db.insert(tickets).values({
            id,
            number,
            title,
            description,
            priority,
            category,
            impact,
            status: "open",
            organization_id: organizationId,
            created_by: creator.id,
            creator_name: creator.name,
            contact_id: contact ? contactIdOf(organizationId, contact.email) : null,
            opened_by: by.side === "staff" ? by.userId : null,
            is_private: isPrivate,
            follow_up_of: followUpOf,
            last_message_at: at,
            viewers: creator.id === null ? "" : `~${creator.id}.`,
            search_text: searchTextOfNew(searched),
            ...sla.columns,
            created_at: at,
            updated_at: at,
          }),
          ...attachTicketFiles(ctx, input.files ?? [], { ticketId: id, organizationId, messageId: null, sender: by }),
          eventStatement(ctx, authorOf(by, organizationId, opening.value), {
            ticketId: id,
            organizationId,
            event: { kind: "opened", to: "open" },
            at,
          }),
          ...sla.statements,
          recordAudit(ctx, "ticket.opened", {
            subject: ticketSubject({ id, title }),
            orgId: organizationId,
            actor: auditActorOf(ctx, by),
          }),
          ...liveStatements(ctx, { id, organizationId, label: "New ticket", isPrivate }),
          // Before the notification, which is made to the people on it.
          ...(contact ? mailToContact(ctx, { ticketId: id, organizationId, email: contact.email, by }) : []),
          ...extra({ id, organizationId }),
          ...notifications,
        ],
        after: () => afterTicketChange(ctx, organizationId),
      });
    },
  });
}

const isActiveMember = (organizationId: string, userId: string) => sql`
  ${organizationMemberships.organization_id} = ${organizationId} AND ${organizationMemberships.user_id} = ${userId}
  AND ${organizationMemberships.status} = 'active'
  AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`;

/** Expects that the creator is still a member or a contact of the organization, or makes them one. */
export const creatorStatements = (
  ctx: Ctx,
  organizationId: string,
  { creator, contact }: OpeningContext,
): Statement[] =>
  contact
    ? [
        expectThat(ctx.db, sql`NOT EXISTS (${memberWith(organizationId, contact.email)})`),
        ...(contact.isUnasked
          ? [expectThat(ctx.db, sql`NOT EXISTS (${refusedWith(organizationId, contact.email)})`)]
          : []),
        contact.id === null
          ? saveContact(ctx, organizationId, contact)
          : expectRow(ctx.db, contacts, sql`id = ${contact.id} AND email = ${contact.email} AND refused_at IS NULL`),
      ]
    : [expectRow(ctx.db, organizationMemberships, isActiveMember(organizationId, creator.id ?? ""))];

/** Returns who is named in the history. Somebody without an account may become known in the same batch. */
const authorOf = (by: TicketActor, organizationId: string, { creator, contact }: OpeningContext) =>
  by.userId !== null || by.contactId !== undefined
    ? by
    : {
        ...by,
        userId: creator.id,
        contactId: contact ? contactIdOf(organizationId, contact.email) : undefined,
      };

type MailedContact = {
  /** Names the row; where the ticket lists the address in cc already, that keeps its own. */
  copyId?: string;
  ticketId: string;
  organizationId: string;
  email: string;
  by: TicketActor;
};

/** Lets a contact be mailed about a ticket, which is theirs. What they had from it in cc before is no copy any more. */
export function mailToContact(
  { db, newId, now }: Pick<Ctx, "db" | "newId" | "now">,
  { copyId = newId("cpy"), ticketId, organizationId, email, by }: MailedContact,
): Statement[] {
  const mailed = {
    contact_id: contactIdOf(organizationId, email),
    added_by: by.userId,
    added_at: now(),
    removed_at: null,
    stopped_mailbox: null,
    member_id: null,
  };
  return [
    endProposal(db, ticketId, email),
    db
      .insert(ticketCopies)
      .values({ ...mailed, id: copyId, organization_id: organizationId, ticket_id: ticketId, email })
      .onConflictDoUpdate({
        target: [ticketCopies.ticket_id, ticketCopies.email],
        set: { ...mailed, id: sql`iif(${ticketCopies.removed_at} IS NULL, ${ticketCopies.id}, excluded.id)` },
      }),
  ];
}

/** Selects the contact with an address of whom staff have said that they are not one of the organization. */
const refusedWith = (organizationId: string, email: string) =>
  sql`SELECT 1 FROM contacts WHERE email = ${email} AND organization_id = ${organizationId} AND refused_at IS NOT NULL`;

/** Selects whoever belongs to an organization by an address. `status`: active only if account and membership are. */
const memberWith = (organizationId: string, email: string) => sql`
  SELECT u.id, u.full_name AS name, iif(u.status = 'active' AND m.status = 'active', 'active', 'suspended') AS status
  FROM users u JOIN organization_memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
  WHERE u.email = ${email} AND m.status <> 'pending'`;

type Named = { id: string; name: string };
/** `id`: null: as they were typed, which makes them known. */
type RequestingContact = NamedContact & { id: string | null };
type OpeningContext = {
  organization: Named;
  creator: { id: string | null; name: string };
  contact: RequestingContact | null;
};

/** Reads what a new ticket is made of. Whoever has an account in the organization after all is its creator. */
export async function readOpeningContext(
  db: Db,
  { organizationId, requester }: { organizationId: string; requester: Requester },
): Promise<Result<OpeningContext, OpeningError>> {
  const contact =
    "contact" in requester ? { ...requester.contact, id: null } : await findContact(db, organizationId, requester);
  const asked = "userId" in requester ? requester.userId : "";
  const [[organization], [creator], colleagues] = await Promise.all([
    db.all<Named>(
      sql`SELECT ${organizations.id} AS id, ${organizations.name} AS name FROM ${organizations} WHERE ${organizations.id} = ${organizationId}`,
    ),
    db.all<Named & { status: string }>(
      contact
        ? memberWith(organizationId, contact.email)
        : sql`SELECT u.id, u.full_name AS name, m.status FROM organization_memberships m
            CROSS JOIN users u ON u.id = m.user_id
            WHERE m.organization_id = ${organizationId} AND m.user_id = ${asked} AND m.status = 'active'
              AND u.status = 'active'`,
    ),
    contact ? db.all(sql`SELECT 1 FROM users WHERE email = ${contact.email} AND is_staff = 1`) : [],
  ]);
  if (!organization) return fail("organization_not_found");
  if (creator?.status === "suspended") return fail("is_suspended");
  if (creator) return ok({ organization, creator: { id: creator.id, name: creator.name }, contact: null });
  if (!contact) return fail("person_not_found");
  if (colleagues.length > 0) return fail("is_colleague");
  return ok({ organization, creator: { id: null, name: contact.fullName }, contact });
}

async function findContact(
  db: Db,
  organizationId: string,
  asked: Exclude<Requester, { contact: NamedContact }>,
): Promise<RequestingContact | null> {
  if ("userId" in asked) return null;
  const [found] = await db.all<RequestingContact>(sql`SELECT id, email, full_name AS fullName, phone FROM contacts
    WHERE id = ${asked.contactId} AND organization_id = ${organizationId} AND refused_at IS NULL AND ${isNotErased(asked.contactId)}`);
  return found ?? null;
}

export async function findOpened(db: Db, id: string): Promise<Result<OpenedTicket, "organization_not_found">> {
  const [row] = await db.all<OpenedTicket>(sql`SELECT id, number FROM support_tickets WHERE id = ${id}`);
  return row ? ok(row) : fail("organization_not_found");
}
