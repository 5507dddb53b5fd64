import { cx } from "./cx";
import { Link } from "./link";

/** `header` is smaller in a narrow bar, and the mark alone in a tiny one. */
const SIZES = {
  md: { text: "gap-[0.7rem] text-[1.3125rem]/[1.1]", mark: "h-6 w-8.5" },
  header: {
    text: "gap-[0.7rem] text-[1.3125rem]/[1.1] bar-menu:gap-2 bar-menu:text-[1.125rem]/[1.1] bar-tight:gap-2 bar-tight:text-[1.125rem]/[1.1] bar-phone:gap-1.5 bar-phone:text-[0.9375rem]/[1.1]",
    mark: "h-6 w-8.5 bar-menu:w-7 bar-tight:w-7 bar-phone:w-6",
  },
  sm: { text: "gap-[0.7rem] text-[1.125rem]/[1.1]", mark: "h-5 w-7" },
} as const;

type LogoProps = { name: string; to: string; size?: keyof typeof SIZES; className?: string; tabIndex?: -1 };

/** The name stays in one line; one that has no room ends in dots. */
export function Logo({ name, to, size = "md", className, tabIndex }: LogoProps) {
  return (
    <Link
      className={cx(
        "inline-flex max-w-full items-center font-bold on-deep:text-on-deep text-ink tracking-[-0.02em] no-underline",
        SIZES[size].text,
        className,
      )}
      to={to}
      tabIndex={tabIndex}
      data-logo=""
    >
      <svg
        className={cx("flex-none fill-none", SIZES[size].mark)}
        viewBox="0 0 34 24"
        strokeWidth={4.6}
        aria-hidden="true"
      >
        <path className="on-deep:stroke-on-deep stroke-ink forced-colors:stroke-current!" d="M2.5 9 8 19.5 16 5" />
        <path
          className="on-deep:stroke-canary stroke-brand forced-colors:stroke-current!"
          d="M15.2 12.5 19 19.5 31.5 2"
        />
      </svg>
      <span className={cx("truncate py-[0.2em]", size === "header" && "bar-tiny:sr-only")}>{name}</span>
    </Link>
  );
}
