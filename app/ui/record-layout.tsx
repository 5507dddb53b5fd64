import type { ReactNode } from "react";

type RecordLayoutProps = {
  /** Holds what belongs to it, beside the rest where there is room, or below. */
  rail: ReactNode;
  children: ReactNode;
};

/** Lays out a page about one thing: what was said about it on the left, what belongs to it on the right. */
export function RecordLayout({ rail, children }: RecordLayoutProps) {
  return (
    <div className="mt-4 grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_18.5rem] items-start gap-5 print:grid-cols-[minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
      {rail}
    </div>
  );
}
