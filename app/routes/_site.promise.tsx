import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { assessmentInvitation } from "~/content/home";
import { PROMISES_FROM } from "~/features/analytics/model";
import { readPromises } from "~/features/analytics/stored-days.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { PromisePage, TooFewPromises } from "~/features/site/promise-page";
import { missingPageMeta, pageMeta } from "~/features/site/seo";
import { InvitationBand, PageNotFound } from "~/features/site/site-page";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  data?.promises
    ? pageMeta(matches, {
        title: "What we promised, and what we kept",
        description: "The last 90 days from the clock of our ticket system: every promised reply, kept or missed.",
        path: "/promise",
      })
    : missingPageMeta(matches, "Page Not Found");

export async function loader({ context }: LoaderFunctionArgs) {
  const { content } = await effectiveBrand(context);
  if (!content.showsPromises) return json({ isOff: true, promises: null }, { status: 404 });
  const promises = await readPromises(context);
  if (promises.created < PROMISES_FROM) return json({ isOff: false, promises: null }, { status: 404 });
  return json({ isOff: false, promises });
}

export default function PromiseRoute() {
  const { isOff, promises } = useLoaderData<typeof loader>();
  if (isOff) return <PageNotFound path="/promise" />;
  return promises ? (
    <>
      <PromisePage {...promises} />
      <InvitationBand {...assessmentInvitation} title="Hold us to it" />
    </>
  ) : (
    <TooFewPromises />
  );
}
