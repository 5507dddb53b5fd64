import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { NOTIFICATION_PURPOSE, notificationActions } from "~/features/notifications/actions.server";
import { NOTIFICATIONS_FAILED } from "~/features/notifications/labels";
import { CLIENT_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { OwnNotifications } from "~/features/notifications/own-notifications";
import { beforeOf, listNotifications, ownNotifications } from "~/features/notifications/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { readOrNull } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ErrorPanel, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => [
  ...portalTitle(page, "Notifications"),
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  const list = await readOrNull(
    context,
    "notifications_failed",
    Promise.all([
      listNotifications(context, ownNotifications(actor), beforeOf(context.request.url)),
      getSettings(context.db),
    ]).then(([own, { timeZone }]) => ({ ...own, zone: timeZone })),
  );
  return json({ list, token: issueFormToken(context, NOTIFICATION_PURPOSE) });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  return runFormAction(context, notificationActions, { actor, request, params: null });
}

export default function ClientNotificationsPage() {
  const { list, token } = useLoaderData<typeof loader>();
  return (
    <Page title="Notifications">
      {list ? (
        <OwnNotifications {...list} token={token} path={CLIENT_NOTIFICATIONS_PATH} />
      ) : (
        <ErrorPanel message={NOTIFICATIONS_FAILED} retryTo={CLIENT_NOTIFICATIONS_PATH} />
      )}
    </Page>
  );
}
