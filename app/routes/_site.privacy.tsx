import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { publishedLegalText } from "~/features/settings/queries.server";
import { LegalProse } from "~/features/site/legal-prose";
import { pageMeta } from "~/features/site/seo";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  pageMeta(matches, { title: "Privacy", description: data?.text.lead ?? "", path: "/privacy" });

export async function loader({ context }: LoaderFunctionArgs) {
  return json({ text: await publishedLegalText(context, "privacy") });
}

export default function PrivacyPage() {
  return <LegalProse text={useLoaderData<typeof loader>().text} />;
}
