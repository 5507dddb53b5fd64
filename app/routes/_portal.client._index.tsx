import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireClient } from "~/features/auth/guards.server";
import { dashboardActions } from "~/features/portal/actions.server";
import { readDashboard, readNextSteps } from "~/features/portal/read-dashboard.server";
import { NoOrganization } from "~/features/portal/ui/no-organization";
import { OrganizationDashboard } from "~/features/portal/ui/organization-dashboard";
import { portalTitle } from "~/features/settings/brand";
import { formTokens, runFormAction } from "~/platform/form-actions.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => [...portalTitle(page, "Dashboard"), { name: "robots", content: "noindex" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireClient(context);
  const { membership } = actor;
  if (membership) return json({ ...(await readDashboard(context, { ...actor, membership })), nextSteps: null });
  const tokens = formTokens(context, actor, dashboardActions);
  return json({ nextSteps: { ...(await readNextSteps(context, actor)), tokens } });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireClient(context);
  return runFormAction(context, dashboardActions, { actor, request, params: null });
}

export default function PortalPage() {
  const data = useLoaderData<typeof loader>();
  return data.nextSteps ? <NoOrganization {...data.nextSteps} /> : <OrganizationDashboard {...data} />;
}
