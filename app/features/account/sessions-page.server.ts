import { requireStepUp } from "~/features/auth/guards.server";
import { ALL_SIGNED_OUT, SESSION_NOT_OPEN, SESSION_REVOKED, SESSIONS_REVOKED } from "~/features/auth/labels";
import { listOpenSessions } from "~/features/auth/queries.server";
import { endAllSessions, revokeOtherSessions, revokeSession, withDevices } from "~/features/auth/sessions.server";
import { getSettings } from "~/features/settings/queries.server";
import { STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { done } from "~/platform/responses.server";
import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "./account-form.server";

export async function loadSessionsPage(ctx: Ctx, signedIn: SignedIn) {
  const [sessions, settings] = await Promise.all([
    listOpenSessions(ctx.db, signedIn.userId, ctx.now()).then((open) => withDevices(ctx, open)),
    getSettings(ctx.db),
  ]);
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    zone: settings.timeZone,
    sessions: sessions.map((session) => ({ ...session, isCurrent: session.sessionHash === signedIn.sessionHash })),
    hasErrors: ctx.form.isRejected,
  };
}

const PAGE = "/profile/sessions";

const form = { purpose: ACCOUNT_PURPOSE, failed: "Failed to end sessions", invalid: rejectAccountForm };

/** Ending only others requires a fresh proof of identity. */
export const sessionsActions = accountActions()({
  revoke: {
    ...form,
    run: async (ctx, signedIn, { fields }) => {
      await requireStepUp(ctx);
      const isRevoked = await revokeSession(ctx, signedIn, fields.session ?? "");
      if (!isRevoked) return done({ to: PAGE, flash: { kind: "info", ...SESSION_NOT_OPEN } });
      return done({ to: PAGE, flash: { kind: "success", ...SESSION_REVOKED } });
    },
  },
  "revoke-others": {
    ...form,
    run: async (ctx, signedIn) => {
      await requireStepUp(ctx);
      await revokeOtherSessions(ctx, signedIn);
      return done({ to: PAGE, flash: { kind: "success", ...SESSIONS_REVOKED } });
    },
  },
  "end-all": {
    ...form,
    run: async (ctx, signedIn) => {
      await endAllSessions(ctx, signedIn);
      const message = "Sign in again when you need to.";
      return done({ to: STAFF_SIGN_IN_PATH, flash: { kind: "success", title: ALL_SIGNED_OUT.title, message } });
    },
  },
});
