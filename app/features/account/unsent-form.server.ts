import { and, eq, gt } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { sessions, unsentForms } from "~/db/schema/sessions";
import { returnPath } from "~/features/auth/model";
import { pagePath, withRedirectTo } from "~/lib/addresses";
import { describeError } from "~/lib/describe-error";
import { textField } from "~/lib/form-fields";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { sessionIdOf, setUnsentFormCookie, UNSENT_FORM_LIFETIME, unsentFormIdOf } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { checkFormToken, isAnonymousPurpose, purposeOf } from "~/platform/form-token.server";
import { textEntries } from "~/platform/read-form.server";

/*
 * Forms posted after the session has ended. Such a request changes nothing; its text is stored, encrypted, until the
 * same person signs in again in the same browser and decides whether to send it.
 */

export const UNSENT_FORM_PATH = "/profile/unsent";

/** Returns the destination after a sign-in: first the page of the unsent form, if this browser has one. */
export const destinationAfterSignIn = (ctx: Pick<Ctx, "request">, destination: string): string =>
  unsentFormIdOf(ctx) ? withRedirectTo(UNSENT_FORM_PATH, destination) : destination;

/** Returns the notice of the sign-in page when this browser has an unsent form. */
export const unsentFormReason = (ctx: Pick<Ctx, "request">): string | undefined =>
  unsentFormIdOf(ctx) ? "Your session has ended. Sign in, and what you typed is still there." : undefined;

/** Matches the names of fields that are never stored. */
const SECRET = /password|passphrase|secret|token|^code$/i;

/** Limits the size of an unsent form, in characters of all names and values. */
const MAX_LENGTH = 64_000;

type UnsentForm = {
  /** Holds the path the form was posted to. */
  path: string;
  /** Names the purpose of its form token: a new token of the same purpose is issued when it is sent. */
  purpose: string;
  /** Lists names and values in their order; a name may occur more than once. */
  fields: [string, string][];
};

/** Binds the encrypted form to its row. */
export const unsentFormContext = (userId: string): string => `held_forms:form:${userId}`;

/**
 * Stores a posted form, if it comes from a page of the session whose cookie the browser still sends: the session must
 * be in the sessions table, ended or not, and the form token must have been issued for it. Anything else is not stored,
 * so that strangers cannot fill the table. Returns the id the browser gets in a cookie, or null.
 *
 * Best effort: after an error nothing is stored and the person sees the normal sign-in page.
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
    const { userId } = session;
    const id = ctx.newToken();
    const row = {
      id_hash: hashToken(id),
      form_enc: encryptValue(ctx.config, unsentFormContext(userId), JSON.stringify(form)),
      expires_at: ctx.now() + UNSENT_FORM_LIFETIME,
    };
    await commit(ctx.db, [
      ctx.db
        .insert(unsentForms)
        .values({ user_id: userId, ...row })
        .onConflictDoUpdate({ target: unsentForms.user_id, set: row }),
    ]);
    setUnsentFormCookie(ctx, id);
    return id;
  } catch (error) {
    ctx.log("warn", { event: "form_not_held", request_id: ctx.request.id, error: describeError(error) });
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

/** Returns the unsent form of this person in this browser, or null. */
export async function findUnsentForm(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request">,
  { userId }: SignedIn,
): Promise<UnsentForm | null> {
  const id = unsentFormIdOf(ctx);
  if (!id) return null;
  const [row] = await ctx.db
    .select({ encrypted: unsentForms.form_enc })
    .from(unsentForms)
    .where(
      and(
        eq(unsentForms.user_id, userId),
        eq(unsentForms.id_hash, hashToken(id)),
        gt(unsentForms.expires_at, ctx.now()),
      ),
    )
    .limit(1);
  return row ? (JSON.parse(decryptValue(ctx.config, unsentFormContext(userId), row.encrypted)) as UnsentForm) : null;
}
