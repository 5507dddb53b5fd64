import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation, homeSections } from "~/content/home";
import { siteBrand, useSiteBrand } from "~/features/settings/brand";
import { Exhibits, FirstDays, FounderBlock, MonthlyLetter, RestoreLog, TicketExhibit } from "~/features/site/exhibits";
import { Hero, Switching } from "~/features/site/home";
import { IndustryFolders } from "~/features/site/industries";
import { SectionRow } from "~/features/site/section-row";
import { organizationSchema, originOf, pageMeta } from "~/features/site/seo";
import { ServiceIndex } from "~/features/site/services";
import { InvitationBand, PageWidth } from "~/features/site/site-page";
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
  const { content } = useSiteBrand();
  return (
    <>
      <Hero />
      <PageWidth>
        <SectionRow
          id="proof"
          title={homeSections.proof.title}
          text={
            <>
              {homeSections.proof.text} <Link to="/why-us">{homeSections.proof.link}</Link>
              {content.linksPromises ? (
                <Link className="mt-2 block" to="/promise">
                  {homeSections.proof.promises}
                </Link>
              ) : null}
            </>
          }
        >
          <Exhibits>
            <TicketExhibit />
            <RestoreLog />
            <MonthlyLetter width={content.portrait && content.founderWords ? "five" : "full"} />
            <FounderBlock />
            <FirstDays />
          </Exhibits>
        </SectionRow>
        <Switching />
        <SectionRow id="services" {...homeSections.services}>
          <ServiceIndex />
        </SectionRow>
        <SectionRow id="industries" {...homeSections.industries}>
          <IndustryFolders industries={content.industries} />
        </SectionRow>
      </PageWidth>
      <InvitationBand {...assessmentInvitation} />
      <script src={homeHeaderScript} defer />
    </>
  );
}
