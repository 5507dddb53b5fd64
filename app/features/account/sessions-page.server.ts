import { json } from "@remix-run/cloudflare";
import { ALL_SIGNED_OUT, SESSION_REVOKED, SESSIONS_REVOKED } from "~/features/auth/copy";
import { requireStepUp } from "~/features/auth/guards.server";
import { listOpenSessions } from "~/features/auth/queries.server";
import { endAllSessions, revokeOtherSessions, revokeSession } from "~/features/auth/sessions/revoke-sessions.server";
import { getSettings } from "~/features/settings/queries.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { redirectWithFlash } from "~/platform/responses.server";
import { ACCOUNT_PURPOSE, readAccountForm, refuseForeignForm } from "./account-form.server";

const PAGE = "/profile/sessions";

export async function loadSessionsPage(ctx: Ctx, signedIn: SignedIn) {
  const [sessions, settings] = await Promise.all([
    listOpenSessions(ctx.db, signedIn.userId, ctx.now()),
    getSettings(ctx.db),
  ]);
  return json({
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    zone: settings.timeZone,
    sessions: sessions.map((session) => ({ ...session, isCurrent: session.sessionHash === signedIn.sessionHash })),
    refused: ctx.request.method === "POST",
  });
}

/** Signs out one other session, all others, or everything. Ending others takes a fresh proof of identity. */
export async function answerSessionsPage(ctx: Ctx, signedIn: SignedIn, request: Request) {
  const { fields, isOurs } = await readAccountForm(ctx, request);
  if (!isOurs) return refuseForeignForm(ctx);
  if (fields.intent === "end-all") {
    await endAllSessions(ctx, signedIn);
    const message = "Sign in again when you need to.";
    return redirectWithFlash(ctx, "/auth", { kind: "success", title: ALL_SIGNED_OUT.title, message });
  }
  await requireStepUp(ctx);
  if (fields.intent === "revoke-others") {
    await revokeOtherSessions(ctx, signedIn);
    return redirectWithFlash(ctx, PAGE, { kind: "success", ...SESSIONS_REVOKED });
  }
  await revokeSession(ctx, signedIn, fields.session ?? "");
  return redirectWithFlash(ctx, PAGE, { kind: "success", ...SESSION_REVOKED });
}
