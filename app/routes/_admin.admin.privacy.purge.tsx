import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { PRIVACY_FAILED } from "~/features/privacy/labels";
import { PastPurgesPanel, PurgePanel, PurgeQuestion } from "~/features/privacy/purge";
import { purgeActions, readPurgePage } from "~/features/privacy/purge.server";
import { adminTitle } from "~/features/settings/brand";
import { readOrFail } from "~/features/workspace/load-list.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Purge old submissions");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const read = await readOrFail(context, PRIVACY_FAILED, readPurgePage(context, actor));
  const token = formTokens(context, actor, purgeActions).purge ?? "";
  return json({ ...read, token, hasErrors: context.form.isRejected || read.daysError !== null });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  return runFormAction(context, purgeActions, { actor, request, params: null });
}

export default function PurgePage() {
  const { days, daysError, preview, purges, zone, identity, token } = useLoaderData<typeof loader>();
  return (
    <Page title="Purge old submissions">
      <PurgeQuestion key={`asked-${days}`} days={days} error={daysError} />
      {preview ? (
        <PurgePanel key={`shown-${preview.days}`} preview={preview} token={token} identity={identity} />
      ) : null}
      <PastPurgesPanel purges={purges} zone={zone} />
    </Page>
  );
}
