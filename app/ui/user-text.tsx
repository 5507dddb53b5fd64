import { splitAtLinks } from "~/lib/text-links";
import { cx } from "./cx";

type UserTextProps = {
  children: string | null;
  as?: "p" | "span" | "pre";
  size?: "base" | "sm";
  className?: string;
  /** Makes links of the addresses in it: between people who know each other, not of what a stranger sends. */
  hasLinks?: boolean;
};

/** Shows what a person wrote, with its line breaks. */
export function UserText({ children, as: Element = "p", size = "base", className, hasLinks }: UserTextProps) {
  const type = size === "sm" ? "text-sm/[1.55]" : "text-base/[1.55]";
  return (
    <Element className={cx("wrap-anywhere max-w-[70ch] whitespace-pre-line", type, className)}>
      {hasLinks && children ? splitAtLinks(children).map(partOf) : children}
    </Element>
  );
}

const partOf = ({ text, isLink }: ReturnType<typeof splitAtLinks>[number], index: number) =>
  isLink ? (
    <a key={index} href={text} rel="noreferrer nofollow">
      {text}
    </a>
  ) : (
    text
  );
