import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation, homeSections } from "~/content/home";
import { breadcrumbSchema, originOf, pageMeta } from "~/features/site/seo";
import { ServiceRows } from "~/features/site/services";
import { InvitationBand, SitePage } from "~/features/site/site-page";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Services",
    description:
      "Managed IT, cybersecurity and compliance, cloud and remote work, data backup, networks, websites: six services, with what you can stop doing.",
    path: "/services",
    structured: [
      breadcrumbSchema(originOf(matches), [
        { name: "Home", path: "/" },
        { name: "Services", path: "/services" },
      ]),
    ],
  });

export default function ServicesPage() {
  return (
    <>
      <SitePage title="Services" lead={homeSections.services.text}>
        <ServiceRows />
      </SitePage>
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
