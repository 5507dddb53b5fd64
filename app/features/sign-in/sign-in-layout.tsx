import type { ReactNode } from "react";
import { CONTACT_PATH } from "~/lib/addresses";
import { type Flash, FlashRegion, Logo, SkipLink } from "~/ui/page";

type SignInLayoutProps = {
  brandName: string;
  flash: Flash | null;
  signingInAs?: string;
  children: ReactNode;
};

export function SignInLayout({ brandName, flash, signingInAs, children }: SignInLayoutProps) {
  return (
    <div className="grid min-h-svh [grid-template:auto_1fr_auto/minmax(0,1fr)]">
      <SkipLink />
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-gutter py-5">
        <Logo name={brandName} to="/" />
        <nav aria-label="Site">
          <a href="/">Back to main site</a>
        </nav>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="grid grid-cols-[minmax(0,1fr)] content-center justify-stretch justify-items-center px-4 pt-6 pb-12 *:w-[min(100%,29rem)]"
      >
        <FlashRegion flash={flash} />
        {children}
      </main>
      <footer className="flex flex-wrap gap-x-6 gap-y-2 px-gutter py-5 text-ink-2 text-sm">
        {signingInAs ? <span>Signing in as {signingInAs}</span> : null}
        <a href={CONTACT_PATH}>Contact Support</a>
      </footer>
    </div>
  );
}
