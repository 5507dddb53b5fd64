import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { proposalInvitation } from "~/content/home";
import { priceList } from "~/features/pricing/current-prices";
import { adjustedIn, choiceQuery, estimate, readChoice } from "~/features/pricing/estimate";
import { Estimator } from "~/features/pricing/estimator";
import { siteBrand, useSiteBrand } from "~/features/settings/brand";
import { effectiveBrand } from "~/features/settings/queries.server";
import { FaqList, PlanTable } from "~/features/site/pricing-page";
import { SectionRow } from "~/features/site/section-row";
import { faqSchema, pageMeta } from "~/features/site/seo";
import { InvitationBand, SitePage } from "~/features/site/site-page";
import { estimatorScript } from "~/generated/static-scripts";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Transparent Pricing",
    description:
      "Three plans with one rate per person and month, five add-ons, no setup fees. Put together your monthly cost and share it as a link.",
    path: "/pricing",
    structured: [faqSchema(siteBrand(matches).content.questions)],
  });

export async function loader({ context }: LoaderFunctionArgs) {
  const { searchParams } = context.request.url;
  const { prices } = await effectiveBrand(context);
  const choice = readChoice(priceList(prices), searchParams);
  const given = { users: searchParams.get("users"), lab: searchParams.get("lab") };
  return json({ choice, given, adjusted: adjustedIn(searchParams, choice) });
}

export default function PricingPage() {
  const { choice, given, adjusted } = useLoaderData<typeof loader>();
  const brand = useSiteBrand();
  const prices = priceList(brand.prices);
  return (
    <>
      <SitePage
        title="Transparent Pricing"
        lead="One rate per person, per month. No setup fees. Everything you can buy from us is on this page."
      >
        <PlanTable prices={prices} choice={choice} />
        <Estimator prices={prices} estimate={estimate(prices, choice)} given={given} adjusted={adjusted} />
        <SectionRow
          id="questions"
          className="print:hidden"
          title="Questions people ask"
          text={
            <>
              If yours isn’t here, <a href="/contact">ask us</a>.
            </>
          }
        >
          <FaqList questions={brand.content.questions} />
        </SectionRow>
      </SitePage>
      <InvitationBand {...proposalInvitation} to={`/contact?${choiceQuery(choice)}`} carriesEstimate />
      <script src={estimatorScript} defer />
    </>
  );
}
