import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { requireClient } from "~/features/auth/guards.server";
import { portalLayoutData } from "~/features/portal/layout.server";
import { PortalLayout } from "~/features/portal/ui/portal-layout";

export { layoutLoader as clientLoader } from "~/live/page-refresh";
export { revalidateWhenSaved as shouldRevalidate } from "~/ui/form";

export const handle = { hydrate: true };

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireClient(context);
  return json(await portalLayoutData(context, actor));
}

export default function Portal() {
  return (
    <PortalLayout {...useLoaderData<typeof loader>()} path={useLocation().pathname}>
      <Outlet />
    </PortalLayout>
  );
}
