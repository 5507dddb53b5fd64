import type { ReactNode } from "react";

/**
 * Highlights words of a headline. The background begins a little below the top of the line, so that it does not cover
 * the letters of the line above.
 */
export function Highlight({ children }: { children: ReactNode }) {
  return (
    <span className="-mx-[0.08em] bg-[linear-gradient(#0000_10%,var(--color-canary)_0)] box-decoration-clone px-[0.08em] text-on-canary forced-colors:text-[MarkText] forced-colors:[background:Mark]">
      {children}
    </span>
  );
}
