import type { ReactNode } from "react";
import { cx } from "./cx";

type PageProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Holds the buttons and links for the whole page, beside the title. */
  actions?: ReactNode;
  breadcrumb?: ReactNode;
  /** Tells whether there is less space between title and content, on a page whose content is a long list. */
  isDense?: boolean;
  children: ReactNode;
};

/** Shows a page of the admin area: the h1, what it is about, its actions, the content. */
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
