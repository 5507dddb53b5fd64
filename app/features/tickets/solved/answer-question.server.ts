import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { fail, ok, type Result } from "~/lib/result";
import { days, type Instant } from "~/lib/time";
import type { Ctx, CurrentMembership } from "~/platform/context.server";
import { viewerOf } from "../access.server";
import { changeTicket } from "../change-ticket.server";
import { resolvedByClient } from "../commands.server";
import { contentKey } from "../conversation/message-key.server";
import { clientReplyChange, replyAsClient } from "../conversation/reply-as-client.server";
import { canBeReopened, isActive, mayChangeAsClient, REOPEN_WINDOW, type TicketActor } from "../model";
import { findTicketForClient, type StoredTicket } from "../queries.server";
import type { SolvedQuestion } from "./token.server";
import { findVote, voteStatement } from "./votes.server";

/** Sets how long an answer can be changed. */
const CHANGEABLE_FOR = days(7);

/** Describes whoever was asked, as a client of the ticket's organization, and what they have answered. */
type Asked = {
  person: { userId: string; fullName: string; membership: CurrentMembership };
  ticket: { id: string; number: number; title: string };
  /** Holds the present answer; null: there is none yet, or only to an earlier question. */
  vote: { isSolved: boolean; at: Instant } | null;
};

/** Finds who was asked. Null: the question is over, or they may not read the ticket any more. */
export async function findAsked(ctx: Pick<Ctx, "db" | "now">, question: SolvedQuestion): Promise<Asked | null> {
  if (ctx.now() > question.askedAt + REOPEN_WINDOW) return null;
  const row = await findMember(ctx.db, question);
  if (!row) return null;
  const person = {
    userId: question.userId,
    fullName: row.fullName,
    membership: { organizationId: row.organizationId, organizationName: row.organizationName, role: row.role },
  };
  const ticket = await findTicketForClient(ctx.db, question.ticketId, viewerOf(person));
  if (!ticket) return null;
  const { id, number, title } = ticket;
  const isCurrent = row.votedAt !== null && row.votedAt >= question.askedAt;
  return {
    person,
    ticket: { id, number, title },
    vote: isCurrent ? { isSolved: row.isSolved === 1, at: row.votedAt as Instant } : null,
  };
}

/** Tells whether an answer can still be given, or changed. */
export const mayAnswer = ({ vote }: Asked, now: Instant): boolean => vote === null || now <= vote.at + CHANGEABLE_FOR;

type Member = CurrentMembership & { fullName: string; votedAt: Instant | null; isSolved: number | null };

async function findMember(db: Db, { userId, ticketId }: SolvedQuestion): Promise<Member | null> {
  const [row] = await db.all<Member>(sql`
    SELECT u.full_name AS fullName, m.role, o.id AS organizationId, o.name AS organizationName, v.at AS votedAt,
      v.is_solved AS isSolved
    FROM support_tickets t CROSS JOIN organizations o ON o.id = t.organization_id
      CROSS JOIN organization_memberships m ON m.organization_id = o.id AND m.user_id = ${userId}
        AND m.status = 'active'
      CROSS JOIN users u ON u.id = m.user_id AND u.status = 'active'
      LEFT JOIN ticket_votes v ON v.ticket_id = t.id AND v.user_id = u.id
    WHERE t.id = ${ticketId} LIMIT 1`);
  return row ?? null;
}

/**
 * Tells whether "Yes" resolves an open ticket: if the person may say so in the portal too, or takes back their own
 * "No", which has opened it.
 */
const mayResolve = ({ person, vote }: Pick<Asked, "person" | "vote">, { status, creator }: StoredTicket): boolean =>
  isActive(status) &&
  (vote?.isSolved === false ||
    mayChangeAsClient({ userId: person.userId, role: person.membership.role }, { createdBy: creator.id }));

type Answer = {
  /** Says what is still broken; null: it is solved. */
  broken: string | null;
  nonce: string;
};

/**
 * Stores somebody's answer, one for each ticket, which they may change for seven days. That it is still broken is a
 * message too, which opens the ticket again; a ticket that ended too long ago for that goes on as a new one. That
 * it is solved resolves a ticket that is open again.
 */
export async function answerQuestion(
  ctx: Ctx,
  { person, ticket, vote }: Asked,
  { broken, nonce }: Answer,
): Promise<Result<null, "not_found" | "changed_since">> {
  const by: TicketActor = { userId: person.userId, fullName: person.fullName, side: "client" };
  const at = ctx.now();
  const isSolved = broken === null;
  const choice = contentKey("", { broken });
  const key = `${nonce}:${ticket.id}`;
  const changed = await changeTicket<"ended_long_ago" | "changed_since">(ctx, by, {
    find: () => findTicketForClient(ctx.db, ticket.id, viewerOf(person)),
    scope: "ticket-vote",
    key,
    choice,
    plan: async (current, last) => {
      if (last === choice)
        return (await isAnswered(ctx.db, { ticket, person, isSolved })) ? ok(null) : fail("changed_since");
      const store = voteStatement(ctx.db, {
        ticket: current,
        userId: person.userId,
        isSolved,
        comment: broken ?? "",
        at: vote?.at ?? at,
      });
      const event = { kind: "vote" as const, to: isSolved ? "solved" : "broken" };
      if (broken === null) {
        const solved = mayResolve({ person, vote }, current) ? resolvedByClient(current, at) : null;
        return ok({
          ...(solved ?? { audit: [], label: "Solved, says the client" }),
          statements: [store],
          events: [...(solved?.events ?? []), event],
        });
      }
      if (!isActive(current.status) && !canBeReopened(current, at)) return fail("ended_long_ago");
      const message = { id: ctx.newId("msg"), text: broken };
      const reply = clientReplyChange(ctx, by, { ticket: current, message });
      return ok({
        ...reply,
        statements: [...(reply.statements ?? []), store],
        events: [...(reply.events ?? []), event],
      });
    },
  });
  if (changed.ok) return ok(null);
  if (changed.code === "changed_since") return fail("changed_since");
  if (changed.code === "ticket_not_found" || broken === null) return fail("not_found");
  const goneOn = await replyAsClient(ctx, person, { ticketId: ticket.id, text: broken, nonce: `${key}:${choice}` });
  return goneOn.ok ? ok(null) : fail("not_found");
}

/** Tells whether somebody's present answer is this one. */
async function isAnswered(
  db: Db,
  { ticket, person, isSolved }: Pick<Asked, "ticket" | "person"> & { isSolved: boolean },
): Promise<boolean> {
  const vote = await findVote(db, { ticketId: ticket.id, userId: person.userId });
  return vote?.isSolved === isSolved;
}
