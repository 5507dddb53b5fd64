import type { ReactNode } from "react";
import { Button } from "./button";
import type { ButtonVariant } from "./button-look";

/*
 * React 18 has no property for these attributes; written in lower case they pass through to the HTML. The browser
 * supplies the rest: opening, Escape, light dismiss, `aria-expanded`, returning the focus.
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
  /** Holds links, and small forms with one button each. */
  children: ReactNode;
};

/** Renders a button with a popover of links and small forms. Not `role="menu"`: what it holds are links. */
export function Menu({ id, label, variant = "quiet", size, children }: MenuProps) {
  return (
    <>
      <Button variant={variant} size={size} {...popoverTarget(id)}>
        {label}
      </Button>
      <div
        className="menu-panel [&_:is(a,button)]:menu-item [&>a:last-child,&>form:last-child_button]:border-0"
        {...popover(id)}
      >
        {children}
      </div>
    </>
  );
}

/** Renders the name of the signed-in person above the entries of a menu. */
export function MenuHead({ children }: { children: ReactNode }) {
  return <p className="wrap-anywhere border-line border-b px-[0.9rem] pt-2 pb-[0.8rem]">{children}</p>;
}
