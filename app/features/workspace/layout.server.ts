import type { StaffActor } from "~/features/auth/guards.server";
import { countUnread, ownNotifications } from "~/features/notifications/queries.server";
import { getSettings } from "~/features/settings/queries.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import type { Ctx } from "~/platform/context.server";
import { takeFlash } from "~/platform/flash.server";
import { issueFormToken } from "~/platform/form-token.server";
import { LIVE_PURPOSE } from "./actions.server";
import { navigationEntries } from "./navigation-entries.server";
import { listLiveUpdates } from "./queries.server";
import { readOrNull } from "./read-or-null.server";

/** Returns what the frame of the admin area shows around a page. What cannot be read is missing alone. */
export async function adminLayoutData(ctx: Ctx, actor: StaffActor) {
  const [live, items, settings, unread] = await Promise.all([
    readOrNull(ctx, "live_updates_failed", listLiveUpdates(ctx)),
    navigationEntries(ctx, actor),
    readOrNull(ctx, "settings_failed", getSettings(ctx.db)),
    readOrNull(ctx, "unread_failed", countUnread(ctx.db, ownNotifications(actor))),
  ]);
  return {
    live,
    items,
    zone: (settings ?? DEFAULT_SETTINGS).timeZone,
    flash: takeFlash(ctx),
    liveToken: issueFormToken(ctx, LIVE_PURPOSE),
    codesUnsaved: actor.codesUnsaved,
    account: { name: actor.fullName, email: actor.email, unread, signOutToken: issueFormToken(ctx, "sign-out") },
  };
}

export type AdminLayoutData = Awaited<ReturnType<typeof adminLayoutData>>;
