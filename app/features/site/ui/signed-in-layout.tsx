import type { ReactNode } from "react";
import { MfaNotice } from "~/features/account/ui/mfa-notice";
import { UnsavedCodes } from "~/features/account/ui/unsaved-codes";
import type { MfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import { useSiteBrand } from "~/features/settings/ui/use-brand";
import { MFA_PATH, PROFILE_PATH } from "~/lib/addresses";
import { type Flash, FlashRegion } from "~/ui/flash";
import { Link } from "~/ui/link";
import { PageWidth } from "./page-width";
import { SiteFooter } from "./site-footer";
import { SiteHeader, type Viewer } from "./site-header";

export type WayBack = { label: string; to: string };

type SignedInLayoutProps = {
  path: string;
  viewer: Viewer | null;
  waysBack: readonly WayBack[];
  flash: Flash | null;
  codesUnsaved: boolean;
  mfaNotice: MfaRequirementNotice | null;
  year: number;
  children: ReactNode;
};

/**
 * Renders the layout of a signed-in person's own pages: the site's, with what they should know about their sign-in on
 * each of them.
 */
export function SignedInLayout({
  path,
  viewer,
  waysBack,
  flash,
  codesUnsaved,
  mfaNotice,
  year,
  children,
}: SignedInLayoutProps) {
  const brand = useSiteBrand();
  // The page of the second factor says both itself, the profile that it is missing.
  const reminds = codesUnsaved && path !== MFA_PATH;
  const demands = path !== MFA_PATH && path !== PROFILE_PATH ? mfaNotice : null;
  return (
    <>
      <SiteHeader brand={brand} path={path} viewer={viewer} />
      <main id="main" tabIndex={-1} className="flex-[1_0_auto]">
        <PageWidth className="flex flex-wrap gap-x-5 pt-3 print:hidden">
          {waysBack.map(({ label, to }) => (
            <Link key={to} className="py-2 text-sm" to={to}>
              ← {label}
            </Link>
          ))}
        </PageWidth>
        <FlashRegion flash={flash} className="mx-auto max-w-page px-gutter not-empty:pt-5" />
        {reminds || demands ? (
          <PageWidth className="pt-5 *:mb-5 print:hidden">
            {reminds ? <UnsavedCodes /> : null}
            {demands ? <MfaNotice mfaNotice={demands} /> : null}
          </PageWidth>
        ) : null}
        {children}
      </main>
      <SiteFooter brand={brand} year={year} />
    </>
  );
}
