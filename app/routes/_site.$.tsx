import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { missingPageMeta } from "~/features/site/seo";
import { PageNotFound } from "~/features/site/site-page";

export const meta: MetaFunction = ({ matches }) => missingPageMeta(matches, "Page Not Found");

export function loader({ context }: LoaderFunctionArgs) {
  return json({ path: context.request.url.pathname }, { status: 404 });
}

export default function NotFoundPage() {
  return <PageNotFound path={useLoaderData<typeof loader>().path} />;
}
