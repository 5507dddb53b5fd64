import { cx } from "./cx";

type IconProps = { of: string; size?: string; className?: string };

/**
 * Renders a decorative icon, one of `icons.ts`, as tall as the text beside it. Screen readers skip it: the words carry
 * the meaning.
 */
export function Icon({ of: shape, size = "1.125em", className }: IconProps) {
  return (
    <svg
      className={cx("flex-none", className)}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shape} />
    </svg>
  );
}
