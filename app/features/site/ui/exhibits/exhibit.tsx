import type { ReactNode } from "react";
import { exampleTag } from "~/content/exhibits";
import { cx } from "~/ui/cx";

/** Lists the widths by the number of the row's twelve columns. */
const WIDTHS = {
  seven: "@min-[38rem]:col-span-7",
  five: "@min-[38rem]:col-span-5",
  full: "@min-[38rem]:col-span-12",
} as const;

export type ExhibitWidth = keyof typeof WIDTHS;

type ExhibitProps = {
  /** Holds the id of the paper; links lead to it. */
  id: string;
  title: string;
  /** Says that the paper is an example. Null: it is not one. */
  tag?: string | null;
  /** Says how much of the row it takes on a wide screen. */
  width: ExhibitWidth;
  /** Says below the paper what it shows, or where to see more. */
  note?: ReactNode;
  children: ReactNode;
};

/** Lays out exhibits beside each other where there is room. */
export function Exhibits({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <div className="grid @min-[38rem]:grid-cols-12 gap-5 *:min-w-0">{children}</div>
    </div>
  );
}

/** Shows one paper that a client would get, marked as an example. */
export function Exhibit({ id, title, tag = exampleTag, width, note, children }: ExhibitProps) {
  return (
    <article
      id={id}
      className={cx("wrap-anywhere flex flex-col rounded-3 border border-line bg-sheet text-sm/[1.45]", WIDTHS[width])}
      aria-labelledby={`${id}-title`}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-5 pt-4 pb-[0.7rem]">
        <h3 className="text-md" id={`${id}-title`}>
          {title}
        </h3>
        {tag ? <ExampleTag>{tag}</ExampleTag> : null}
      </header>
      <div className="grid content-start gap-[0.65rem] px-5 pt-[0.9rem] pb-[1.1rem] *:min-w-0">{children}</div>
      {note ? (
        <p className="mt-auto max-w-none border-line border-t px-5 pt-[0.7rem] pb-[0.9rem] text-ink-2">{note}</p>
      ) : null}
    </article>
  );
}

/** Renders the small label that says something is an example. */
export function ExampleTag({ children }: { children: string }) {
  return (
    <span className="rounded-1 border border-control px-[0.45rem] py-[0.05rem] font-semibold text-ink-2 text-xs">
      {children}
    </span>
  );
}
