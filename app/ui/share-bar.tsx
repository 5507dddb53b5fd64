import { cx } from "./cx";

type ShareBarProps = { value: number; max: number; label?: string; className?: string };

/** Draws how much of a whole something is. The words beside it say the same; `label` names it where they do not. */
export function ShareBar({ value, max, label, className = "block h-2 w-full" }: ShareBarProps) {
  return (
    <meter
      className={cx(LOOK, className)}
      aria-hidden={label ? undefined : true}
      aria-label={label}
      min={0}
      max={max}
      value={value}
    />
  );
}

/** Browsers paint a meter green, as if more were better. */
const LOOK = "[&::-moz-meter-bar]:bg-brand [&::-moz-meter-bar]:bg-none [&::-webkit-meter-optimum-value]:bg-brand";
