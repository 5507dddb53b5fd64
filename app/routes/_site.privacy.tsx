import type { MetaFunction } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";
import { privacyText } from "~/content/legal";
import { pageMeta } from "~/features/site/seo";
import { LegalProse } from "~/features/site/ui/legal-prose";

const text = privacyText(brand);

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: text.title, description: text.lead, path: "/privacy" });

export default function PrivacyPage() {
  return <LegalProse text={text} />;
}
