import type { ReactNode } from "react";
import { cx } from "./cx";

type SheetProps = {
  id: string;
  title: string;
  titleHidden?: boolean;
  aside?: ReactNode;
  isMain?: boolean;
  children: ReactNode;
};

/** Frames a list or a table that reaches to its edges, under a line with its heading. */
export function Sheet({ id, title, titleHidden, aside, isMain, children }: SheetProps) {
  return (
    <section
      className={cx(
        "flex flex-col rounded-3 border border-line bg-sheet",
        isMain && "rounded-t-none border-t-2 border-t-ink",
      )}
      aria-labelledby={`${id}-title`}
    >
      <div
        className={
          titleHidden ? "sr-only" : "flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-3 pb-2"
        }
      >
        <h2 className="text-md" id={`${id}-title`}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export function SheetRows({ children }: { children: ReactNode }) {
  return <ul className="*:border-line *:border-t *:px-4 *:py-2">{children}</ul>;
}
