import type { ButtonHTMLAttributes, ComponentProps } from "react";
import { type ButtonLook, buttonLook } from "./button-look";
import { Link } from "./link";

/**
 * Renders a button, which does something. For an address there is `LinkButton`. `className` is for margins and layout.
 */
export function Button({
  variant,
  size,
  wide,
  className,
  type = "button",
  ...rest
}: ButtonLook & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={buttonLook({ variant, size, wide, className })} {...rest} />;
}

/** Leads away from a form without sending it. */
export function CancelLink({ to }: { to: string }) {
  return (
    <LinkButton variant="quiet" to={to}>
      Cancel
    </LinkButton>
  );
}

/** Renders a link that looks like a button. */
export function LinkButton({ variant, size, wide, className, ...rest }: ButtonLook & ComponentProps<typeof Link>) {
  return <Link className={buttonLook({ variant, size, wide, className })} {...rest} />;
}
