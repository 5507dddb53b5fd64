import type { ButtonHTMLAttributes, ComponentProps } from "react";
import { type ButtonLook, buttonLook } from "./button-look";
import { Link } from "./link";

/** A button does something. What goes somewhere is a `LinkButton`. `className` is for its place only. */
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

/** A link that looks like a button. */
export function LinkButton({ variant, size, wide, className, ...rest }: ButtonLook & ComponentProps<typeof Link>) {
  return <Link className={buttonLook({ variant, size, wide, className })} {...rest} />;
}
