import type { ReactNode } from "react";
import { cx } from "~/ui/cx";
import { popover } from "~/ui/menu";

type SidePanelProps = {
  /** Of the popover that it is on a phone. */
  id: string;
  as: "nav" | "section";
  className?: string;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  children: ReactNode;
};

/** Shows a part of the navigation column. On a phone it is the popover of a button of the bar. */
export function SidePanel({ id, as: Element, className, children, ...names }: SidePanelProps) {
  return (
    <Element
      className={cx(
        // The bar stays at the top, so its popovers have a fixed position; under their buttons they would leave
        // the screen.
        "max-md:menu-panel max-md:inset-[3.9rem_1rem_auto_auto] max-md:m-0 max-md:[position-area:none]",
        // In the column nothing is left of what a browser makes of a popover.
        "md:static md:m-0 md:block md:size-auto md:overflow-visible md:border-0 md:bg-transparent md:p-0 md:text-inherit",
        className,
      )}
      {...names}
      {...popover(id)}
    >
      {children}
    </Element>
  );
}
