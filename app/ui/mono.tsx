import type { HTMLAttributes } from "react";
import { cx } from "./cx";

/** Shows an identifier that people compare character by character: its zero is slashed. Never for prose or prices. */
export function Mono({ className, ...rest }: HTMLAttributes<HTMLSpanElement>) {
  return <span className={cx("font-medium font-mono text-[0.9em]/[1.4]", className)} {...rest} />;
}
