import type { ReactNode } from "react";

type PageProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Buttons and links for the whole page, beside the title. */
  actions?: ReactNode;
  breadcrumb?: ReactNode;
  children: ReactNode;
};

/** Shows a page of the admin area: the h1, what it is about, its actions, the content. */
export function Page({ title, description, actions, breadcrumb, children }: PageProps) {
  return (
    <>
      {breadcrumb}
      <div className="@max-narrow:clear-both mb-[1.1rem] flex min-h-9 flex-wrap items-center gap-x-6 gap-y-3">
        <div className="flex-auto">
          <h1>{title}</h1>
          {description ? <p className="mt-[0.3rem] text-ink-2">{description}</p> : null}
        </div>
        {actions}
      </div>
      <div className="clear-both grid grid-cols-[minmax(0,1fr)] gap-5">{children}</div>
    </>
  );
}
