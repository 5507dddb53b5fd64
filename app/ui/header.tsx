import type { ReactNode } from "react";
import { Button, type ButtonVariant } from "./button";

/** React 18 has no property for these attributes; in lower case they pass through to the HTML. */

export const popover = (id: string) => ({ id, popover: "auto" });

export const popoverTarget = (id: string) => ({ popovertarget: id });

type MenuProps = {
  id: string;
  label: ReactNode;
  variant?: ButtonVariant;
  size?: "md" | "sm";
  children: ReactNode;
};

/** Not `role="menu"`: what it holds are links. */
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

export function MenuHead({ children }: { children: ReactNode }) {
  return <p className="wrap-anywhere border-line border-b px-[0.9rem] pt-2 pb-[0.8rem]">{children}</p>;
}

/** Each layout has a `main` with the id "main" and tabindex -1. */
export function SkipLink({ to = "#main", label = "Skip to main content" }) {
  return (
    <a
      className="absolute top-2 left-2 z-9 bg-canary px-4 py-3 text-on-canary [translate:0_-200%] print:hidden focus:[translate:0_0]"
      href={to}
    >
      {label}
    </a>
  );
}

/** A section's pages mark the section; the home of the area marks only itself. */
export const isCurrentSection = (link: string, path: string, home: string): boolean =>
  link === path || (link !== home && path.startsWith(`${link}/`));
