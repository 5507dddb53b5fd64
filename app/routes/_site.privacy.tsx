import type { MetaFunction } from "@remix-run/cloudflare";
import { privacyText } from "~/content/legal";
import { rootBrand } from "~/features/settings/root-brand";
import { useBrand } from "~/features/settings/ui/use-brand";
import { pageMeta } from "~/features/site/seo";
import { LegalProse } from "~/features/site/ui/legal-prose";

export const meta: MetaFunction = ({ matches }) => {
  const { title, lead } = privacyText(rootBrand(matches));
  return pageMeta(matches, { title, description: lead, path: "/privacy" });
};

export default function PrivacyPage() {
  return <LegalProse text={privacyText(useBrand())} />;
}
