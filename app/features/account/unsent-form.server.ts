import { json } from "@remix-run/cloudflare";
import { eq } from "drizzle-orm";
import * as z from "zod";
import { sessions } from "~/db/schema/sessions";
import { destinationOf, returnPath } from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { PROFILE_PATH, pagePath, withRedirectTo } from "~/lib/addresses";
import type { ErrorText } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import { textField } from "~/lib/form";
import type { Ctx, SignedIn } from "~/platform/context.server";
import {
  deleteUnsentFormCookie,
  sessionIdOf,
  setUnsentFormCookie,
  UNSENT_FORM_LIFETIME,
  unsentFormIdOf,
} from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { setFlash } from "~/platform/flash.server";
import { formActions } from "~/platform/form-actions.server";
import { checkFormToken, isAnonymousPurpose, issueFormToken, purposeOf } from "~/platform/form-token.server";
import { textEntries } from "~/platform/read-form.server";
import { type ActionResult, done, forwarded, redirectWithin } from "~/platform/responses.server";
import { deleteSessionData, keepUnderNewId, readSessionData, sessionDataKey } from "~/platform/session-data.server";

/*
 * Forms posted after the session has ended. Such a request changes nothing; its text is kept until the same person
 * signs in again in the same browser and decides whether to send it.
 */

const UNSENT_FORM_PATH = "/profile/unsent";

/** First the page of the unsent form, if this browser has one. */
export const destinationAfterSignIn = (ctx: Pick<Ctx, "request">, destination: string): string =>
  unsentFormIdOf(ctx) ? withRedirectTo(UNSENT_FORM_PATH, destination) : destination;

export const unsentFormReason = (ctx: Pick<Ctx, "request">): string | undefined =>
  unsentFormIdOf(ctx) ? "Your session has ended. Sign in, and what you typed is still there." : undefined;

/** Names of fields that are never stored. */
const SECRET = /password|passphrase|secret|token|^code$/i;

const MAX_LENGTH = 64_000;

const UnsentForm = z.object({
  path: z.string(),
  purpose: z.string(),
  /** In their order; a name may occur more than once. */
  fields: z.array(z.tuple([z.string(), z.string()])),
});
type UnsentForm = z.infer<typeof UnsentForm>;

/** Bound to its owner: whoever else signs in with this browser does not get it. */
const SavedForm = UnsentForm.extend({ userId: z.string() });
type SavedForm = z.infer<typeof SavedForm>;

/**
 * Keeps a posted form, if it comes from a page of the session whose cookie the browser still sends: the session must
 * be in the sessions table, ended or not, and the form token must have been issued for it. So strangers cannot fill the
 * store. Returns the id the browser gets in a cookie; null: nothing was kept, and the sign-in page is the normal one.
 */
export async function storeUnsentForm(ctx: Ctx, request: Request): Promise<string | null> {
  const sessionId = sessionIdOf(ctx);
  if (!sessionId) return null;
  try {
    const [session] = await ctx.db
      .select({ userId: sessions.user_id })
      .from(sessions)
      .where(eq(sessions.id_hash, hashToken(sessionId)))
      .limit(1);
    // Nothing of what strangers send is read.
    if (!session) return null;
    const form = await readTyped(ctx, request, hashToken(sessionId));
    if (!form) return null;
    const kept: SavedForm = { ...form, userId: session.userId };
    const id = await keepUnderNewId(ctx, "unsent", kept, UNSENT_FORM_LIFETIME);
    // An earlier text must not be shown, and sent, as the newest.
    deleteUnsentForm(ctx);
    if (!id) {
      if (unsentFormIdOf(ctx)) deleteUnsentFormCookie(ctx);
      return null;
    }
    setUnsentFormCookie(ctx, id);
    return id;
  } catch (error) {
    ctx.log("warn", { event: "unsent_form_not_kept", request_id: ctx.request.id, error: describeError(error) });
    return null;
  }
}

/** Returns the form without its secrets; null when it was not issued by us, is too long or contains no typed text. */
async function readTyped(
  ctx: Pick<Ctx, "config" | "now" | "request" | "signedIn">,
  request: Request,
  sessionHash: string,
): Promise<UnsentForm | null> {
  const { url } = ctx.request;
  const path = returnPath(pagePath(url));
  if (!path || url.pathname === UNSENT_FORM_PATH) return null;

  const posted = await textEntries(request);
  const token = posted.find(([name]) => name === "form_token")?.[1];
  if (token === undefined) return null;
  const purpose = purposeOf(token);
  if (isAnonymousPurpose(purpose) || !checkFormToken(ctx, purpose, token, { boundSession: { sessionHash } }).ok)
    return null;

  const fields = posted.filter(([name]) => !SECRET.test(name));
  const isTyped = fields.some(([name, value]) => textField(name) && value.trim() !== "");
  const length = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return isTyped && length <= MAX_LENGTH ? { path, purpose, fields } : null;
}

