import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { type AlertAnswer, securityActions } from "~/features/security/actions.server";
import { SECURITY_FAILED } from "~/features/security/labels";
import { SECURITY_PATH } from "~/features/security/model";
import { Monitoring } from "~/features/security/monitoring";
import { readMonitoring } from "~/features/security/queries.server";
import { SecurityTabs } from "~/features/security/security-tabs";
import { adminTitle } from "~/features/settings/brand";
import { readOrNull } from "~/features/workspace/load-list.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { usePostedResult } from "~/ui/form";
import { ErrorPanel, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers } from "~/features/workspace/area-page";
export { keepsRejected as shouldRevalidate } from "~/ui/form";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Security");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "security.view");
  return json({
    monitoring: await readOrNull(context, "security_monitoring_failed", readMonitoring(context)),
    token: formTokens(context, actor, securityActions).acknowledge,
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "security.view");
  return runFormAction(context, securityActions, { actor, request, params: null });
}

export default function SecurityCenterPage() {
  const { monitoring, token } = useLoaderData<typeof loader>();
  const rejected = usePostedResult<AlertAnswer>() ?? null;
  return (
    <Page title="Security">
      <SecurityTabs tab="monitoring" />
      {monitoring ? (
        <Monitoring monitoring={monitoring} token={token} rejected={rejected} />
      ) : (
        <ErrorPanel message={SECURITY_FAILED} retryTo={SECURITY_PATH} />
      )}
    </Page>
  );
}
