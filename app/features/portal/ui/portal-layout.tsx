import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { MfaNotice, UnsavedCodes } from "~/features/account/mfa-notice";
import { useLastingFlash } from "~/features/workspace/ui/use-lasting-flash";
import { FlashRegion } from "~/ui/flash";
import { PageAnnouncer } from "~/ui/page-announcer";
import { SkipLink } from "~/ui/skip-link";
import type { PortalLayoutData } from "../layout.server";
import { LivePages } from "./live-pages";
import { PortalFooter } from "./portal-footer";
import { PortalHeader } from "./portal-header";
import { useOneOrganization } from "./use-one-organization";

type PortalLayoutProps = PortalLayoutData & { path: string; children: ReactNode };

/** Renders the frame of the portal, in the text size of the site: clients come rarely and read unhurried. */
export function PortalLayout({ path, flash, codesUnsaved, mfaNotice, lastSeq, children, ...frame }: PortalLayoutProps) {
  const { organization } = frame;
  const isNavigating = useNavigation().state !== "idle";
  const message = useLastingFlash(flash);
  useOneOrganization(organization?.id ?? null);
  return (
    <div className="grid min-h-svh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] print:block [&_h1]:text-[clamp(1.625rem,1.35rem+1.2vw,2.125rem)] [&_h2]:text-[1.1875rem]">
      {organization && lastSeq !== null ? (
        <LivePages key={organization.id} organizationId={organization.id} lastSeq={lastSeq} />
      ) : null}
      <SkipLink />
      <PageAnnouncer />
      <PortalHeader {...frame} path={path} />
      <main
        id="main"
        tabIndex={-1}
        aria-busy={isNavigating || undefined}
        className="@container mx-auto w-full max-w-portal px-portal-edge pt-[clamp(1.25rem,2.5vw,2rem)] pb-12"
      >
        <FlashRegion flash={message} />
        {codesUnsaved ? <UnsavedCodes className="mb-5 print:hidden" /> : null}
        {mfaNotice ? <MfaNotice className="mb-5 print:hidden" mfaNotice={mfaNotice} /> : null}
        {children}
      </main>
      <PortalFooter plan={organization?.plan ?? "none"} />
    </div>
  );
}
