import type { ReactNode } from "react";
import { cx } from "./cx";

type ButtonRowProps = {
  /**
   * Tells whether the row is in the admin area: buttons stay beside each other on a phone too, and stand on the foot of
   * the fields beside them.
   */
  dense?: boolean;
  className?: string;
  children: ReactNode;
};

/** Puts buttons and links for one thing in a row. On a phone each of them takes a line of its own. */
export function ButtonRow({ dense = false, className, children }: ButtonRowProps) {
  return (
    <div
      className={cx(
        "flex flex-wrap gap-3",
        dense ? "items-end" : "max-md:[&>:is(a,button)]:flex-[1_1_100%]",
        className,
      )}
    >
      {children}
    </div>
  );
}
