import * as z from "zod";
import { withParams } from "~/lib/addresses";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ValidationError } from "~/lib/form";
import { tooManyAttempts } from "~/lib/text";
import { type ActionResult, done, invalid, notFound, rateLimited } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { takeLimit } from "~/platform/rate-limit.server";
import { MESSAGE_LIMIT } from "../model";
import { answerQuestion, findAsked, mayAnswer } from "./answer-question.server";
import { SOLVED_PURPOSE } from "./load-page.server";
import { readSolvedToken, SOLVED_PATH } from "./token.server";

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

/** Stores an answer of whoever has the link, and shows the page again, which says so. */
async function answer(
  ctx: Ctx,
  { link, body }: { link: string; body: string | null },
  nonce: string,
): Promise<ActionResult<ValidationError>> {
  const question = readSolvedToken(ctx.config, link);
  if (!question) return notFound();
  const [asked, limit] = await Promise.all([
    findAsked(ctx, question),
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

/** Takes the answers to the question whether a ticket is solved. */
export const solvedActions = formActions<null, null, ValidationError>()({
  yes: {
    purpose: SOLVED_PURPOSE,
    form: Link,
    invalid: invalidForm(NOT_SENT, TRY_AGAIN),
    run: (ctx, _actor, { input, nonce }) => answer(ctx, { link: input.link, body: null }, nonce),
  },
  no: {
    purpose: SOLVED_PURPOSE,
    form: Broken,
    invalid: invalidForm(NOT_SENT, TRY_AGAIN),
    run: (ctx, _actor, { input, nonce }) => answer(ctx, input, nonce),
  },
});
