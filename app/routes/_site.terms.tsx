import type { MetaFunction } from "@remix-run/cloudflare";
import { termsText } from "~/content/legal";
import { rootBrand } from "~/features/settings/root-brand";
import { useBrand } from "~/features/settings/ui/use-brand";
import { pageMeta } from "~/features/site/seo";
import { LegalProse } from "~/features/site/ui/legal-prose";

export const meta: MetaFunction = ({ matches }) => {
  const { title, lead } = termsText(rootBrand(matches));
  return pageMeta(matches, { title, description: lead, path: "/terms" });
};

export default function TermsPage() {
  return <LegalProse text={termsText(useBrand())} />;
}
