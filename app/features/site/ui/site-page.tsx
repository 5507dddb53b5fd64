import type { ReactNode } from "react";

type SitePageProps = {
  title: ReactNode;
  lead?: ReactNode;
  /** The way up, above the headline of a page inside a section. */
  breadcrumb?: ReactNode;
  children?: ReactNode;
};

/** A page of the public site with its headline and, below it, what follows from there. */
export function SitePage({ title, lead, breadcrumb, children }: SitePageProps) {
  return (
    <div className="wrap">
      <div className="page-head">
        {breadcrumb}
        <h1>{title}</h1>
        {lead ? <p className="lead">{lead}</p> : null}
      </div>
      {children}
    </div>
  );
}
