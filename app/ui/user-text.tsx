import { cx } from "./cx";

type UserTextProps = {
  children: string | null;
  as?: "p" | "span" | "pre";
  size?: "base" | "sm";
  className?: string;
};

/** Shows what a person wrote, with its line breaks. */
export function UserText({ children, as: Element = "p", size = "base", className }: UserTextProps) {
  const type = size === "sm" ? "text-sm/[1.55]" : "text-base/[1.55]";
  return (
    <Element className={cx("wrap-anywhere max-w-[70ch] whitespace-pre-line", type, className)}>{children}</Element>
  );
}
