import { cx } from "./cx";

type UserTextProps = {
  children: string | null;
  as?: "p" | "span" | "pre";
  size?: "base" | "sm";
  className?: string;
  /** Makes links of the addresses in it: between people who know each other, not of what a stranger sends. */
  hasLinks?: boolean;
};

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

type TextPart = { text: string; isLink: boolean };

// Characters that change the direction of a text, or cannot be seen, are part of no address.
const ADDRESS = /\bhttps?:\/\/[^\s<>"\p{Cf}]+/giu;

const WEBSITE = /^https?:\/\/[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?(?:[/?#].*)?$/i;

/** Only what begins with "http://" or "https://" is one; the punctuation after it belongs to the sentence. */
export function splitAtLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    if (!WEBSITE.test(address)) continue;
    parts.push({ text: text.slice(from, index), isLink: false }, { text: address, isLink: true });
    from = index + address.length;
  }
  parts.push({ text: text.slice(from), isLink: false });
  return parts.filter((part) => part.text);
}

/** A bracket that was opened inside is part of it. */
function withoutPunctuation(address: string): string {
  const behind = address.includes("(") ? ".,;:!?'*_’”]}" : ".,;:!?'*_’”]})";
  let end = address.length;
  while (behind.includes(address.charAt(end - 1)) && end > 0) end -= 1;
  return address.slice(0, end);
}
