import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { requireUser } from "~/features/auth/guards.server";
import { accountFrameOf } from "~/features/site/account-frame.server";
import { AccountFrame } from "~/features/site/ui/account-frame";
import styles from "~/styles/site.css";

export const handle = { ownStyles: true };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  return json(accountFrameOf(context, signedIn));
}

export default function PortalLayout() {
  return (
    <AccountFrame {...useLoaderData<typeof loader>()} path={useLocation().pathname}>
      <Outlet />
    </AccountFrame>
  );
}
