import { cva } from "class-variance-authority";
import { Link } from "./link";

const look = cva(
  "wrap-anywhere inline-flex items-center font-bold on-deep:text-on-deep text-ink tracking-[-0.02em] no-underline [&_svg]:flex-none [&_svg]:fill-none",
  {
    variants: {
      size: {
        md: "gap-[0.7rem] text-[1.3125rem]/[1.1] [&_svg]:h-6 [&_svg]:w-8.5",
        /** Smaller on a phone, where buttons stand beside it. */
        header:
          "gap-[0.7rem] text-[1.3125rem]/[1.1] max-md:gap-2 max-md:text-[1.125rem]/[1.1] [&_svg]:h-6 [&_svg]:w-8.5 max-md:[&_svg]:w-7",
        sm: "gap-[0.7rem] text-[1.125rem]/[1.1] [&_svg]:h-5 [&_svg]:w-7",
      },
    },
  },
);

type LogoProps = { name: string; to: string; size?: "md" | "header" | "sm"; className?: string };

/** The mark, a W drawn as two ticks, with the name beside it, as a link to where "home" is here. */
export function Logo({ name, to, size = "md", className }: LogoProps) {
  return (
    <Link className={look({ size, className })} to={to}>
      <svg viewBox="0 0 34 24" strokeWidth={4.6} aria-hidden="true">
        <path className="on-deep:stroke-on-deep stroke-ink forced-colors:stroke-current!" d="M2.5 9 8 19.5 16 5" />
        <path
          className="on-deep:stroke-canary stroke-brand forced-colors:stroke-current!"
          d="M15.2 12.5 19 19.5 31.5 2"
        />
      </svg>
      {name}
    </Link>
  );
}
