import type { HTMLAttributes } from "react";

/** Holds a page of the admin area, whose parts answer to this width and not to that of the window. */
export function ContentArea({ as: Element = "div", ...rest }: HTMLAttributes<HTMLElement> & { as?: "div" | "main" }) {
  return (
    <Element
      className="@container min-w-0 border-line px-[clamp(1rem,2.4vw,2.25rem)] pt-[1.1rem] pb-12 md:border-l print:border-0"
      {...rest}
    />
  );
}
