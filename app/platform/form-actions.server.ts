import type { TypedResponse } from "@remix-run/cloudflare";
import type { ZodType } from "zod";
import type { Actor } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { echo, type FieldErrors, type FormValues, parseForm } from "~/lib/form";
import { type ActionResult, badRequest, denied } from "./action-result";
import type { Ctx } from "./context.server";
import { checkFormToken, type FormTokenError, issueFormToken } from "./form-token.server";
import { type FormReading, type PostedForm, readForm } from "./read-form.server";
import { respond } from "./respond.server";

/*
 * What every form of the product goes through. Each page has one table, in an `actions.server.ts`, from the intent of a
 * form to the action that carries it out; the route calls `runFormAction` with it, after its guard.
 */

/** A form as it came, with what the address of its page says (`params`). */
export type Submitted<Params> = PostedForm & { params: Params };

/** What is wrong with a form before its action runs; `values` may be shown again. */
export type FormProblem = { values: FormValues } & (
  | { code: "token"; error: FormTokenError }
  | { code: "fields"; errors: FieldErrors }
);

type Answer<Body> = ActionResult<Body> | Promise<ActionResult<Body>>;

/** One kind of form. `Who` is what the guard of the route returned; null on pages that ask nobody who they are. */
export type FormAction<Who, Params, Body, Input> = {
  /** Demanded beyond the guard of the route; without it the answer is 403. */
  ability?: Who extends Actor ? Ability : never;
  /** What the form's token must have been issued for; null where the action needs none or checks it itself. */
  purpose: string | null;
  /** What the fields must look like; `input` is its output. */
  form?: ZodType<Input>;
  /** Answers a form whose token or fields are not accepted. */
  invalid: (problem: FormProblem, submitted: Submitted<Params>, ctx: Ctx) => Answer<Body>;
  /** Carries the form out. Written as a method, so that actions with different inputs fit into one table. */
  run(ctx: Ctx, who: Who, submitted: Submitted<Params> & { input: Input; nonce: string }): Answer<Body>;
};

type PageOptions<Params, Body> = {
  /** How the forms are read. */
  reading?: FormReading;
  /** Fields that are never shown again, besides the token. */
  secrets?: readonly string[];
  /** The field that says which form it is; null where the page has one form only. */
  intentField?: string | null;
  tokenField?: string;
  /** Answers an intent that no form of the page sends; by default with the error page, 400. */
  unknownIntent?: (submitted: Submitted<Params>, ctx: Ctx) => ActionResult<Body>;
};

/** All forms of one page. */
export type FormActions<Who, Params, Body, Intent extends string = string> = PageOptions<Params, Body> & {
  actions: Record<Intent, FormAction<Who, Params, Body, unknown>>;
};

/**
 * Begins the table of a page: `formActions<Who, Params, Body>(options)({ intent: action, … })`. The second call infers
 * the type of each action's input from its `form`.
 */
export const formActions =
  <Who, Params, Body>(options: PageOptions<Params, Body> = {}) =>
  <Inputs extends Record<string, unknown>>(
    actions: {
      [Intent in keyof Inputs]: FormAction<Who, Params, Body, Inputs[Intent]>;
    },
  ): FormActions<Who, Params, Body, keyof Inputs & string> => ({ ...options, actions });

/** Issues a token for each form of a page; null for a form that the person may not send. */
export function formTokens<Who extends Actor, Intent extends string>(
  ctx: Ctx,
  who: Who,
  { actions }: { actions: Record<Intent, Pick<FormAction<Who, never, unknown, never>, "ability" | "purpose">> },
): Record<Intent, string | null> {
  const tokenOf = (intent: Intent): string | null => {
    const { ability, purpose } = actions[intent];
    return purpose && (!ability || can(who, ability)) ? issueFormToken(ctx, purpose) : null;
  };
  const intents = Object.keys(actions) as Intent[];
  return Object.fromEntries(intents.map((intent) => [intent, tokenOf(intent)])) as Record<Intent, string | null>;
}

/** Carries out a submitted form and answers it: the whole of a route's action behind its guard. */
export async function runFormAction<Who, Params, Body>(
  ctx: Ctx,
  table: FormActions<Who, Params, Body>,
  { who, request, params }: { who: Who; request: Request; params: Params },
): Promise<TypedResponse<Body>> {
  const posted = await readForm(request, table.reading);
  return respond(ctx, await submitForm(ctx, table, { who, submitted: { ...posted, params } }));
}

/**
 * Finds the action of a form and runs it, in this order: intent, ability, token, fields. What fails a check changes
 * nothing.
 */
export async function submitForm<Who, Params, Body>(
  ctx: Ctx,
  table: FormActions<Who, Params, Body>,
  { who, submitted }: { who: Who; submitted: Submitted<Params> },
): Promise<ActionResult<Body>> {
  const { fields } = submitted;
  const { tokenField = "form_token", secrets = [] } = table;
  const action = actionFor(table, fields);
  if (!action) return table.unknownIntent?.(submitted, ctx) ?? badRequest();
  const { ability, purpose, form } = action;
  if (ability && !can(who as Actor, ability)) return denied();

  const hidden = [...secrets, tokenField];
  const token = purpose === null ? null : checkFormToken(ctx, purpose, fields[tokenField]);
  if (token && !token.ok) {
    const problem: FormProblem = { code: "token", error: token.code, values: echo(fields, hidden) };
    return action.invalid(problem, submitted, ctx);
  }
  const parsed = form ? parseForm(form, fields, hidden) : { ok: true as const, value: undefined };
  if (!parsed.ok) {
    const { errors, values } = parsed;
    return action.invalid({ code: "fields", errors, values }, submitted, ctx);
  }
  return action.run(ctx, who, { ...submitted, input: parsed.value, nonce: token?.value.nonce ?? "" });
}

function actionFor<Who, Params, Body>(
  { actions, intentField = "intent" }: FormActions<Who, Params, Body>,
  fields: Record<string, string>,
): FormAction<Who, Params, Body, unknown> | undefined {
  if (intentField === null) return Object.values(actions)[0];
  const intent = fields[intentField] ?? "";
  return Object.hasOwn(actions, intent) ? actions[intent] : undefined;
}
