import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useMatches } from "@remix-run/react";
import { UnsavedCodes } from "~/features/account/mfa-notice";
import { useBrand } from "~/features/settings/brand";
import { SignInLayout } from "~/features/sign-in/sign-in-layout";
import { takeFlash } from "~/platform/flash.server";
import styles from "~/styles/site.css";

export const handle = { ownStyles: true, inlineStyles: true };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ context }: LoaderFunctionArgs) {
  return json({
    flash: takeFlash(context),
    codesUnsaved: context.signedIn?.codesUnsaved ?? false,
    origin: context.config.APP_ORIGIN,
  });
}

export default function AuthLayout() {
  const { flash, codesUnsaved } = useLoaderData<typeof loader>();
  const inside = useMatches().at(-1)?.data as { state?: { email?: string } } | undefined;
  return (
    <SignInLayout brandName={useBrand().name} flash={flash} signingInAs={inside?.state?.email}>
      {codesUnsaved ? <UnsavedCodes className="mb-5" /> : null}
      <Outlet />
    </SignInLayout>
  );
}
