import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { UnsavedCodes } from "~/features/account/mfa-notice";
import { useSiteBrand } from "~/features/settings/brand";
import { setupInvitation } from "~/features/setup/setup.server";
import { SiteFooter, SiteHeader } from "~/features/site/site-layout";
import { siteViewerOf } from "~/features/site/site-layout.server";
import { PageWidth } from "~/features/site/site-page";
import { takeFlash } from "~/platform/flash.server";
import styles from "~/styles/site.css";
import { Link } from "~/ui/link";
import { FlashRegion, Notice } from "~/ui/page";

export const handle = { ownStyles: true, inlineStyles: true };

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "manifest", href: "/site.webmanifest" },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { config, request, now } = context;
  return json({
    viewer: siteViewerOf(context),
    flash: takeFlash(context),
    codesUnsaved: context.signedIn?.codesUnsaved ?? false,
    path: request.url.pathname,
    setUpAt: await setupInvitation(context),
    year: new Date(now()).getUTCFullYear(),
    origin: config.APP_ORIGIN,
  });
}

export default function SiteLayout() {
  const { viewer, flash, codesUnsaved, setUpAt, path, year } = useLoaderData<typeof loader>();
  const brand = useSiteBrand();
  return (
    <>
      <SiteHeader brand={brand} path={path} viewer={viewer} home={path === "/"} />
      <main id="main" tabIndex={-1} className="flex-[1_0_auto]">
        <FlashRegion flash={flash} className="mx-auto max-w-page px-gutter not-empty:pt-5" />
        {setUpAt ? (
          <PageWidth className="pt-5 print:hidden">
            <Notice
              kind="warning"
              title="This site has no administrator yet."
              message={
                <>
                  Only you see this, by the code in your address. <Link to={setUpAt}>Set up this installation</Link>
                </>
              }
            />
          </PageWidth>
        ) : null}
        {codesUnsaved ? (
          <PageWidth className="pt-5 print:hidden">
            <UnsavedCodes />
          </PageWidth>
        ) : null}
        <Outlet />
      </main>
      <SiteFooter brand={brand} year={year} />
    </>
  );
}
