import type { ReactNode } from "react";
import { cx } from "~/ui/cx";

/** Keeps what is inside as wide as a public page may be, with its margins. */
export function PageWidth({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cx("mx-auto max-w-page px-gutter", className)}>{children}</div>;
}
