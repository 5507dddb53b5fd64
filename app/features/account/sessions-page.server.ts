import { listOpenSessions } from "~/features/auth/queries.server";
import { withDevices } from "~/features/auth/sessions.server";
import { getSettings } from "~/features/settings/queries.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/** Loads the person's sessions for the page that lists them. */
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
