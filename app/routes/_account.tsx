import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { chooseFrame } from "~/features/account/frame.server";
import { requireAccount } from "~/features/auth/guards.server";
import { portalLayoutData } from "~/features/portal/layout.server";
import { livePath } from "~/features/portal/model";
import { PortalLayout } from "~/features/portal/ui/portal-layout";
import { SignedInLayout } from "~/features/site/site-layout";
import { signedInLayoutData } from "~/features/site/site-layout.server";
import { adminLayoutData } from "~/features/workspace/layout.server";
import { STAFF_LIVE_PATH } from "~/features/workspace/model";
import { AdminLayout } from "~/features/workspace/ui/admin-layout";
import { authScript, liveFrameScript } from "~/generated/static-scripts";
import { MFA_PATH, PROFILE_PATH } from "~/lib/addresses";
import styles from "~/styles/site.css";
import { FormScript } from "~/ui/form-script-tag";

export const handle = (data: { area: string } | undefined) => (data && data.area !== "none" ? {} : { styles });

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  const frame = chooseFrame(context, signedIn);
  return json(
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
      <LiveFrame {...liveOf(useLoaderData<typeof loader>())} />
    </>
  );
}

function liveOf(frame: ReturnType<typeof useLoaderData<typeof loader>>): { channel?: string; seq?: number | null } {
  if (frame.area === "admin") return { channel: STAFF_LIVE_PATH, seq: frame.live?.lastSeq };
  if (frame.area === "portal" && frame.organization) {
    return { channel: livePath(frame.organization.id), seq: frame.lastSeq };
  }
  return {};
}

function LiveFrame({ channel, seq }: ReturnType<typeof liveOf>) {
  if (channel === undefined || seq === undefined || seq === null) return null;
  return <script src={liveFrameScript} defer data-live-channel={channel} data-live-seq={seq} />;
}

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
