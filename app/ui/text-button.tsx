import type { ButtonHTMLAttributes, ComponentProps } from "react";
import { cx } from "./cx";
import { Link } from "./link";

const STYLE = cx(
  "inline min-h-6 cursor-pointer border-0 bg-transparent px-[0.3rem] py-[0.2rem] text-link text-xs underline decoration-auto underline-offset-[0.2em]",
);

export function TextButton({ type = "button", ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={STYLE} {...rest} />;
}

export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link className={STYLE} {...props} />;
}
