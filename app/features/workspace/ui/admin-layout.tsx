import type { ReactNode } from "react";
import { UnsavedCodes } from "~/features/account/mfa-notice";
import { useBrand } from "~/features/settings/brand";
import { LIVE_FAILED } from "../copy";
import type { AdminLayoutData } from "../layout.server";
import { LivePanel } from "./live-panel";
import { LiveUpdates } from "./live-updates";
import { WorkspaceLayout } from "./workspace-layout";

type AdminLayoutProps = AdminLayoutData & {
  /** Holds the path of the page, to mark its section. */
  path: string;
  /** Holds the address to come back to from the live panel. */
  ownAddress: string;
  children: ReactNode;
};

/** Renders the frame of the admin area with its live panel and what somebody should know about their backup codes. */
export function AdminLayout(props: AdminLayoutProps) {
  const { path, ownAddress, items, account, flash, live, liveToken, zone, codesUnsaved, children } = props;
  const panel = { zone, token: liveToken, path: ownAddress };
  return (
    <WorkspaceLayout
      brandName={useBrand().name}
      path={path}
      items={items}
      account={account}
      flash={flash}
      live={
        live ? (
          <LiveUpdates {...live} {...panel} />
        ) : (
          <LivePanel updates={[]} {...panel} paused={LIVE_FAILED} control={null} />
        )
      }
    >
      {codesUnsaved ? <UnsavedCodes className="@max-medium:clear-both mb-5" /> : null}
      {children}
    </WorkspaceLayout>
  );
}
