import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { LIVE_PURPOSE, liveUpdateActions } from "~/features/workspace/actions.server";
import { LIVE_FAILED } from "~/features/workspace/copy";
import { LIVE_UPDATES_LIMIT } from "~/features/workspace/live-update";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { NotificationList } from "~/features/workspace/ui/notification-list";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Notifications | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "live.staff");
  const list = await readOrNull(
    context,
    "live_updates_failed",
    Promise.all([listLiveUpdates(context, LIVE_UPDATES_LIMIT), getSettings(context.db)]).then(
      ([{ updates }, { timeZone }]) => ({ updates, zone: timeZone }),
    ),
  );
  return json({ list, token: issueFormToken(context, LIVE_PURPOSE) });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "live.staff");
  return runFormAction(context, liveUpdateActions, { actor, request, params: null });
}

export default function NotificationsPage() {
  const { list, token } = useLoaderData<typeof loader>();
  return (
    <Page title="Notifications">
      {list ? (
        <NotificationList {...list} token={token} path="/admin/notifications" />
      ) : (
        <ErrorPanel message={LIVE_FAILED} retryTo="/admin/notifications" />
      )}
    </Page>
  );
}
