import type { ReactNode } from "react";

/** Words for a screen reader that the layout already says by position. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
