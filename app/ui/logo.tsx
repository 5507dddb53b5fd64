import { cx } from "./cx";
import { Link } from "./link";

/** Lists the sizes of the words and of the mark. `header` is smaller on a phone, where buttons stand beside it. */
const SIZES = {
  md: { text: "gap-[0.7rem] text-[1.3125rem]/[1.1]", mark: "h-6 w-8.5" },
  header: {
    text: "gap-[0.7rem] text-[1.3125rem]/[1.1] max-md:gap-2 max-md:text-[1.125rem]/[1.1]",
    mark: "h-6 w-8.5 max-md:w-7",
  },
  sm: { text: "gap-[0.7rem] text-[1.125rem]/[1.1]", mark: "h-5 w-7" },
} as const;

type LogoProps = { name: string; to: string; size?: keyof typeof SIZES; className?: string };

/** Renders the mark, a W drawn as two ticks, with the name beside it, as a link to the home page of the area. */
export function Logo({ name, to, size = "md", className }: LogoProps) {
  return (
    <Link
      className={cx(
        "wrap-anywhere inline-flex items-center font-bold on-deep:text-on-deep text-ink tracking-[-0.02em] no-underline",
        SIZES[size].text,
        className,
      )}
      to={to}
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
      {name}
    </Link>
  );
}
