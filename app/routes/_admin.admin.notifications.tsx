import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { NOTIFICATION_PURPOSE } from "~/features/notifications/actions.server";
import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { OwnNotifications } from "~/features/notifications/own-notifications";
import { beforeOf, listNotifications, ownNotifications } from "~/features/notifications/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { LIVE_PURPOSE, staffNotificationActions } from "~/features/workspace/actions.server";
import { LIVE_FAILED } from "~/features/workspace/labels";
import { readOrNull } from "~/features/workspace/load-list.server";
import { LIVE_UPDATES_LIMIT } from "~/features/workspace/model";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { TeamUpdates } from "~/features/workspace/ui/team-updates";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ErrorPanel, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Notifications");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "live.staff");
  const list = await readOrNull(
    context,
    "live_updates_failed",
    Promise.all([
      listLiveUpdates(context, LIVE_UPDATES_LIMIT),
      getSettings(context.db),
      listNotifications(context, ownNotifications(actor), beforeOf(context.request.url)),
    ]).then(([{ updates }, { timeZone }, own]) => ({ updates, zone: timeZone, own })),
  );
  const tokens = { live: issueFormToken(context, LIVE_PURPOSE), own: issueFormToken(context, NOTIFICATION_PURPOSE) };
  return json({ list, tokens });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "live.staff");
  return runFormAction(context, staffNotificationActions, { actor, request, params: null });
}

export default function NotificationsPage() {
  const { list, tokens } = useLoaderData<typeof loader>();
  return (
    <Page title="Notifications">
      {list ? (
        <div className="grid gap-8">
          <OwnNotifications {...list.own} zone={list.zone} token={tokens.own} path={STAFF_NOTIFICATIONS_PATH} />
          <TeamUpdates {...list} token={tokens.live} path={STAFF_NOTIFICATIONS_PATH} />
        </div>
      ) : (
        <ErrorPanel message={LIVE_FAILED} retryTo={STAFF_NOTIFICATIONS_PATH} />
      )}
    </Page>
  );
}
