import type { ButtonHTMLAttributes, ComponentProps } from "react";
import { cx } from "./cx";
import { Link } from "./link";

const LOOK = cx(
  "inline min-h-6 cursor-pointer border-0 bg-transparent px-[0.3rem] py-[0.2rem] text-link text-xs underline decoration-auto underline-offset-[0.2em]",
);

/** Shows a small button that looks like a link, for what is done now and then. */
export function TextButton({ type = "button", ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={LOOK} {...rest} />;
}

/** Shows a link of the size of a `TextButton`, to stand beside one. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link className={LOOK} {...props} />;
}