function deleteUnsentForm(ctx: Pick<Ctx, "after" | "kv" | "request">): void {
  const id = unsentFormIdOf(ctx);
  if (id) deleteSessionData(ctx, sessionDataKey("unsent", hashToken(id)));
}

/**
 * Looks for the form of this person in this browser. `lost`: there was one, of whomever, that nobody finds any more.
 * `unreadable`: it may still lie there, but cannot be read now.
 */
export async function findUnsentForm(
  ctx: Pick<Ctx, "config" | "kv" | "log" | "now" | "request">,
  { userId }: SignedIn,
): Promise<{ state: "found"; form: UnsentForm } | { state: "none" | "lost" | "unreadable" }> {
  const id = unsentFormIdOf(ctx);
  if (!id) return { state: "none" };
  const key = sessionDataKey("unsent", hashToken(id));
  const read = await readSessionData(ctx, [key], SavedForm);
  if (!read) return { state: "unreadable" };
  const kept = read.get(key);
  if (!kept) return { state: "lost" };
  const { userId: owner, ...form } = kept;
  return owner === userId ? { state: "found", form } : { state: "none" };
}

const PURPOSE = "unsent";

/** Throws a redirect to the destination when there is none. */
export async function loadUnsentPage(ctx: Ctx, signedIn: SignedIn) {
  const destination = destinationOf(
    signedIn,
    returnPath(ctx.request.url.searchParams.get("redirectTo")),
    (await effectiveBrand(ctx)).domain,
  );
  const unsent = await findUnsentForm(ctx, signedIn);
  if (unsent.state === "unreadable") throw notReadNow(destination);
  if (unsent.state !== "found") {
    deleteUnsentFormCookie(ctx);
    if (unsent.state === "lost") setFlash(ctx, { kind: "warning", ...NOT_SAVED_FORM });
    throw redirectWithin(destination);
  }
  const { form } = unsent;
  return {
    action: UNSENT_FORM_PATH,
    token: issueFormToken(ctx, PURPOSE),
    /** For the page the form is posted to; it also keeps that page from processing the form twice. */
    formToken: issueFormToken(ctx, form.purpose),
    /** In their order; without a label: a hidden input of the form. */
    fields: form.fields.map(([name, value], index) => {
      const typed = textField(name);
      return { index, name, value, label: typed?.label ?? null, isLong: typed?.isMultiline === true };
    }),
  };
}

/** The cookie stays, so that the text is there when the page is loaded again. */
function notReadNow(destination: string): Response {
  const text: ErrorText = {
    title: "Your text could not be read now",
    text: "It is kept for half an hour, and nothing was sent. Part of our service is not responding. Load this page again in a minute.",
    links: [{ label: "Go on without it", to: destination }],
  };
  return json(text, { status: 503, headers: { "Retry-After": "5" } });
}

const NOT_SAVED_FORM = {
  title: "Your text is gone",
  message: "What you typed could not be kept, and nothing was sent.",
};

const action = {
  purpose: PURPOSE,
  // The token is of an earlier session or forged: the unsent form stays and is shown again.
  invalid: () => done({ to: UNSENT_FORM_PATH }),
};

/**
 * The fields of the form are not read here: a 307 makes the browser post them again, to the path that is kept with
 * them, where they are checked like every other form.
 */
export const unsentActions = formActions<SignedIn, null, never>({
  reading: { only: ["unsent", "unsent_token"] },
  intentField: "unsent",
  tokenField: "unsent_token",
})({
  send: { ...action, run: (ctx, signedIn) => take(ctx, signedIn, forwarded) },
  discard: {
    ...action,
    run: (ctx, signedIn) =>
      take(ctx, signedIn, (path) => {
        deleteUnsentForm(ctx);
        return done({ to: path });
      }),
  },
});

async function take(
  ctx: Ctx,
  signedIn: SignedIn,
  next: (path: string) => ActionResult<never>,
): Promise<ActionResult<never>> {
  const unsent = await findUnsentForm(ctx, signedIn);
  if (unsent.state === "unreadable") throw notReadNow(PROFILE_PATH);
  deleteUnsentFormCookie(ctx);
  if (unsent.state === "found") return next(unsent.form.path);
  const message = "It was already sent or discarded, or it has expired.";
  return done({ to: PROFILE_PATH, flash: { kind: "info", title: "Nothing was sent", message } });
}
