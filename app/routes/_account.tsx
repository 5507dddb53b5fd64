import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { chooseFrame } from "~/features/account/frame.server";
import { requireAccount } from "~/features/auth/guards.server";
import { portalLayoutData } from "~/features/portal/layout.server";
import { PortalLayout } from "~/features/portal/ui/portal-layout";
import { SignedInLayout } from "~/features/site/site-layout";
import { signedInLayoutData } from "~/features/site/site-layout.server";
import { adminLayoutData } from "~/features/workspace/layout.server";
import { AdminLayout } from "~/features/workspace/ui/admin-layout";
import { authScript } from "~/generated/static-scripts";
import { MFA_PATH, PROFILE_PATH } from "~/lib/addresses";
import { pageData } from "~/platform/page-data.server";
import styles from "~/styles/site.css";
import { FormScript } from "~/ui/form-script-tag";

/** Links the style sheet of the site where the page has its frame. */
export const handle = (data: { area: string } | undefined) => (data && data.area !== "none" ? {} : { styles });

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  const frame = chooseFrame(context, signedIn);
  return pageData(
    frame?.area === "admin"
      ? { area: frame.area, ...(await adminLayoutData(context, frame.actor)) }
      : frame?.area === "portal"
        ? { area: frame.area, ...(await portalLayoutData(context, frame.actor)) }
        : { area: "none" as const, ...signedInLayoutData(context, signedIn) },
  );
}

export default function AccountLayout() {
  return (
    <>
      <Frame />
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}

/** Renders the page inside the frame of the area that it was opened from, or of the site for people without one. */
function Frame() {
  const frame = useLoaderData<typeof loader>();
  const { pathname: path, search } = useLocation();
  // The page of the second factor says itself that codes are not saved or that the factor is missing; so does the
  // profile of the latter.
  const codesUnsaved = frame.codesUnsaved && path !== MFA_PATH;
  const isSaidByPage = path === MFA_PATH || path === PROFILE_PATH;
  if (frame.area === "admin") {
    return (
      <AdminLayout {...frame} {...{ path, codesUnsaved }} ownAddress={path + search}>
        <Outlet />
      </AdminLayout>
    );
  }
  const mfaNotice = isSaidByPage ? null : frame.mfaNotice;
  return frame.area === "portal" ? (
    <PortalLayout {...frame} {...{ path, codesUnsaved, mfaNotice }}>
      <Outlet />
    </PortalLayout>
  ) : (
    <SignedInLayout {...frame} {...{ path, codesUnsaved, mfaNotice }}>
      <Outlet />
    </SignedInLayout>
  );
}
