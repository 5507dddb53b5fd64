import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { assessmentInvitation } from "~/content/home";
import { industries } from "~/content/industries";
import { type SiteBrand, siteBrand, useSiteBrand } from "~/features/settings/brand";
import { IndustryDetails, IndustryNotFound } from "~/features/site/industries";
import { breadcrumbSchema, missingPageMeta, originOf, pageMeta } from "~/features/site/seo";
import { InvitationBand } from "~/features/site/site-page";

const industryOf = ({ content }: SiteBrand, slug: string | undefined) =>
  content.industries.find((industry) => industry.slug === slug) ?? null;

export const meta: MetaFunction<typeof loader> = ({ matches, params }) => {
  const industry = industryOf(siteBrand(matches), params.slug);
  if (!industry) return missingPageMeta(matches, "Industry Not Found");
  const path = `/industries/${industry.slug}`;
  return pageMeta(matches, {
    title: `IT for ${industry.title}`,
    description: industry.summary,
    path,
    structured: [
      breadcrumbSchema(originOf(matches), [
        { name: "Home", path: "/" },
        { name: "Industries", path: "/industries" },
        { name: industry.title, path },
      ]),
    ],
  });
};

export function loader({ params }: LoaderFunctionArgs) {
  const slug = params.slug ?? "";
  return json({ slug }, { status: industries.some((industry) => industry.slug === slug) ? 200 : 404 });
}

export default function IndustryPage() {
  const industry = industryOf(useSiteBrand(), useLoaderData<typeof loader>().slug);
  if (!industry) return <IndustryNotFound />;
  return (
    <>
      <IndustryDetails industry={industry} />
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
