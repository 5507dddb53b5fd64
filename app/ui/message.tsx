import type { ReactNode } from "react";
import { cx } from "./cx";
import { CheckCheck, CircleAlert, Clock, Icon, Lock } from "./icon";

const FRAMES = {
  them: "border-line bg-sheet",
  you: "border-line border-l-4 border-l-line-strong bg-sheet",
  us: "border-line border-l-4 border-l-brand bg-sheet",
  inside: "border-canary-line border-l-4 bg-canary-sheet text-on-canary-sheet",
  solution: "border-success-line border-l-4 border-l-success bg-success-tint",
};

type MessageProps = {
  id: string;
  from: keyof typeof FRAMES;
  isFresh?: boolean;
  author: ReactNode;
  label: ReactNode;
  when: ReactNode;
  end?: ReactNode;
  children: ReactNode;
};

export function Message({ id, from, isFresh, author, label, when, end, children }: MessageProps) {
  return (
    <article
      className={cx(
        "wrap-anywhere scroll-my-4 rounded-3 border px-4 pt-[0.65rem] pb-3 print:break-inside-avoid",
        FRAMES[from],
        isFresh && "outline-2 outline-brand",
      )}
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-author`}
    >
      <header className="mb-[0.4rem] flex flex-wrap items-center gap-x-3 gap-y-[0.15rem] text-sm" id={`${id}-author`}>
        <b>{author}</b>
        {label}
        <span className={from === "inside" ? undefined : "text-ink-3"}>{when}</span>
        {end ? <span className="ml-auto flex flex-wrap items-center gap-x-3 max-md:ml-0">{end}</span> : null}
      </header>
      {children}
    </article>
  );
}

const GLYPHS = { waiting: Clock, sent: CheckCheck, failed: CircleAlert };

export function DeliveryState({ state, words }: { state: keyof typeof GLYPHS; words: string }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-[0.3rem] text-xs",
        state === "failed" ? "font-semibold text-danger" : "text-ink-2",
      )}
    >
      <Icon of={GLYPHS[state]} size="1rem" />
      {words}
    </span>
  );
}

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

export const InsideLabel = ({ children }: { children: string }) => (
  <span className="inline-flex items-center gap-[0.35rem] font-semibold text-canary-ink">
    <Icon of={Lock} /> {children}
  </span>
);
