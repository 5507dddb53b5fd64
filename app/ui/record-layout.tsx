import type { ReactNode } from "react";

type RecordLayoutProps = {
  /** Prefix of the ids inside; unique on the page. */
  id: string;
  /** Names what the facts are about. */
  title: string;
  /** Stays in view beside the rest where there is room. */
  facts: ReactNode;
  children: ReactNode;
};

/** Lays out a page about one thing: what was said about it on the left, its facts on the right. */
export function RecordLayout({ id, title, facts, children }: RecordLayoutProps) {
  return (
    <div className="grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_19rem] items-start gap-[clamp(1.5rem,2.6vw,2.75rem)]">
      <div className="grid gap-[1.35rem]">{children}</div>
      <aside
        className="compact-labels @max-wide:static sticky top-[1.1rem] rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-[1.15rem] pt-4 pb-[1.15rem] [&_form]:mt-[0.8rem] [&_form]:mb-4 [&_form]:grid [&_form]:gap-[0.8rem]"
        aria-labelledby={`${id}-title`}
      >
        <h2 className="text-md" id={`${id}-title`}>
          {title}
        </h2>
        {facts}
      </aside>
    </div>
  );
}
