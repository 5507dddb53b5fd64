import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import { MESSAGE_NOT_ADDED } from "~/features/conversation/labels";
import { contentKey } from "~/features/conversation/messages.server";
import { withParams } from "~/lib/addresses";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { fail, ok, type Result } from "~/lib/errors";
import type { ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import { tooManyAttempts } from "~/lib/text";
import { days, type Instant } from "~/lib/time";
import type { Ctx, CurrentMembership } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, invalid, notFound, page, rateLimited } from "~/platform/responses.server";
import { viewerOf } from "../access.server";
import { changeTicket } from "../change-ticket.server";
import { resolvedByClient } from "../commands.server";
import { TICKET_STATUS_NOT_UPDATED } from "../labels";
import { asClient, canBeReopened, isActive, MESSAGE_LIMIT, mayChangeAsClient, REOPEN_WINDOW } from "../model";
import { findTicketForClient, type StoredTicket } from "../queries.server";
import { clientReplyChange, replyAsClient } from "../reply-as-client.server";
import { findVote, readSolvedToken, SOLVED_PATH, type SolvedQuestion, voteStatement } from "./questions.server";

const SOLVED_PURPOSE = "solved";

export type SolvedPage = {
  /** Holds the question; null: the link does not work, or no longer. */
  question: {
    number: string;
    title: string;
    answer: "yes" | "no";
    given: "yes" | "no" | null;
    link: string;
  } | null;
  token: string;
  hasErrors: boolean;
};

/** Loads the page of the question whether a ticket is solved. Opening it answers nothing: programs open links too. */
export async function loadSolvedPage(ctx: Ctx): Promise<ActionResult<SolvedPage>> {
  const { searchParams } = ctx.request.url;
  const link = searchParams.get("token") ?? "";
  const question = readSolvedToken(ctx.config, link);
  const asked = question && (await findQuestion(ctx, question));
  const common = { token: issueFormToken(ctx, SOLVED_PURPOSE), hasErrors: ctx.form.isRejected };
  if (!asked || !mayAnswer(asked, ctx.now())) return page({ ...common, question: null }, 404);
  const { ticket, vote } = asked;
  return page({
    ...common,
    question: {
      number: referenceNumber("ticket", ticket.number),
      title: ticket.title,
      answer: searchParams.get("answer") === "no" ? "no" : "yes",
      given: vote && (vote.isSolved ? "yes" : "no"),
      link,
    },
  });
}

const CHANGEABLE_FOR = days(7);

type OpenQuestion = {
  person: { userId: string; fullName: string; membership: CurrentMembership };
  ticket: { id: string; number: number; title: string };
  /** Holds the present answer; null: there is none yet, or only to an earlier question. */
  vote: { isSolved: boolean; at: Instant } | null;
};

/** Finds who was asked. Null: the question is over, or they may not read the ticket any more. */
async function findQuestion(ctx: Pick<Ctx, "db" | "now">, question: SolvedQuestion): Promise<OpenQuestion | null> {
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

const mayAnswer = ({ vote }: OpenQuestion, now: Instant): boolean => vote === null || now <= vote.at + CHANGEABLE_FOR;

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
const mayResolve = (
  { person, vote }: Pick<OpenQuestion, "person" | "vote">,
  { status, creator }: StoredTicket,
): boolean =>
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
async function answerQuestion(
  ctx: Ctx,
  { person, ticket, vote }: OpenQuestion,
  { broken, nonce }: Answer,
): Promise<Result<null, "not_found" | "changed_since">> {
  const by = asClient(person);
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

async function isAnswered(
  db: Db,
  { ticket, person, isSolved }: Pick<OpenQuestion, "ticket" | "person"> & { isSolved: boolean },
): Promise<boolean> {
  const vote = await findVote(db, { ticketId: ticket.id, userId: person.userId });
  return vote?.isSolved === isSolved;
}

const Link = z.object({ link: z.string().max(300) });
const Broken = Link.extend({
  body: z
    .string()
    .trim()
    .min(1, "Say what is still broken")
    .max(MESSAGE_LIMIT, `Text can have at most ${MESSAGE_LIMIT.toLocaleString("en-US")} characters`),
});

const NOT_SENT = "Not sent yet";
const TRY_AGAIN = "The page was open for too long. Please send it again.";

async function answer(
  ctx: Ctx,
  { link, body }: { link: string; body: string | null },
  nonce: string,
): Promise<ActionResult<ValidationError>> {
  const question = readSolvedToken(ctx.config, link);
  if (!question) return notFound();
  const [asked, limit] = await Promise.all([
    findQuestion(ctx, question),
    takeLimit(ctx.db, "solved_user", question.userId, ctx.now()),
  ]);
  if (!asked || !mayAnswer(asked, ctx.now())) return notFound();
  if (!limit.allowed) {
    const errors = { form: tooManyAttempts(limit.retryAt, ctx.now()) };
    return rateLimited(limit.retryAt, { title: NOT_SENT, errors, values: { body: body ?? "" } });
  }
  const answered = await answerQuestion(ctx, asked, { broken: body, nonce });
  if (!answered.ok && answered.code === "changed_since")
    return invalid({ title: NOT_SENT, errors: { form: CHANGED_SINCE }, values: { body: body ?? "" } });
  if (!answered.ok) return notFound();
  return done({ to: withParams(SOLVED_PATH, { answer: body === null ? "yes" : "no", done: "1", token: link }) });
}

export const solvedActions = formActions<null, null, ValidationError>()({
  yes: {
    purpose: SOLVED_PURPOSE,
    form: Link,
    failed: TICKET_STATUS_NOT_UPDATED,
    invalid: invalidForm(NOT_SENT, TRY_AGAIN),
    run: (ctx, _actor, { input, nonce }) => answer(ctx, { link: input.link, body: null }, nonce),
  },
  no: {
    purpose: SOLVED_PURPOSE,
    form: Broken,
    failed: MESSAGE_NOT_ADDED,
    invalid: invalidForm(NOT_SENT, TRY_AGAIN),
    run: (ctx, _actor, { input, nonce }) => answer(ctx, input, nonce),
  },
});
