import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation } from "~/content/home";
import { differences, mission, promise, story } from "~/content/why-us";
import { rootBrand } from "~/features/settings/brand";
import { useBrand } from "~/features/settings/ui/use-brand";
import { pageMeta } from "~/features/site/seo";
import { FeatureBlocks } from "~/features/site/ui/feature-list";
import { Highlight } from "~/features/site/ui/highlight";
import { InvitationBand } from "~/features/site/ui/invitation-band";
import { KeySentence } from "~/features/site/ui/key-sentence";
import { SectionRow } from "~/features/site/ui/section-row";
import { SitePage } from "~/features/site/ui/site-page";

export const meta: MetaFunction = ({ matches }) => {
  const { name, tagline } = rootBrand(matches);
  const description = `Why ${name} exists, what it promises, and six things it does differently.`;
  return pageMeta(matches, {
    title: "Why Choose Us",
    description: tagline ? `${tagline} ${description}` : description,
    path: "/why-us",
  });
};

export default function WhyUsPage() {
  const { tagline, founder } = useBrand();
  return (
    <>
      <SitePage title="Why Choose Us" lead={tagline ? `${tagline} Then written down.` : null}>
        <SectionRow id="story" title="Our story">
          <figure>
            <blockquote>
              {story.map((paragraph) => (
                <p key={paragraph} className="not-first:mt-3 first:text-lg">
                  {paragraph}
                </p>
              ))}
            </blockquote>
            {founder ? <figcaption className="mt-5 font-semibold">{founder}, founder</figcaption> : null}
          </figure>
        </SectionRow>
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
        <SectionRow id="different" title="What is different">
          <FeatureBlocks features={differences} pairs />
        </SectionRow>
      </SitePage>
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
