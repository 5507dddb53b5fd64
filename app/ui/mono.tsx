import type { ReactNode } from "react";
import { cx } from "./cx";

/** An identifier that people compare character by character: its zero is slashed. Never for prose or prices. */
export function Mono({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cx("mono", className)}>{children}</span>;
}
