import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation, homeSections } from "~/content/home";
import { compliance, complianceLead } from "~/content/industries";
import { useSiteBrand } from "~/features/settings/brand";
import { ComplianceList, IndustryFolders } from "~/features/site/industries";
import { SectionRow } from "~/features/site/section-row";
import { breadcrumbSchema, originOf, pageMeta } from "~/features/site/seo";
import { InvitationBand, SitePage } from "~/features/site/site-page";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Industries",
    description:
      "IT for healthcare, mental health, non-profits, professional services, learning centers and daycares, and remote teams, inside HIPAA, GDPR, SOC 2, FERPA, PCI DSS and CCPA.",
    path: "/industries",
    structured: [
      breadcrumbSchema(originOf(matches), [
        { name: "Home", path: "/" },
        { name: "Industries", path: "/industries" },
      ]),
    ],
  });

export default function IndustriesPage() {
  return (
    <>
      <SitePage title="Industries" lead={homeSections.industries.text}>
        <div className="pb-section">
          <IndustryFolders industries={useSiteBrand().content.industries} heading="h2" />
        </div>
        <SectionRow id="compliance" title="Compliance" text={complianceLead}>
          <ComplianceList rules={compliance} />
        </SectionRow>
      </SitePage>
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
