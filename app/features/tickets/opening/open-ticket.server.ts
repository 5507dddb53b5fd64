import { sql } from "drizzle-orm";
import { type Db, expectRow, type Statement } from "~/db/client.server";
import { counters } from "~/db/schema/infrastructure";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { tickets } from "~/db/schema/tickets";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import { attachTicketFiles, type StoredFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { contentKey } from "~/features/conversation/messages.server";
import { fail, ok, type Result } from "~/lib/result";
import type { TicketPriority } from "~/lib/ticket-words";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { stillBelongs } from "../access.server";
import { announceTicket } from "../announce-ticket.server";
import { afterTicketChange, eventStatement, liveStatements, takeTicketLimit } from "../change-ticket.server";
import type { TicketActor } from "../model";
import { ticketSubject } from "../paths";
import { searchTextOfNew } from "../queries.server";
import { openTargets } from "../sla/targets.server";

export type NewTicket = {
  organizationId: string;
  title: string;
  description: string;
  priority: TicketPriority;
  category: string | null;
  impact: string | null;
  files?: readonly StoredFile[];
  isPrivate?: boolean;
  forUser?: string;
  followUpOf?: string;
  nonce: string;
};

type OpenedTicket = { id: string; number: number };
type OpeningError = "organization_not_found" | "person_not_found";

/**
 * Opens a ticket: for oneself in one of one's organizations, or as staff for a member of any. Number, record, files,
 * history, audit, promise, live event and announcement are one batch. The same form posted again opens nothing.
 */
export async function openTicket(
  ctx: Ctx,
  actor: MemberActor | StaffActor,
  input: NewTicket,
): Promise<Result<OpenedTicket, OpeningError>> {
  const isStaff = actor.role !== "user";
  if (!isStaff && !worksIn(actor, input.organizationId)) return fail("organization_not_found");
  const creatorId = isStaff ? (input.forUser ?? "") : actor.userId;
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: isStaff ? "staff" : "client" };
  const { nonce, ...content } = input;
  const key = contentKey(`${nonce}:`, content);
  return insertTicket(ctx, by, { ...content, nonce: key, creatorId, extra: () => [] });
}

const worksIn = ({ membership, organizations: own }: MemberActor, organizationId: string): boolean =>
  membership.organizationId === organizationId || own.some((each) => each.organizationId === organizationId);

type Insert = NewTicket & {
  creatorId: string;
  /** Returns what else belongs into the batch, after the row. */
  extra: (ticket: { id: string; organizationId: string }) => Statement[];
};

/**
 * Stores a ticket whose creator is a member of its organization at the moment of the commit, and whoever opens it still
 * belongs to it or to the staff.
 */
export async function insertTicket(
  ctx: Ctx,
  by: TicketActor,
  { nonce, organizationId, creatorId, extra, ...input }: Insert,
): Promise<Result<OpenedTicket, OpeningError>> {
  const id = ctx.newId("tkt");
  const { title, description, priority, category, impact, isPrivate = false, followUpOf = null } = input;
  const form = { scope: "ticket-open", key: nonce };
  const opened = await runCommand(ctx, form, {
    read: () => readFacts(ctx.db, { organizationId, creatorId }),
    plan: async (facts, { isFirst }): Promise<Planned<OpeningError>> => {
      if (!facts.ok) return facts;
      const [limited] = await Promise.all([
        isFirst ? takeTicketLimit(ctx, by, { work: "ticket", organizationId }) : null,
        checkFileRoom(ctx, by, { organizationId, files: input.files }),
      ]);
      if (limited) throw limited;
      const at = ctx.now();
      const { creator, organization } = facts.value;
      const side = by.side === "staff" ? "staff" : "client";
      const [promise, announced] = await Promise.all([
        openTargets(ctx, { id, organizationId, by: side, at, priority }),
        announceTicket(ctx, {
          ticket: { id, organization, priority, status: "open", creator, assignee: null, isPrivate },
          actor: by,
          opened: { description, isFollowUp: followUpOf !== null },
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
        ],
        statements: [
          // Inside the batch, so that nobody else's new ticket is in the way: what names the number reads it by SQL.
          ctx.db
            .update(counters)
            .set({ value: sql`${counters.value} + 1` })
            .where(sql`${counters.name} = 'ticket'`),
          expectRow(ctx.db, organizationMemberships, isActiveMember(organizationId, creatorId)),
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
            created_by: creatorId,
            creator_name: creator.name,
            opened_by: by.side === "staff" ? by.userId : null,
            is_private: isPrivate,
            follow_up_of: followUpOf,
            last_message_at: at,
            viewers: `~${creatorId}.`,
            search_text: searchTextOfNew(searched),
            ...promise.columns,
            created_at: at,
            updated_at: at,
          }),
          ...attachTicketFiles(ctx, input.files ?? [], { ticketId: id, organizationId, messageId: null, sender: by }),
          eventStatement(ctx, by, { ticketId: id, organizationId, event: { kind: "opened", to: "open" }, at }),
          ...promise.statements,
          recordAudit(ctx, "ticket.opened", { subject: ticketSubject({ id, title }), orgId: organizationId }),
          ...liveStatements(ctx, { id, organizationId, label: "New ticket", isPrivate }),
          // Before the announcement, which is made to the people on it.
          ...extra({ id, organizationId }),
          ...announced,
        ],
        after: () => afterTicketChange(ctx, organizationId),
      });
    },
  });
  if (!opened.ok) return opened;
  const ticket = await findOpened(ctx.db, opened.value);
  return ticket ? ok(ticket) : fail("organization_not_found");
}

const isActiveMember = (organizationId: string, userId: string) => sql`
  ${organizationMemberships.organization_id} = ${organizationId} AND ${organizationMemberships.user_id} = ${userId}
  AND ${organizationMemberships.status} = 'active'
  AND EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`;

type Named = { id: string; name: string };
type Facts = Result<{ organization: Named; creator: Named }, OpeningError>;

/** Reads what a new ticket is made of. A creator who is no active member is not found. */
async function readFacts(
  db: Db,
  { organizationId, creatorId }: { organizationId: string; creatorId: string },
): Promise<Facts> {
  const [[organization], [creator]] = await Promise.all([
    db.all<Named>(
      sql`SELECT ${organizations.id} AS id, ${organizations.name} AS name FROM ${organizations} WHERE ${organizations.id} = ${organizationId}`,
    ),
    db.all<Named>(sql`
      SELECT u.id, u.full_name AS name FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND m.user_id = ${creatorId} AND m.status = 'active'
        AND u.status = 'active'`),
  ]);
  if (!organization) return fail("organization_not_found");
  return creator ? ok({ organization, creator }) : fail("person_not_found");
}

async function findOpened(db: Db, id: string): Promise<OpenedTicket | null> {
  const [row] = await db.all<OpenedTicket>(sql`SELECT id, number FROM support_tickets WHERE id = ${id}`);
  return row ?? null;
}
