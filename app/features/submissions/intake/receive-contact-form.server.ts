import { findClaim } from "~/db/client.server";
import { inspectDocument } from "~/features/attachments/model";
import type { CheckedFile } from "~/features/attachments/store-attachment.server";
import type { Estimate } from "~/features/pricing/estimate";
import { estimateFrom } from "~/features/pricing/stored-estimate.server";
import { describeError } from "~/lib/describe-error";
import { echo, type FieldErrors, type FormValues, parseForm } from "~/lib/form";
import { tooManyAttempts } from "~/lib/text";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { checkFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limit.server";
import type { PostedForm } from "~/platform/read-form.server";
import { minutesUntil, type Refusal, retryAfter } from "~/platform/responses.server";
import { CONTACT_COPY, CONTACT_FAILED, CONTACT_TITLES } from "../copy";
import { ContactForm, withAbsentFields } from "../forms.server";
import { CONTACT_PURPOSE, checkForBots, HONEYPOT_FIELD } from "./bot-check.server";
import { sentOrigin } from "./origin";
import { submitContact } from "./submit-contact.server";

/**
 * The form again: what was typed, the estimate that came along, and the token when it can still be used, so that a
 * correction is the same post.
 */
export type ContactRefusal = Refusal & { token: string | null; estimate: Estimate | null };

export type ContactOutcome =
  | { ok: true }
  | { ok: false; status: 400 | 429 | 503; headers?: Record<string, string>; refusal: ContactRefusal };

/** Never shown again: they belong to the machinery, or are a trap. */
const NOT_ECHOED = ["form_token", HONEYPOT_FIELD, "cf-turnstile-response"];

/**
 * Takes a posted assessment request through its checks in the order of the specification: fields, terms, lengths, file,
 * security. An outage keeps everything typed and says 'Submission Failed'; nothing is ever half stored.
 */
export async function receiveContactForm(ctx: Ctx, posted: PostedForm): Promise<ContactOutcome> {
  const values = echo(posted.fields, NOT_ECHOED);
  try {
    if (await isRepeat(ctx, posted)) return { ok: true };
    const limit = await takeLimit(ctx.db, "contact_ip", ctx.request.network, ctx.now());
    if (!limit.allowed) {
      return refused(ctx, posted, values, {
        status: 429,
        title: CONTACT_TITLES.tooMany,
        errors: { form: tooManyAttempts(minutesUntil(limit.retryAt, ctx.now())) },
        headers: { "Retry-After": retryAfter(limit.retryAt, ctx.now()) },
      });
    }

    const parsed = parseForm(ContactForm, withAbsentFields(posted.fields));
    const file = await checkedFile(posted.files.file);
    if (!parsed.ok || file === "refused") {
      const errors: FieldErrors = parsed.ok ? {} : parsed.errors;
      if (file === "refused") errors.file = CONTACT_COPY.file_refused;
      return refused(ctx, posted, values, { status: 400, title: titleOf(errors), errors });
    }

    const input = parsed.value;
    const checked = await checkForBots(ctx, { fields: posted.fields, email: input.email, message: input.message });
    if (!checked.ok) {
      const errors = { form: CONTACT_COPY.security_check };
      return refused(ctx, posted, values, { status: 400, title: CONTACT_TITLES.security, errors });
    }
    const along = { estimate: sentEstimate(posted), origin: sentOrigin(posted.fields) };
    const submitted = await submitContact(ctx, { input, file, ...along, ...checked.value });
    if (submitted.ok) return { ok: true };
    return refused(ctx, posted, values, {
      status: 503,
      title: CONTACT_TITLES.failed,
      errors: { form: CONTACT_FAILED },
      headers: { "Retry-After": String(hours(1) / 1_000) },
    });
  } catch (error) {
    ctx.log("error", { event: "contact_failed", request_id: ctx.request.id, error: describeError(error) });
    return refused(ctx, posted, values, {
      status: 503,
      title: CONTACT_TITLES.failed,
      errors: { form: CONTACT_FAILED },
      headers: { "Retry-After": "5" },
    });
  }
}

/** Whether this very form was accepted before: a double click and a browser's retry use up no limit and no bot check. */
async function isRepeat(ctx: Ctx, { fields }: PostedForm): Promise<boolean> {
  const token = checkFormToken(ctx, CONTACT_PURPOSE, fields.form_token);
  return token.ok && (await findClaim(ctx.db, token.value.nonce, "contact")) !== null;
}

/** Only the choice is sent; it is priced again here, so nobody can send a price. */
const sentEstimate = ({ fields }: PostedForm) => estimateFrom(new URLSearchParams(fields));

/** The first failing rule heads the page; terms have a title of their own. */
function titleOf(errors: FieldErrors): string {
  const [first] = Object.keys(errors);
  return first === "agreed_to_terms" ? CONTACT_TITLES.terms : CONTACT_TITLES.validation;
}

async function checkedFile(file: File | undefined): Promise<CheckedFile | "refused" | null> {
  if (!file) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const inspected = inspectDocument(file.name, bytes);
  return inspected.ok ? { name: file.name, kind: inspected.value, bytes } : "refused";
}

type Why = { status: 400 | 429 | 503; title: string; errors: FieldErrors; headers?: Record<string, string> };

function refused(ctx: Ctx, posted: PostedForm, values: FormValues, why: Why): ContactOutcome {
  const { status, headers, title, errors } = why;
  const token = posted.fields.form_token;
  const stillGood = checkFormToken(ctx, CONTACT_PURPOSE, token).ok && title !== CONTACT_TITLES.security;
  const refusal = { title, errors, values, token: stillGood ? (token ?? null) : null, estimate: sentEstimate(posted) };
  return { ok: false, status, headers, refusal };
}
