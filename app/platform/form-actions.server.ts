import { json, type TypedResponse } from "@remix-run/cloudflare";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { type ErrorText, FORM_TOO_OLD } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import {
  type FieldErrors,
  type FlashRedirect,
  type FormAnswer,
  type FormValues,
  type ListRejection,
  parseForm,
  type ValidationError,
  withoutSecrets,
} from "~/lib/form";
import { seconds } from "~/lib/time";
import { respond } from "~/platform/respond.server";
import type { Ctx } from "./context.server";
import { checkFormToken, type FormTokenError, issueFormToken } from "./form-token.server";
import { type PostedForm, type ReadFormOptions, readForm } from "./read-form.server";
import {
  type ActionResult,
  badRequest,
  denied,
  done,
  invalid,
  page,
  unavailable,
  wasRejected,
} from "./responses.server";
import { NotNow } from "./run-command.server";

/** Of what a form changes, as it was when its page was rendered. */
export const versionField = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

export type Submitted<Params> = PostedForm & { params: Params };

export type FormProblem = { values: FormValues } & (
  | { code: "token"; error: FormTokenError }
  | { code: "fields"; errors: FieldErrors }
);

export const invalidForm =
  (title: string, tooOld: string = FORM_TOO_OLD) =>
  (problem: FormProblem): ActionResult<ValidationError> =>
    invalid({ title, errors: problem.code === "token" ? { form: tooOld } : problem.errors, values: problem.values });

/** Returns why a form is not taken, in a sentence; `otherwise`: what is said where nothing better is known. */
export const reasonOf = (problem: FormProblem, otherwise: string): string =>
  problem.code === "token" ? FORM_TOO_OLD : (problem.errors.form ?? otherwise);

/** Goes back to the page of a button that was not taken, which has no place of its own to say why. */
export const rejectButton = (to: string, problem: FormProblem, otherwise: string): ActionResult<never> =>
  done({ to, flash: { kind: "error", title: "Error", message: reasonOf(problem, otherwise) } });

type MaybePromise<Value> = Value | Promise<Value>;

/** `FormActor` is the result of the route's guard; null: the page has no guard. */
export type FormAction<FormActor, Params, Body, Input> = {
  ability?: FormActor extends Actor ? Ability : never;
  /** Null: the action needs no token, or checks it itself. */
  purpose: string | null;
  /** Tells whether it takes the files that were stored while the form arrived. Those of any other are deleted. */
  takesFiles?: true;
  form?: z.ZodType<Input>;
  invalid: (problem: FormProblem, submitted: Submitted<Params>, ctx: Ctx) => MaybePromise<ActionResult<Body>>;
  /** What is said where the store fails, if not what the table says. */
  failed?: string | ((fields: Record<string, string>) => string);
  /** Declared as a method, so that actions with different inputs fit into one table. */
  run(
    ctx: Ctx,
    actor: FormActor,
    submitted: Submitted<Params> & { input: Input; nonce: string },
  ): MaybePromise<ActionResult<Body>>;
};

type PageOptions<FormActor, Params, Body> = {
  /** What is said where the store fails: what was typed stays. Absent: the page of an outage. */
  failed?: string;
  reading?: ReadFormOptions | ((ctx: Ctx) => ReadFormOptions);
  secrets?: readonly string[];
  /** Null: the page has only one form. */
  intentField?: string | null;
  tokenField?: string;
  conflict?: (actor: FormActor, fields: Record<string, string>) => ErrorText | null;
  unknownIntent?: (submitted: Submitted<Params>, ctx: Ctx) => ActionResult<Body>;
};

export type FormActions<FormActor, Params, Body, Intent extends string = string> = PageOptions<
  FormActor,
  Params,
  Body
> & {
  actions: Record<Intent, FormAction<FormActor, Params, Body, unknown>>;
};

/** `formActions<FormActor, Params, Body>(options)({ … })`: the second call infers each input from its `form`. */
export const formActions =
  <FormActor, Params, Body>(options: PageOptions<FormActor, Params, Body> = {}) =>
  <Inputs extends Record<string, unknown>>(
    actions: {
      [Intent in keyof Inputs]: FormAction<FormActor, Params, Body, Inputs[Intent]>;
    },
  ): FormActions<FormActor, Params, Body, keyof Inputs & string> => ({ ...options, actions });

export function formTokens<FormActor extends Actor, Intent extends string>(
  ctx: Pick<Ctx, "config" | "now" | "newToken" | "signedIn">,
  actor: FormActor,
  { actions }: { actions: Record<Intent, Pick<FormAction<FormActor, never, unknown, never>, "ability" | "purpose">> },
): Record<Intent, string | null> {
  const tokenOf = (intent: Intent): string | null => {
    const { ability, purpose } = actions[intent];
    return purpose && (!ability || can(actor, ability)) ? issueFormToken(ctx, purpose) : null;
  };
  const intents = Object.keys(actions) as Intent[];
  return Object.fromEntries(intents.map((intent) => [intent, tokenOf(intent)])) as Record<Intent, string | null>;
}

const isFetched = ({ request }: Pick<Ctx, "request">): boolean => request.url.searchParams.has("_data");

export async function runFormAction<FormActor, Params, Body>(
  ctx: Ctx,
  table: FormActions<FormActor, Params, Body>,
  { actor, request, params }: { actor: FormActor; request: Request; params: Params },
): Promise<TypedResponse<Body>> {
  const reading = typeof table.reading === "function" ? table.reading(ctx) : table.reading;
  const posted = await readForm(request, reading);
  const conflict = table.conflict?.(actor, posted.fields);
  if (conflict) {
    discardFiles(ctx, posted);
    throw conflictResponse(conflict);
  }
  const result = await submitForm(ctx, table, { actor, submitted: { ...posted, params } });
  ctx.form.isRejected = wasRejected(result);
  // The form takes such an answer out before the page sees it.
  return respond(ctx, isFetched(ctx) ? (answerInPlace(result, posted.fields) as ActionResult<Body>) : result);
}

