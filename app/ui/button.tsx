import type { ButtonHTMLAttributes, ComponentProps, ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";

/** Colours are roles of `ui/styles/tokens.css`. Its place may set `--btn-x` and `--btn-text`: padding and text size. */
export const buttonStyle = ({ variant = "primary", size = "md", wide, className }: ButtonStyle): string =>
  cx(
    "inline-flex cursor-pointer items-center justify-center gap-2 rounded-2 border-[1.5px] text-center font-semibold forced-colors:border print:hidden",
    VARIANTS[variant],
    SIZES[size],
    wide && "w-full",
    className,
  );

const VARIANTS = {
  primary: "border-action bg-action text-on-action no-underline hover:border-action-hover hover:bg-action-hover",
  quiet: "border-control bg-transparent text-ink no-underline hover:border-ink hover:bg-sheet",
  ghost:
    "border-transparent bg-transparent text-link underline decoration-1 underline-offset-[0.2em] hover:bg-brand-tint",
  danger: "border-danger-action bg-danger-action text-on-danger no-underline",
  accent: "border-canary bg-canary text-on-canary no-underline",
};

const SIZES = {
  md: "text-(length:--btn-text,1rem)/[1.2] min-h-tap px-(--btn-x,1.15rem) py-2",
  sm: "min-h-9 px-(--btn-x,0.75rem) py-1 text-sm/[1.2] max-md:min-h-11",
  xs: "min-h-8 px-[0.7rem] py-[0.2rem] text-xs/[1.2] max-md:min-h-11",
};

type ButtonStyle = { variant?: ButtonVariant; size?: keyof typeof SIZES; wide?: boolean; className?: string };

export type ButtonVariant = keyof typeof VARIANTS;

/** For an address there is `LinkButton`. `className` is for margins and layout. */
export function Button({
  variant,
  size,
  wide,
  className,
  type = "button",
  ...rest
}: ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={buttonStyle({ variant, size, wide, className })} {...rest} />;
}

export function CancelLink({ to }: { to: string }) {
  return (
    <LinkButton variant="quiet" to={to}>
      Cancel
    </LinkButton>
  );
}

export function LinkButton({ variant, size, wide, className, ...rest }: ButtonStyle & ComponentProps<typeof Link>) {
  return <Link className={buttonStyle({ variant, size, wide, className })} {...rest} />;
}

type ButtonRowProps = {
  dense?: boolean;
  className?: string;
  children: ReactNode;
};

/** On a phone each of them takes a line of its own. */
export function ButtonRow({ dense = false, className, children }: ButtonRowProps) {
  return (
    <div
      className={cx(
        "flex flex-wrap gap-3",
        dense ? "items-end" : "max-md:[&>:is(a,button)]:flex-[1_1_100%]",
        className,
      )}
    >
      {children}
    </div>
  );
}

const STYLE = cx(
  "inline min-h-6 cursor-pointer border-0 bg-transparent px-[0.3rem] py-[0.2rem] text-link text-xs underline decoration-auto underline-offset-[0.2em]",
);

export function TextButton({ type = "button", ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type={type} className={STYLE} {...rest} />;
}

export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link className={STYLE} {...props} />;
}
