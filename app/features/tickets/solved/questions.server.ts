import { and, eq } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { ticketVotes } from "~/db/schema/tickets";
import { withParams } from "~/lib/addresses";
import type { Instant } from "~/lib/time";
import { readSigned, signed } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import type { StoredTicket } from "../queries.server";

export const SOLVED_PATH = "/solved";

export type SolvedQuestion = { ticketId: string; userId: string; askedAt: Instant };

type Signer = Pick<Config, "FORM_KEY_1">;

/** Returns the token of a question: whoever has it may answer for that person, and do nothing else. */
export const solvedToken = ({ FORM_KEY_1 }: Signer, { ticketId, userId, askedAt }: SolvedQuestion): string =>
  signed(FORM_KEY_1, "solved", [ticketId, userId, askedAt.toString(36)].join("."));

export function readSolvedToken({ FORM_KEY_1 }: Signer, token: string): SolvedQuestion | null {
  const [ticketId, userId = "", askedAt = ""] = readSigned(FORM_KEY_1, "solved", token)?.split(".") ?? [];
  return ticketId === undefined ? null : { ticketId, userId, askedAt: Number.parseInt(askedAt, 36) };
}

export function solvedLinks(config: Signer, question: SolvedQuestion): { yes: string; no: string } {
  const token = solvedToken(config, question);
  return {
    yes: withParams(SOLVED_PATH, { answer: "yes", token }),
    no: withParams(SOLVED_PATH, { answer: "no", token }),
  };
}

type Vote = { isSolved: boolean; at: Instant };

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

export const confirms = (vote: Vote | null, { resolvedAt }: Pick<StoredTicket, "resolvedAt">): boolean =>
  vote?.isSolved === true && vote.at >= (resolvedAt ?? Number.POSITIVE_INFINITY);

type NewVote = Vote & { ticket: Pick<StoredTicket, "id" | "organization">; userId: string; comment: string };

export function voteStatement(db: Db, { ticket, userId, isSolved, comment, at }: NewVote): Statement {
  const answered = { is_solved: isSolved, comment, at };
  return db
    .insert(ticketVotes)
    .values({ ...answered, ticket_id: ticket.id, organization_id: ticket.organization.id, user_id: userId })
    .onConflictDoUpdate({ target: [ticketVotes.ticket_id, ticketVotes.user_id], set: answered });
}
