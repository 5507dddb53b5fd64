import { referenceNumber } from "~/lib/reference-number";
import { type ActionResult, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { findAsked, mayAnswer } from "./answer-question.server";
import { readSolvedToken } from "./token.server";

export const SOLVED_PURPOSE = "solved";

export type SolvedPage = {
  /** Holds the question; null: the link does not work, or no longer. */
  question: {
    number: string;
    title: string;
    /** Holds the answer that this page is for. */
    answer: "yes" | "no";
    /** Holds what was answered so far. */
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
  const asked = question && (await findAsked(ctx, question));
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
