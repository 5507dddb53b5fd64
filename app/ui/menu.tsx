import type { ReactNode } from "react";
import { Button, type ButtonVariant } from "./button";

/*
 * React 18 has no property for these attributes; written in lower case they pass through to the HTML.
 * The browser supplies the rest: opening, Escape, light dismiss, `aria-expanded`, returning the focus.
 */

/** Makes an element the popover with this id. */
export const popover = (id: string) => ({ id, popover: "auto" });

/** Makes a button open and close the popover with this id. */
export const popoverTarget = (id: string) => ({ popovertarget: id });

type MenuProps = {
  id: string;
  label: ReactNode;
  variant?: ButtonVariant;
  size?: "md" | "sm";
  className?: string;
  children: ReactNode;
};

/** A button with a popover of links and small forms. Not `role="menu"`: what it holds are links. */
export function Menu({ id, label, variant = "quiet", size, className, children }: MenuProps) {
  return (
    <>
      <Button variant={variant} size={size} className={className} {...popoverTarget(id)}>
        {label}
      </Button>
      <div className="menu" {...popover(id)}>
        {children}
      </div>
    </>
  );
}
