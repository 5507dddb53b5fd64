import { cva } from "class-variance-authority";
import type { ReactNode } from "react";

const look = cva("wrap-anywhere scroll-my-4 rounded-3 border px-4 pt-[0.65rem] pb-3 print:break-inside-avoid", {
  variants: {
    from: {
      /** Marks what was written by somebody outside. */
      them: "border-line bg-sheet",
      /** Marks what was written by the reader, where others outside write too. */
      you: "border-line border-l-4 border-l-line-strong bg-sheet",
      /** Marks what was sent to them by staff. */
      us: "border-line border-l-4 border-l-brand bg-sheet",
      /** Marks what staff write among themselves. */
      inside: "border-canary-line border-l-4 bg-canary-sheet text-on-canary-sheet",
      /** Marks what was done when it was resolved. */
      solution: "border-success-line border-l-4 border-l-success bg-success-tint",
    },
    /** Marks what its reader has just sent. */
    isFresh: { true: "outline-2 outline-brand" },
  },
});

type MessageProps = {
  id: string;
  from: "them" | "you" | "us" | "inside" | "solution";
  isFresh?: boolean;
  author: ReactNode;
  /** Says after the name who that is, or what kind of message it is. */
  label: ReactNode;
  when: ReactNode;
  /** Holds what stands at the end of the line: links, or the state of its mail. */
  end?: ReactNode;
  children: ReactNode;
};

/** Shows one message of a conversation. It can be focused, as what an action has just added. */
export function Message({ id, from, isFresh, author, label, when, end, children }: MessageProps) {
  return (
    <article className={look({ from, isFresh })} id={id} tabIndex={-1} aria-labelledby={`${id}-author`}>
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
