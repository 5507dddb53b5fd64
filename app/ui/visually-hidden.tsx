import type { ReactNode } from "react";

/** Renders words for screen readers only, where the layout shows the same by position. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
