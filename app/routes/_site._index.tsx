import type { MetaFunction } from "@remix-run/cloudflare";
import { founder } from "~/content/founder";
import { assessmentInvitation, homeSections } from "~/content/home";
import { industries } from "~/content/industries";
import { services } from "~/content/services";
import { siteBrand } from "~/features/settings/root-brand";
import { useSiteBrand } from "~/features/settings/ui/use-brand";
import { organizationSchema, originOf, pageMeta } from "~/features/site/seo";
import { Exhibits } from "~/features/site/ui/exhibits/exhibit";
import { FirstDays } from "~/features/site/ui/exhibits/first-days";
import { FounderBlock } from "~/features/site/ui/exhibits/founder";
import { MonthlyLetter } from "~/features/site/ui/exhibits/monthly-letter";
import { RestoreLog } from "~/features/site/ui/exhibits/restore-log";
import { TicketExhibit } from "~/features/site/ui/exhibits/ticket";
import { Hero } from "~/features/site/ui/home/hero";
import { IndustryFolders } from "~/features/site/ui/industry-folders";
import { InvitationBand } from "~/features/site/ui/invitation-band";
import { PageWidth } from "~/features/site/ui/page-width";
import { SectionRow } from "~/features/site/ui/section-row";
import { ServiceIndex } from "~/features/site/ui/service-index";
import { homeHeaderScript } from "~/generated/static-scripts";
import { Link } from "~/ui/link";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "IT for clinics, non-profits and learning centers",
    description:
      siteBrand(matches).description ||
      `${siteBrand(matches).name} is the IT department for clinics, non-profits and learning centers: helpdesk, security, backups, networks and websites, with published prices.`,
    path: "/",
    structured: [organizationSchema(originOf(matches), siteBrand(matches))],
  });

export default function HomePage() {
  return (
    <>
      <Hero name={useSiteBrand().name} />
      <PageWidth>
        <SectionRow
          id="proof"
          title={homeSections.proof.title}
          text={
            <>
              {homeSections.proof.text} <Link to="/why-us">{homeSections.proof.link}</Link>
            </>
          }
        >
          <Exhibits>
            <TicketExhibit />
            <RestoreLog />
            <MonthlyLetter width={founder ? "five" : "full"} />
            <FounderBlock />
            <FirstDays />
          </Exhibits>
        </SectionRow>
        <SectionRow id="services" {...homeSections.services}>
          <ServiceIndex services={services} />
        </SectionRow>
        <SectionRow id="industries" {...homeSections.industries}>
          <IndustryFolders industries={industries} />
        </SectionRow>
      </PageWidth>
      <InvitationBand {...assessmentInvitation} />
      <script src={homeHeaderScript} defer />
    </>
  );
}
