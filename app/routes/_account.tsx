import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { requireAccount } from "~/features/auth/guards.server";
import { SignedInLayout } from "~/features/site/site-layout";
import { signedInLayoutData } from "~/features/site/site-layout.server";
import { authScript } from "~/generated/static-scripts";
import styles from "~/styles/site.css";
import { FormScript } from "~/ui/form-script-tag";

export const handle = { ownStyles: true };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return json(signedInLayoutData(context, signedIn));
}

export default function AccountLayout() {
  return (
    <>
      <SignedInLayout {...useLoaderData<typeof loader>()} path={useLocation().pathname}>
        <Outlet />
      </SignedInLayout>
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}
