import type { ReactNode } from "react";
import { cx } from "~/ui/cx";

/** Shows the sentence under a headline. */
export function LeadText({ className, children }: { className?: string; children: ReactNode }) {
  return <p className={cx("max-w-[34em] text-ink-2 text-lead/[1.5]", className)}>{children}</p>;
}
