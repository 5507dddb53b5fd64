import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation } from "~/content/home";
import { differences, mission, promise, whyUsLead, whyUsSections } from "~/content/why-us";
import { siteBrand, useSiteBrand } from "~/features/settings/brand";
import {
  DifferenceList,
  Exhibits,
  FirstDays,
  FounderPortrait,
  HandoverList,
  MonthlyLetter,
} from "~/features/site/exhibits";
import { SectionRow } from "~/features/site/section-row";
import { pageMeta } from "~/features/site/seo";
import { Highlight, InvitationBand, KeySentence, SitePage } from "~/features/site/site-page";

export const meta: MetaFunction = ({ matches }) => {
  const { name, tagline } = siteBrand(matches);
  const description = `Why ${name} exists, what it promises, and six things it does differently.`;
  return pageMeta(matches, {
    title: "Why Choose Us",
    description: tagline ? `${tagline} ${description}` : description,
    path: "/why-us",
  });
};

export default function WhyUsPage() {
  const { tagline, founder, story, prices, planNames } = useSiteBrand();
  return (
    <>
      <SitePage title="Why Choose Us" lead={`${tagline ? `${tagline} Then written down. ` : ""}${whyUsLead}`}>
        {story ? (
          <SectionRow id="story" title="Our story" below={<FounderPortrait />}>
            <figure>
              <blockquote>
                {story.split(/\n\s*\n/).map((paragraph) => (
                  <p key={paragraph} className="not-first:mt-3 first:text-lg">
                    {paragraph}
                  </p>
                ))}
              </blockquote>
              {founder ? <figcaption className="mt-5 font-semibold">{founder}, founder</figcaption> : null}
            </figure>
          </SectionRow>
        ) : null}
        <SectionRow id="mission" title="Mission">
          <KeySentence>{mission}</KeySentence>
        </SectionRow>
        <SectionRow id="promise" title="Promise">
          <KeySentence>
            {promise.before}
            <Highlight>{promise.marked}</Highlight>
            {promise.after}
          </KeySentence>
        </SectionRow>
        <SectionRow id="different" {...whyUsSections.differences}>
          <DifferenceList differences={differences(prices, planNames)} />
        </SectionRow>
        <SectionRow id="papers" {...whyUsSections.papers}>
          <Exhibits>
            <MonthlyLetter width="seven" />
            <HandoverList />
            <FirstDays />
          </Exhibits>
        </SectionRow>
      </SitePage>
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
