import type { ButtonHTMLAttributes, ComponentProps } from "react";
import { cx } from "./cx";
import { Link } from "./link";

export type ButtonVariant = "primary" | "quiet" | "ghost" | "danger" | "canary";

type Look = { variant?: ButtonVariant; size?: "md" | "sm"; wide?: boolean };

const look = ({ variant = "primary", size = "md", wide }: Look, className?: string) =>
  cx("btn", variant !== "primary" && variant, size === "sm" && "sm", wide && "wide", className);

/** A button does something. What goes somewhere is a `LinkButton`. */
export function Button({
  variant,
  size,
  wide,
  className,
  type = "button",
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={look({ variant, size, wide }, className)} {...rest} />;
}

/** A link that looks like a button. */
export function LinkButton({ variant, size, wide, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link className={look({ variant, size, wide }, className)} {...rest} />;
}
