import { and, eq, gt } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { heldForms, sessions } from "~/db/schema/sessions";
import { returnPath } from "~/features/auth/model";
import { describeError } from "~/lib/describe-error";
import { typedField } from "~/lib/form-fields";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { HELD_FORM_LIFETIME, heldFormIdOf, sessionIdOf, setHeldFormCookie } from "~/platform/cookies.server";
import { decrypt, encrypt, hashToken } from "~/platform/crypto.server";
import { checkFormToken, isAnonymousPurpose, purposeOf } from "~/platform/form-token.server";

/*
 * What somebody typed while their session ended. The post changes nothing; its text waits, encrypted, for the same person
 * in the same browser to sign in again, who then sees it and decides whether it is sent.
 */

export const HELD_FORM_PATH = "/profile/unsent";

/** Where a completed sign-in leads: past the form that waits for this browser, if one does. */
export const onward = (ctx: Ctx, destination: string): string =>
  heldFormIdOf(ctx) ? `${HELD_FORM_PATH}?redirectTo=${encodeURIComponent(destination)}` : destination;

/** What the sign-in page says while a form waits. */
export const heldFormReason = (ctx: Ctx): string | undefined =>
  heldFormIdOf(ctx) ? "Your session has ended. Sign in, and what you typed is still there." : undefined;

/** Never kept, whatever a form calls them. */
const SECRET = /password|passphrase|secret|token|^code$/i;

/** More than any text of ours; characters of the whole form. */
const MAX_LENGTH = 64_000;

type HeldForm = {
  /** Where it was on its way to. */
  path: string;
  /** What its form token was for: a new one of the same purpose is made when it goes on. */
  purpose: string;
  /** Names and values in their order; a name may occur more than once. */
  fields: [string, string][];
};

const encryptionContext = (userId: string) => `held_forms:form:${userId}`;

/**
 * Keeps what was typed, if the post comes from a page that we gave to the very session the browser still shows: the
 * session must stand in the sessions table, over or not, and the form's token must have been made for it. Whoever has no such
 * session and token makes us store nothing. Returns what the browser gets to find it again.
 *
 * Best effort: whatever fails here, the answer is the sign-in form.
 */
export async function holdForm(ctx: Ctx, request: Request): Promise<string | null> {
  const sessionId = sessionIdOf(ctx);
  if (!sessionId) return null;
  try {
    const form = await readTyped(ctx, request, hashToken(sessionId));
    if (!form) return null;
    const [session] = await ctx.db
      .select({ userId: sessions.user_id })
      .from(sessions)
      .where(eq(sessions.id_hash, hashToken(sessionId)))
      .limit(1);
    if (!session) return null;
    const { userId } = session;
    const id = ctx.newToken();
    const row = {
      id_hash: hashToken(id),
      form_enc: encrypt(ctx.config.DATA_KEK_1, encryptionContext(userId), JSON.stringify(form)),
      expires_at: ctx.now() + HELD_FORM_LIFETIME,
    };
    await commit(ctx.db, [
      ctx.db
        .insert(heldForms)
        .values({ user_id: userId, ...row })
        .onConflictDoUpdate({ target: heldForms.user_id, set: row }),
    ]);
    setHeldFormCookie(ctx, id);
    return id;
  } catch (error) {
    ctx.log("warn", { event: "form_not_held", request_id: ctx.request.id, error: describeError(error) });
    return null;
  }
}

/** The form as far as it may be kept; null: it is not one of ours, too long, or nothing in it was typed. */
async function readTyped(ctx: Ctx, request: Request, sessionHash: string): Promise<HeldForm | null> {
  const { pathname, searchParams } = ctx.request.url;
  const query = new URLSearchParams(searchParams);
  query.delete("_data");
  const path = returnPath(query.size > 0 ? `${pathname}?${query}` : pathname);
  if (!path || pathname === HELD_FORM_PATH) return null;

  const posted = [...((await request.formData()) as unknown as Iterable<[string, string | File]>)];
  const token = posted.find(([name]) => name === "form_token")?.[1];
  if (typeof token !== "string") return null;
  const purpose = purposeOf(token);
  if (isAnonymousPurpose(purpose) || !checkFormToken(ctx, purpose, token, { bearer: { sessionHash } }).ok) return null;

  const fields = posted.filter(
    (field): field is [string, string] => typeof field[1] === "string" && !SECRET.test(field[0]),
  );
  const isTyped = fields.some(([name, value]) => typedField(name) && value.trim() !== "");
  const length = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return isTyped && length <= MAX_LENGTH ? { path, purpose, fields } : null;
}

/** The form that waits for this person in this browser, or null. */
export async function findHeldForm(ctx: Ctx, { userId }: SignedIn): Promise<HeldForm | null> {
  const id = heldFormIdOf(ctx);
  if (!id) return null;
  const [row] = await ctx.db
    .select({ encrypted: heldForms.form_enc })
    .from(heldForms)
    .where(
      and(eq(heldForms.user_id, userId), eq(heldForms.id_hash, hashToken(id)), gt(heldForms.expires_at, ctx.now())),
    )
    .limit(1);
  return row
    ? (JSON.parse(decrypt(ctx.config.DATA_KEK_1, encryptionContext(userId), row.encrypted)) as HeldForm)
    : null;
}
