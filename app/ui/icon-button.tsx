import type { ButtonHTMLAttributes } from "react";
import { cx } from "./cx";
import { Icon } from "./icon";

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> & {
  of: string;
  /** Says what it does, for those who do not see the icon. */
  label: string;
};

/** Renders a small button that is only an icon. `className` is for margins and layout. */
export function IconButton({ of, label, type = "button", className, ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      className={cx(
        "grid size-7 cursor-pointer place-items-center rounded-2 border-0 bg-transparent p-0 text-ink-3 hover:bg-sunken hover:text-ink max-md:size-11",
        className,
      )}
      aria-label={label}
      {...rest}
    >
      <Icon of={of} />
    </button>
  );
}
