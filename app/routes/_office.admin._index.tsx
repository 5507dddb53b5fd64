import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { requireStaff } from "~/features/auth/guards.server";
import { countSubmissions } from "~/features/submissions/queries.server";
import { SubmissionTally } from "~/features/submissions/ui/submission-tally";
import { Page } from "~/ui/page";

export const meta: MetaFunction = () => [{ title: `Dashboard | ${brand.name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  return json({ counts: await countSubmissions(context.db) });
}

export default function DashboardPage() {
  const { counts } = useLoaderData<typeof loader>();
  return (
    <Page title="Dashboard">
      <SubmissionTally counts={counts} current={null} />
    </Page>
  );
}
