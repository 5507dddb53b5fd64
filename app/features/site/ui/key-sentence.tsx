import type { ReactNode } from "react";

/** Shows the one sentence that carries a section. */
export function KeySentence({ children }: { children: ReactNode }) {
  return (
    <div>
      <p className="max-w-[26em] text-balance font-bold text-2xl/[1.2] tracking-[-0.018em]">{children}</p>
    </div>
  );
}
