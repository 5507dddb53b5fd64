import type { ReactNode } from "react";
import { UnsavedCodes } from "~/features/account/mfa-notice";
import { OwnAddressHeld } from "~/features/mail/held-address";
import { useBrand } from "~/features/settings/brand";
import { LIVE_FAILED } from "../labels";
import type { AdminLayoutData } from "../layout.server";
import { LivePanel, LiveUpdates } from "./live-updates";
import { WorkspaceLayout } from "./workspace-layout";

export function AdminLayout(props: AdminLayoutData & { path: string; ownAddress: string; children: ReactNode }) {
  const { path, ownAddress, items, account, shortcutsOff, flash, live } = props;
  const { liveToken, zone, codesUnsaved, held, children } = props;
  const panel = { zone, token: liveToken, path: ownAddress };
  return (
    <WorkspaceLayout
      brandName={useBrand().name}
      path={path}
      items={items}
      account={account}
      shortcutsOff={shortcutsOff}
      flash={flash}
      updates={live?.updates.length ?? 0}
      live={
        live ? (
          <LiveUpdates {...live} {...panel} />
        ) : (
          <LivePanel updates={[]} {...panel} paused={LIVE_FAILED} control={null} />
        )
      }
    >
      {codesUnsaved ? <UnsavedCodes className="@max-medium:clear-both mb-5" /> : null}
      {held ? <OwnAddressHeld className="@max-medium:clear-both mb-5" held={held} /> : null}
      {children}
    </WorkspaceLayout>
  );
}
