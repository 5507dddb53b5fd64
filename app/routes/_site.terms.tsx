import type { MetaFunction } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";
import { termsText } from "~/content/legal";
import { pageMeta } from "~/features/site/seo";
import { LegalProse } from "~/features/site/ui/legal-prose";

const text = termsText(brand);

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: text.title, description: text.lead, path: "/terms" });

export default function TermsPage() {
  return <LegalProse text={text} />;
}
