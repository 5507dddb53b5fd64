import { CONTACT_FILES } from "~/features/attachments/model";
import { storedFiles } from "~/features/attachments/receive-files.server";
import { receiveFile } from "~/features/attachments/store-attachment.server";
import { priceList } from "~/features/pricing/current-prices";
import type { Estimate } from "~/features/pricing/estimate";
import { estimateFrom } from "~/features/pricing/stored-estimate.server";
import { effectiveBrand, publishedTermsVersion } from "~/features/settings/queries.server";
import { mailboxOf } from "~/lib/email";
import { describeError, fail, ok, type Result } from "~/lib/errors";
import { type FieldErrors, parseForm, type ValidationError, withoutSecrets } from "~/lib/form";
import type { ModerationReason } from "~/lib/moderation";
import { tooManyAttempts } from "~/lib/text";
import { hours, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { rememberSentForm } from "~/platform/cookies.server";
import { keyedHash, readSigned, signed } from "~/platform/crypto.server";
import { discardFiles, formActions } from "~/platform/form-actions.server";
import { checkFormToken, MINIMUM_FILL_TIME } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import type { PostedForm } from "~/platform/read-form.server";
import type { FileReceiver, UploadDecision } from "~/platform/read-multipart.server";
import { type ActionResult, badRequest, done, invalid, rateLimited, unavailable } from "~/platform/responses.server";
import { findResult } from "~/platform/run-command.server";
import { verifyTurnstile } from "~/platform/turnstile.server";
import { ContactFields } from "../forms.server";
import { CONTACT_COPY, CONTACT_FAILED, CONTACT_TITLES } from "../labels";
import { looksLikeAdvertising, sentAttribution } from "../model";
import { CONTACT_SCOPE, CONTACT_SENT_LOCATION, submitContact } from "./submit-contact.server";

const TERMS_FIELD = "terms_version";

type TermsContext = Pick<Ctx, "config" | "publishedSettings">;

const TERMS_PURPOSE = "terms-version/v1";

/** Signed, so that no other version can be sent as the one read. */
export const shownTerms = async (ctx: TermsContext): Promise<string> =>
  signed(ctx.config.FORM_KEY_1, TERMS_PURPOSE, await publishedTermsVersion(ctx));

/** The version that was in force when the form was opened; without a signed one, that which is in force now. */
const agreedTerms = async (ctx: TermsContext, fields: Record<string, string>): Promise<string> =>
  readSigned(ctx.config.FORM_KEY_1, TERMS_PURPOSE, fields[TERMS_FIELD] ?? "") ?? publishedTermsVersion(ctx);

export const CONTACT_PURPOSE = "contact";

/** A field no person sees. It must come back, and come back empty. */
const HONEYPOT_FIELD = "website";

/** `checkAddress`: the last check, which is left to run beside other reads. */
type Checked = {
  nonce: string;
  moderationReason: ModerationReason | null;
  checkAddress?: () => Promise<ModerationReason | null>;
};

/** Doubt never loses a submission, it only holds it back from being counted and mailed. */
async function checkForBots(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request">,
  {
    fields,
    nonce,
    email,
    message,
  }: { fields: Record<string, string>; nonce: string; email: string; message: string | null },
): Promise<Result<Checked, "security_check">> {
  const turnstile = await verifyTurnstile(ctx, fields["cf-turnstile-response"], nonce);
  if (turnstile === "failed") return fail("security_check");

  if (fields[HONEYPOT_FIELD] !== "") return ok({ nonce, moderationReason: "honeypot" });
  if (looksLikeAdvertising(message ?? "")) return ok({ nonce, moderationReason: "content" });
  if (turnstile === "absent") return ok({ nonce, moderationReason: "no_bot_token" });
  if (turnstile === "unreachable") return ok({ nonce, moderationReason: "bot_service_down" });

  return ok({ nonce, moderationReason: null, checkAddress: () => countAddress(ctx, email) });
}

async function countAddress(ctx: Pick<Ctx, "config" | "db" | "now">, email: string): Promise<ModerationReason | null> {
  const address = keyedHash(ctx.config.LOG_HMAC_KEY, "contact-address", mailboxOf(email));
  const counting = { select: ctx.db.select, insert: ctx.db.insertBesideReads };
  const limit = await takeLimit(counting, "contact_addr", address, ctx.now());
  return limit.allowed ? null : "too_many";
}

/** The token comes while it can still be used, so that a correction is the same post. */
export type ContactFormError = ValidationError & { token: string | null; estimate: Estimate | null };

type FormResult = ActionResult<ContactFormError>;

const NOT_ECHOED = ["form_token", HONEYPOT_FIELD, "cf-turnstile-response"];

export const contactActions = formActions<null, null, ContactFormError>({
  intentField: null,
  reading: (ctx) => ({
    upload: {
      maxFileSize: CONTACT_FILES.maxSize,
      decide: (fieldsBefore) => decideUpload(ctx, fieldsBefore),
      stored: { maxFiles: CONTACT_FILES.maxFiles, receive: (fileName) => receiveIfPossible(ctx, fileName) },
    },
  }),
})({
  submit: {
    // Checked by the action itself: wrong fields are named first, whatever the token is worth.
    purpose: null,
    takesFiles: true,
    invalid: badRequest,
    run: (ctx, _actor, posted) => receiveContactForm(ctx, posted),
  },
});

/**
 * In the order of the specification: fields, terms, lengths, file, security. An outage shows everything typed again.
 */
async function receiveContactForm(ctx: Ctx, posted: PostedForm): Promise<FormResult> {
  const { fields } = posted;
  const token = checkToken(ctx, fields);
  const estimate = await sentEstimate(ctx, posted);
  // One that came too fast grows older while the form is corrected.
  const isReusable = token.ok || token.code === "token_too_fast";
  const formError = (title: string, errors: FieldErrors): ContactFormError => ({
    title,
    errors,
    values: withoutSecrets(fields, NOT_ECHOED),
    token: isReusable ? (fields.form_token ?? null) : null,
    estimate,
  });
  const failed = (retryAt: Instant) => unavailable(retryAt, formError(CONTACT_TITLES.failed, { form: CONTACT_FAILED }));

  const decision = posted.upload?.decision ?? (await decideUpload(ctx, fields));
  if (!decision.accepted) {
    if (decision.reason === "repeated" && token.ok) return sent(ctx, token.value.nonce);
    if (decision.reason === "unavailable") return failed(ctx.now() + seconds(5));
    if (decision.reason === "limited") {
      const sentence = tooManyAttempts(decision.retryAt, ctx.now());
      return rateLimited(decision.retryAt, formError(CONTACT_TITLES.tooMany, { form: sentence }));
    }
  }
  const failedFile = posted.upload?.stored.find(({ error }) => error !== null);
  if (failedFile?.error === "unavailable") return failed(ctx.now() + seconds(5));
  // Where it is not known whether the form was stored, its file stays: the job `sweep-orphans` looks at it later.
  const refused = (result: FormResult): FormResult => {
    discardFiles(ctx, posted);
    return result;
  };
  try {
    const parsed = parseForm(ContactFields, fields);
    if (!parsed.ok || failedFile) {
      const errors: FieldErrors = parsed.ok ? {} : parsed.errors;
      if (failedFile) errors.file = CONTACT_COPY.file_not_accepted;
      return refused(invalid(formError(titleOf(errors), errors)));
    }

    const input = parsed.value;
    // The second check is of a token that stood behind the file: the file was not kept.
    const checked =
      token.ok && decision.accepted
        ? await checkForBots(ctx, { fields, nonce: token.value.nonce, email: input.email, message: input.message })
        : fail("security_check");
    if (!checked.ok) {
      const error = formError(CONTACT_TITLES.security, { form: CONTACT_COPY.security_check });
      return refused(invalid({ ...error, token: null }));
    }

    const termsVersion = await agreedTerms(ctx, fields);
    const context = { estimate, attribution: sentAttribution(fields), termsVersion };
    const [file = null] = storedFiles(posted.upload);
    const submitted = await submitContact(ctx, { input, file, ...context, ...checked.value });
    return submitted.ok ? sent(ctx, checked.value.nonce) : refused(failed(ctx.now() + hours(1)));
  } catch (error) {
    logFailure(ctx, error);
    return failed(ctx.now() + seconds(5));
  }
}

function sent(ctx: Pick<Ctx, "config" | "now" | "setCookie">, nonce: string): FormResult {
  rememberSentForm(ctx, nonce);
  return done({ to: CONTACT_SENT_LOCATION });
}

/** Before the file is stored: a repeated post uses up no limit, and without a valid token nothing is kept. */
async function decideUpload(ctx: Ctx, fields: Record<string, string>): Promise<UploadDecision> {
  const token = checkToken(ctx, fields);
  try {
    if (token.ok && (await findResult(ctx.db, { scope: CONTACT_SCOPE, key: token.value.nonce }))) {
      return { accepted: false, reason: "repeated" };
    }
    const limit = await takeLimit(ctx.db, "contact_ip", ctx.request.network, ctx.now());
    if (!limit.allowed) return { accepted: false, reason: "limited", retryAt: limit.retryAt };
  } catch (error) {
    logFailure(ctx, error);
    return { accepted: false, reason: "unavailable" };
  }
  return token.ok ? { accepted: true } : { accepted: false, reason: "token" };
}

const checkToken = (ctx: Ctx, fields: Record<string, string>) =>
  checkFormToken(ctx, CONTACT_PURPOSE, fields.form_token, { minimumAge: MINIMUM_FILL_TIME });

const logFailure = (ctx: Pick<Ctx, "log" | "request">, error: unknown) =>
  ctx.log("error", { event: "contact_failed", request_id: ctx.request.id, error: describeError(error) });

/** Only the choice is sent, so nobody can send a price. */
const sentEstimate = async (ctx: Pick<Ctx, "publishedSettings">, { fields }: PostedForm) =>
  estimateFrom(priceList((await effectiveBrand(ctx)).prices), new URLSearchParams(fields));

/** By the first failing rule. */
function titleOf(errors: FieldErrors): string {
  const [first] = Object.keys(errors);
  return first === "agreed_to_terms" ? CONTACT_TITLES.terms : CONTACT_TITLES.validation;
}

/** A store that is away is a result, not the end of the form: what was typed behind the file is shown again. */
function receiveIfPossible(ctx: Ctx, fileName: string): FileReceiver {
  const receiver = receiveFile(ctx, fileName, CONTACT_FILES);
  let isAway = false;
  const away = (error: unknown) => {
    if (!isAway) logFailure(ctx, error);
    isAway = true;
  };
  return {
    write: async (bytes) => {
      if (!isAway) await receiver.write(bytes).catch(away);
    },
    end: async () => {
      const stored = isAway ? null : await receiver.end().catch(away);
      if (stored) return stored;
      await receiver.abort().catch(away);
      return { fileName, error: "unavailable" };
    },
    abort: receiver.abort,
  };
}
