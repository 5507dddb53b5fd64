import type { ReactNode } from "react";
import { LeadText } from "./lead-text";
import { PageWidth } from "./page-width";

type SitePageProps = {
  title: ReactNode;
  lead?: ReactNode;
  /** Holds the breadcrumb, above the headline of a page inside a section. */
  breadcrumb?: ReactNode;
  children?: ReactNode;
};

/** Shows a page of the public site with its headline and its content below. */
export function SitePage({ title, lead, breadcrumb, children }: SitePageProps) {
  return (
    <PageWidth>
      <div className="pt-section pb-[clamp(1.75rem,3vw,2.75rem)]">
        {breadcrumb}
        <h1>{title}</h1>
        {lead ? <LeadText className="mt-4">{lead}</LeadText> : null}
      </div>
      {children}
    </PageWidth>
  );
}
