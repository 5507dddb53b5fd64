import type { ReactNode } from "react";
import { cx } from "./cx";

const PANEL = cx(
  "rounded-3 border border-line bg-sheet px-[1.15rem] pt-[0.9rem] pb-[1.05rem] [&_h2]:mb-2 [&_h2]:text-md",
);

type PanelProps = {
  /** Holds the prefix of the ids inside; unique on the page. */
  id: string;
  title: string;
  children: ReactNode;
};

/** Frames a part of a page, with its heading. */
export function Panel({ id, title, children }: PanelProps) {
  return (
    <section className={PANEL} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

type BoxProps = { role?: "alert"; className?: string; children: ReactNode };

/** Frames what needs no heading of its own. `className` says how its parts are laid out. */
export function Box({ role, className, children }: BoxProps) {
  return (
    <div className={cx(PANEL, className)} role={role}>
      {children}
    </div>
  );
}
