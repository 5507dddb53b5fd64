import { and, eq } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { ticketVotes } from "~/db/schema/tickets";
import type { Instant } from "~/lib/time";
import type { StoredTicket } from "../queries.server";

/** Holds somebody's answer to the question whether a ticket is solved, by mail or on its page. */
type Vote = { isSolved: boolean; at: Instant };

/** Finds somebody's last answer. Null: they have given none. */
export async function findVote(
  db: Db,
  { ticketId, userId }: { ticketId: string; userId: string },
): Promise<Vote | null> {
  const [vote] = await db
    .select({ isSolved: ticketVotes.is_solved, at: ticketVotes.at })
    .from(ticketVotes)
    .where(and(eq(ticketVotes.ticket_id, ticketId), eq(ticketVotes.user_id, userId)));
  return vote ?? null;
}

/** Tells whether an answer says that a resolved ticket is solved, and was given since it was resolved. */
export const confirms = (vote: Vote | null, { resolvedAt }: Pick<StoredTicket, "resolvedAt">): boolean =>
  vote?.isSolved === true && vote.at >= (resolvedAt ?? Number.POSITIVE_INFINITY);

type NewVote = Vote & { ticket: Pick<StoredTicket, "id" | "organization">; userId: string; comment: string };

/** Returns the statement that stores somebody's answer in place of the one before. */
export function voteStatement(db: Db, { ticket, userId, isSolved, comment, at }: NewVote): Statement {
  const answered = { is_solved: isSolved, comment, at };
  return db
    .insert(ticketVotes)
    .values({ ...answered, ticket_id: ticket.id, organization_id: ticket.organization.id, user_id: userId })
    .onConflictDoUpdate({ target: [ticketVotes.ticket_id, ticketVotes.user_id], set: answered });
}
