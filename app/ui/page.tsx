import type { ReactNode } from "react";

type PageProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Buttons and links for the whole page, beside the title. */
  actions?: ReactNode;
  breadcrumb?: ReactNode;
  children: ReactNode;
};

/** What stands on the desk of a signed-in area: the h1, what it is about, its actions, the content. */
export function Page({ title, description, actions, breadcrumb, children }: PageProps) {
  return (
    <>
      {breadcrumb}
      <div className="desk-top">
        <div>
          <h1>{title}</h1>
          {description ? <p>{description}</p> : null}
        </div>
        {actions}
      </div>
      <div className="desk-body">{children}</div>
    </>
  );
}
