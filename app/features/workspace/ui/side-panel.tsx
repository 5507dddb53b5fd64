import type { ReactNode } from "react";
import { cx } from "~/ui/cx";
import { popover } from "~/ui/menu";

type SidePanelProps = {
  /** Holds the id of the element, which is a popover on a phone. */
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
    <Element className={cx("workspace-panel", className)} data-live-part={id} {...names} {...popover(id)}>
      {children}
    </Element>
  );
}
