import type { ReactNode } from "react";
import { cx } from "~/ui/cx";

type PriceProps = { amount: string; unit: ReactNode; className?: string };

/** Shows an amount of money, the largest figure on its page. */
export function Price({ amount, unit, className }: PriceProps) {
  return (
    <p className={cx("font-bold text-3xl/[1] tracking-[-0.03em]", className)}>
      {amount} <small className="inline-block font-normal text-base/[1.3] text-ink-2 tracking-[0]">{unit}</small>
    </p>
  );
}
