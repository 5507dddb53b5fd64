import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { useContext } from "react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminLayoutData } from "~/features/workspace/layout.server";
import { AdminLayout } from "~/features/workspace/ui/admin-layout";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { OtherAddressContext } from "~/ui/document";

export { layoutLoader as clientLoader } from "~/live/page-refresh";
export { revalidateWhenSaved as shouldRevalidate } from "~/ui/form";

export const handle = { hydrate: true };

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  return json(await adminLayoutData(context, actor));
}

export default function AdminArea() {
  const { pathname, search } = useLocation();
  // A page in the place of another has an address that is not the browser's.
  const isOtherAddress = useContext(OtherAddressContext);
  return (
    <AdminLayout
      {...useLoaderData<typeof loader>()}
      path={pathname}
      ownAddress={isOtherAddress ? ADMIN_HOME_PATH : pathname + search}
    >
      <Outlet />
    </AdminLayout>
  );
}
