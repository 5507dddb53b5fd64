import { cva } from "class-variance-authority";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { CheckCheck, CircleAlert, Clock, Icon } from "./icon";

const styles = cva("wrap-anywhere scroll-my-4 rounded-3 border px-4 pt-[0.65rem] pb-3 print:break-inside-avoid", {
  variants: {
    from: {
      them: "border-line bg-sheet",
      you: "border-line border-l-4 border-l-line-strong bg-sheet",
      us: "border-line border-l-4 border-l-brand bg-sheet",
      inside: "border-canary-line border-l-4 bg-canary-sheet text-on-canary-sheet",
      solution: "border-success-line border-l-4 border-l-success bg-success-tint",
    },
    isFresh: { true: "outline-2 outline-brand" },
  },
});

type MessageProps = {
  id: string;
  from: "them" | "you" | "us" | "inside" | "solution";
  isFresh?: boolean;
  author: ReactNode;
  label: ReactNode;
  when: ReactNode;
  end?: ReactNode;
  children: ReactNode;
};

export function Message({ id, from, isFresh, author, label, when, end, children }: MessageProps) {
  return (
    <article className={styles({ from, isFresh })} id={id} tabIndex={-1} aria-labelledby={`${id}-author`}>
      <header className="mb-[0.4rem] flex flex-wrap items-center gap-x-3 gap-y-[0.15rem] text-sm" id={`${id}-author`}>
        <b>{author}</b>
        {label}
        <span className={from === "inside" ? undefined : "text-ink-3"}>{when}</span>
        {end ? <span className="ml-auto flex items-center gap-3 max-md:ml-0">{end}</span> : null}
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
