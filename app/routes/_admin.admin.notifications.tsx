import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { brandIn } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { LIVE_FAILED } from "~/features/workspace/copy";
import { dismissAllLiveUpdates, dismissLiveUpdate } from "~/features/workspace/dismiss-live-updates.server";
import { DismissForm } from "~/features/workspace/forms.server";
import { LIVE_UPDATES_LIMIT } from "~/features/workspace/live-update";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { NotificationList } from "~/features/workspace/ui/notification-list";
import { parseForm } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";

/** The panel's forms and this page's are the same forms. */
const PURPOSE = "live";

export const meta: MetaFunction = ({ matches }) => [{ title: `Notifications | ${brandIn(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "live.staff");
  const list = await readOrNull(
    context,
    "live_updates_failed",
    Promise.all([listLiveUpdates(context, LIVE_UPDATES_LIMIT), getSettings(context.db)]).then(
      ([{ entries }, { timeZone }]) => ({ entries, zone: timeZone }),
    ),
  );
  return json({ list, token: issueFormToken(context, PURPOSE) });
}

export async function action({ context, request }: ActionFunctionArgs) {
  await requireStaff(context, "live.staff");
  const { fields } = await readForm(request);
  const back = safePath(fields.return_to, ["/admin"], "/admin/submissions");
  const input = parseForm(DismissForm, fields);
  if (!checkFormToken(context, PURPOSE, fields.form_token).ok || !input.ok) {
    throw new Response(null, { status: 400 });
  }
  if (input.value.intent === "dismiss") await dismissLiveUpdate(context, input.value.seq);
  else await dismissAllLiveUpdates(context, input.value.through);
  return redirect(back, 303);
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
