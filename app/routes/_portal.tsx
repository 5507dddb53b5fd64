import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { requireClient } from "~/features/auth/guards.server";
import { signedInLayoutData } from "~/features/site/signed-in-layout.server";
import { SignedInLayout } from "~/features/site/ui/signed-in-layout";
import styles from "~/styles/site.css";

export const handle = { ownStyles: true };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireClient(context);
  return json(signedInLayoutData(context, signedIn));
}

export default function PortalLayout() {
  return (
    <SignedInLayout {...useLoaderData<typeof loader>()} path={useLocation().pathname}>
      <Outlet />
    </SignedInLayout>
  );
}
