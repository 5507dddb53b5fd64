import type { ReactNode } from "react";
import { type Flash, FlashRegion } from "~/ui/flash";
import { Logo } from "~/ui/logo";
import { SkipLink } from "~/ui/skip-link";

type AuthFrameProps = {
  brandName: string;
  flash: Flash | null;
  /** The address being signed in with, once it is known. */
  signingInAs?: string;
  /** One card. */
  children: ReactNode;
};

/** Frame of the sign-in screens: one card, the way back, the way to help, and nothing to wander off to. */
export function SignInFrame({ brandName, flash, signingInAs, children }: AuthFrameProps) {
  return (
    <div className="gate">
      <SkipLink />
      <header className="bar">
        <Logo name={brandName} to="/" />
        <nav aria-label="Site">
          <a href="/">Back to main site</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <FlashRegion flash={flash} />
        {children}
      </main>
      <footer>
        {signingInAs ? <span>Signing in as {signingInAs}</span> : null}
        <a href="/contact">Contact Support</a>
      </footer>
    </div>
  );
}
