import type { HTMLAttributes, ReactNode } from "react";
import { cx } from "./cx";

type PageProps = {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  breadcrumb?: ReactNode;
  isDense?: boolean;
  children: ReactNode;
};

export function Page({ title, description, actions, breadcrumb, isDense = false, children }: PageProps) {
  return (
    <>
      {breadcrumb}
      <div
        className={cx(
          "@max-narrow:clear-both flex min-h-9 flex-wrap items-center gap-x-6 gap-y-3 max-md:gap-x-4",
          isDense ? "mb-2" : "mb-[1.1rem]",
        )}
      >
        <div className="flex-auto">
          <h1>{title}</h1>
          {description ? <p className="mt-[0.3rem] text-ink-2">{description}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-3">{actions}</div> : null}
      </div>
      <div className={cx("clear-both grid grid-cols-[minmax(0,1fr)]", isDense ? "gap-3" : "gap-5")}>{children}</div>
    </>
  );
}

export function ContentArea({ as: Element = "div", ...rest }: HTMLAttributes<HTMLElement> & { as?: "div" | "main" }) {
  return (
    <Element
      className="@container min-w-0 border-line px-[clamp(1rem,2.4vw,2.25rem)] pt-[1.1rem] pb-12 md:border-l print:border-0"
      {...rest}
    />
  );
}

export function RecordLayout({ sidebar, children }: { sidebar: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-4 grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_18.5rem] items-start gap-5 print:grid-cols-[minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
      {sidebar}
    </div>
  );
}

export function QuietLine({ when, children }: { when: ReactNode; children: ReactNode }) {
  return (
    <p className="flex max-w-none flex-wrap gap-x-2 pl-4 text-ink-2 text-xs/[1.5]">
      <span className="text-ink-3">{when}</span>
      <span>{children}</span>
    </p>
  );
}
