import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { useContext } from "react";
import { UnsavedCodes } from "~/features/account/ui/unsaved-codes";
import { requireStaff } from "~/features/auth/guards.server";
import { countUnread, ownNotifications } from "~/features/notifications/queries.server";
import { DEFAULT_SETTINGS } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { useBrand } from "~/features/settings/ui/use-brand";
import { LIVE_PURPOSE } from "~/features/workspace/actions.server";
import { LIVE_FAILED } from "~/features/workspace/copy";
import { navigationEntries } from "~/features/workspace/navigation-entries.server";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { LivePanel } from "~/features/workspace/ui/live-panel";
import { LiveUpdates } from "~/features/workspace/ui/live-updates";
import { WorkspaceLayout } from "~/features/workspace/ui/workspace-layout";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { keepingLoader } from "~/live/page-refresh";
import { takeFlash } from "~/platform/flash.server";
import { issueFormToken } from "~/platform/form-token.server";
import { pageData } from "~/platform/page-data.server";
import { OtherAddressContext } from "~/ui/other-address";

export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader({ ofLayout: true });

export const handle = { hydrate: true };

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  const [live, items, settings, unread] = await Promise.all([
    readOrNull(context, "live_updates_failed", listLiveUpdates(context)),
    navigationEntries(context, actor),
    readOrNull(context, "settings_failed", getSettings(context.db)),
    readOrNull(context, "unread_failed", countUnread(context.db, ownNotifications(actor))),
  ]);
  return pageData({
    live,
    items,
    zone: (settings ?? DEFAULT_SETTINGS).timeZone,
    flash: takeFlash(context),
    liveToken: issueFormToken(context, LIVE_PURPOSE),
    codesUnsaved: actor.codesUnsaved,
    account: { name: actor.fullName, email: actor.email, unread, signOutToken: issueFormToken(context, "sign-out") },
  });
}

export default function AdminLayout() {
  const { live, items, zone, flash, liveToken, codesUnsaved, account } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  // A page in the place of another has an address that is not the browser's.
  const isOtherAddress = useContext(OtherAddressContext);
  const panel = { zone, token: liveToken, path: isOtherAddress ? ADMIN_HOME_PATH : pathname + search };
  return (
    <WorkspaceLayout
      brandName={useBrand().name}
      path={pathname}
      items={items}
      account={account}
      flash={flash}
      live={
        live ? (
          <LiveUpdates {...live} {...panel} />
        ) : (
          <LivePanel updates={[]} {...panel} paused={LIVE_FAILED} control={null} />
        )
      }
    >
      {codesUnsaved ? <UnsavedCodes className="@max-medium:clear-both mb-5" /> : null}
      <Outlet />
    </WorkspaceLayout>
  );
}
