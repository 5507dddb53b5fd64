import type { ReactNode } from "react";
import { cx } from "./cx";
import { Icon, Lock, Mail } from "./icon";

type TwoFormComposerProps = {
  /** Absent: only notes can be written. */
  reply: ReactNode;
  note: ReactNode;
};

const TAB = cx(
  "flex min-h-10 items-center gap-[0.45rem] px-4 py-[0.3rem] text-ink-2 no-underline hover:text-ink hover:underline max-md:min-h-tap",
);
const CURRENT = "font-semibold text-ink edge-b";

export function TwoFormComposer({ reply, note }: TwoFormComposerProps) {
  if (!reply) return <Outline className="border-canary-line bg-canary-sheet">{note}</Outline>;
  return (
    <Outline className="border-line-strong border-t-ink bg-sheet has-[#note:target]:border-canary-line has-[#note:target]:bg-canary-sheet">
      <nav className="flex flex-wrap border-line border-b" aria-label="Reply or note">
        <a
          href="#write"
          aria-keyshortcuts="r"
          className={cx(
            TAB,
            CURRENT,
            "group-has-[#note:target]/write:font-normal group-has-[#note:target]/write:text-ink-2 group-has-[#note:target]/write:[box-shadow:none]",
          )}
        >
          <Icon of={Mail} /> Reply
        </a>
        <a
          href="#note"
          aria-keyshortcuts="n"
          className={cx(
            TAB,
            "group-has-[#note:target]/write:edge-b group-has-[#note:target]/write:font-semibold group-has-[#note:target]/write:text-ink",
          )}
        >
          <Icon of={Lock} /> Internal note
        </a>
      </nav>
      <div className="group-has-[#note:target]/write:hidden" id="reply">
        {reply}
      </div>
      <div className="hidden scroll-mt-16 target:block" id="note" tabIndex={-1}>
        {note}
      </div>
    </Outline>
  );
}

function Outline({ className, children }: { className: string; children: ReactNode }) {
  return (
    <section
      className={cx(
        "group/write scroll-mt-4 rounded-b-3 border border-t-2 print:hidden [&_form]:grid [&_form]:grid-cols-[minmax(0,1fr)] [&_form]:gap-[0.6rem] [&_form]:px-4 [&_form]:py-[0.8rem]",
        className,
      )}
      id="write"
      tabIndex={-1}
      aria-label="Write"
    >
      {children}
    </section>
  );
}