export function discardFiles(ctx: Pick<Ctx, "after" | "files">, { upload }: Pick<PostedForm, "upload">): void {
  const keys = (upload?.stored ?? []).flatMap((file) => (file.error === null ? [file.key] : []));
  if (keys.length > 0) ctx.after(ctx.files.delete(keys));
}

/** Builds the response to throw for a form that cannot be taken: a page that says why. A script says it in the form. */
export const conflictResponse = (reason: ErrorText): Response => json(reason, { status: 409 });

/** Any other message comes with the address of the page that shows it, unless that is a new document. */
function answerInPlace<Body>(
  result: ActionResult<Body>,
  { answer }: Record<string, string>,
): ActionResult<Body | FormAnswer | FlashRedirect> {
  if (result.outcome !== "done" || !result.flash) return result;
  const { kind, title, message } = result.flash;
  if (kind === "error") return invalid<FormAnswer>({ rejection: message });
  if (answer === "beside" && !result.newDocument)
    return page<FormAnswer>(result.unchanged ? { unchanged: title } : { saved: message || title });
  return result.newDocument ? result : page<FlashRedirect>({ to: result.to, flash: result.flash });
}

export async function submitForm<FormActor, Params, Body>(
  ctx: Ctx,
  table: FormActions<FormActor, Params, Body>,
  { actor, submitted }: { actor: FormActor; submitted: Submitted<Params> },
): Promise<ActionResult<Body>> {
  const { fields } = submitted;
  const { tokenField = "form_token", secrets = [] } = table;
  const action = actionFor(table, fields);
  const isDenied = action?.ability !== undefined && !can(actor as Actor, action.ability);
  // The token of one form of a page lets in the files of each.
  if (!action?.takesFiles || isDenied) discardFiles(ctx, submitted);
  if (!action) return table.unknownIntent?.(submitted, ctx) ?? badRequest();
  const { purpose, form } = action;
  if (isDenied) return denied();

  const hidden = [...secrets, tokenField];
  const token = purpose === null ? null : checkFormToken(ctx, purpose, fields[tokenField]);
  if (token && !token.ok) {
    const problem: FormProblem = { code: "token", error: token.code, values: withoutSecrets(fields, hidden) };
    return action.invalid(problem, submitted, ctx);
  }
  const parsed = form ? parseForm(form, fields, hidden) : { ok: true as const, value: undefined };
  if (!parsed.ok) {
    const { errors, values } = parsed;
    return action.invalid({ code: "fields", errors, values }, submitted, ctx);
  }
  try {
    return await action.run(ctx, actor, { ...submitted, input: parsed.value, nonce: token?.value.nonce ?? "" });
  } catch (error) {
    const values = withoutSecrets(fields, hidden);
    if (error instanceof NotNow) {
      const { outcome, retryAt, message } = error;
      const rejected = await action.invalid({ code: "fields", errors: { form: message }, values }, submitted, ctx);
      return rejected.outcome === "invalid" ? { ...rejected, outcome, retryAt } : rejected;
    }
    const failed = failureOf(action, fields) ?? table.failed;
    if (error instanceof Response || !failed) throw error;
    ctx.log("error", { event: "form_failed", request_id: ctx.request.id, kind: purpose, error: describeError(error) });
    // Nobody knows whether it was stored. Sent again, it must be the same form; and no file is deleted.
    ctx.form.token = fields[tokenField];
    const problem: FormProblem = { code: "fields", errors: { form: failed }, values };
    const rejected = await failure(ctx, failed, () => action.invalid(problem, { ...submitted, upload: null }, ctx));
    // A form without a page of its own.
    if (rejected.outcome === "bad_request") throw error;
    return rejected;
  }
}

const failureOf = (
  { failed }: Pick<FormAction<never, never, never, never>, "failed">,
  fields: Record<string, string>,
) => (typeof failed === "function" ? failed(fields) : failed);

async function failure<Body>(
  ctx: Pick<Ctx, "now" | "request">,
  notSaved: string,
  page: () => MaybePromise<ActionResult<Body>>,
): Promise<ActionResult<Body>> {
  const retryAt = ctx.now() + seconds(5);
  // The form of a hydrated page keeps what it holds, its token too.
  if (isFetched(ctx)) return unavailable(retryAt, { notSaved } as Body);
  const rejected = await page();
  if (rejected.outcome !== "invalid") return rejected;
  const { body } = rejected;
  const isTitled = typeof body === "object" && body !== null && "title" in body;
  return unavailable(retryAt, isTitled ? { ...body, title: "Error" } : body);
}

function actionFor<FormActor, Params, Body>(
  { actions, intentField = "intent" }: FormActions<FormActor, Params, Body>,
  fields: Record<string, string>,
): FormAction<FormActor, Params, Body, unknown> | undefined {
  if (intentField === null) return Object.values(actions)[0];
  const intent = fields[intentField] ?? "";
  return Object.hasOwn(actions, intent) ? actions[intent] : undefined;
}

export const rejectList = ({ lists }: PostedForm, rejection: string): ActionResult<ListRejection> =>
  invalid({ rejection, rows: lists.row ?? [] });

/** Rejects a form of a list whose token or fields are not valid, or which cannot be done now, as its problem says. */
export const rejectListForm = (message: string) => (problem: FormProblem, posted: PostedForm) =>
  rejectList(posted, reasonOf(problem, message));
