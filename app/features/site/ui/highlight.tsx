import type { ReactNode } from "react";

/** Marks words of a headline. The colour begins below the line above, whose letters it would cut off otherwise. */
export function Highlight({ children }: { children: ReactNode }) {
  return (
    <span className="-mx-[0.08em] bg-[linear-gradient(#0000_10%,var(--color-canary)_0)] box-decoration-clone px-[0.08em] text-on-canary forced-colors:text-[MarkText] forced-colors:[background:Mark]">
      {children}
    </span>
  );
}
