import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { requireAccount } from "~/features/auth/guards.server";
import { accountFrameOf } from "~/features/site/account-frame.server";
import { AccountFrame } from "~/features/site/ui/account-frame";
import { authScript, formScript } from "~/generated/static-scripts";
import styles from "~/styles/site.css";

export const handle = { ownStyles: true };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return json(accountFrameOf(context, signedIn));
}

export default function AccountLayout() {
  return (
    <>
      <AccountFrame {...useLoaderData<typeof loader>()} path={useLocation().pathname}>
        <Outlet />
      </AccountFrame>
      <script src={formScript} defer />
      <script src={authScript} defer />
    </>
  );
}
