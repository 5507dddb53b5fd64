import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { requireUser } from "~/features/auth/guards.server";
import { UnsavedCodes } from "~/features/auth/ui/unsaved-codes";
import { useBrand } from "~/features/settings/ui/use-brand";
import { SiteFooter } from "~/features/site/ui/site-footer";
import { SiteHeader } from "~/features/site/ui/site-header";
import { viewerOf } from "~/features/site/viewer.server";
import { authScript, formScript } from "~/generated/static-scripts";
import { takeFlash } from "~/platform/flash.server";
import { FlashRegion } from "~/ui/flash";
import styles from "~/ui/styles/account.css";
import siteStyles from "~/ui/styles/site.css";

export const handle = { ownStyles: true };

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: siteStyles },
  { rel: "stylesheet", href: styles },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  return json({
    viewer: viewerOf(context),
    flash: takeFlash(context),
    codesUnsaved: signedIn.codesUnsaved,
    year: new Date(context.now()).getUTCFullYear(),
  });
}

export default function AccountLayout() {
  const { viewer, flash, codesUnsaved, year } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const brand = useBrand();
  return (
    <>
      <SiteHeader brand={brand} path={pathname} viewer={viewer} />
      <main id="main" tabIndex={-1}>
        <FlashRegion flash={flash} />
        {codesUnsaved && pathname !== "/profile/mfa" ? (
          <div className="wrap account-notice">
            <UnsavedCodes />
          </div>
        ) : null}
        <Outlet />
      </main>
      <SiteFooter brand={brand} year={year} />
      <script src={formScript} defer />
      <script src={authScript} defer />
    </>
  );
}
