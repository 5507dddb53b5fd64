import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { requireStaff } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { LIST_HEADINGS } from "~/features/submissions/copy";
import { statusFilter } from "~/features/submissions/model";
import { countSubmissions, listSubmissions } from "~/features/submissions/queries.server";
import { SubmissionTable } from "~/features/submissions/ui/submission-table";
import { SubmissionTally } from "~/features/submissions/ui/submission-tally";
import { pageRequest } from "~/lib/paging";
import { Page } from "~/ui/page";
import { Pagination } from "~/ui/pagination";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${LIST_HEADINGS[data?.status ?? "all"]} | ${brand.name} Admin` },
];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  const { searchParams } = context.request.url;
  const status = statusFilter(searchParams.get("status"));
  const [page, counts, settings] = await Promise.all([
    listSubmissions(context.db, pageRequest(searchParams), status),
    countSubmissions(context.db),
    getSettings(context.db),
  ]);
  return json({ page, counts, status, zone: settings.timeZone });
}

export default function SubmissionsPage() {
  const { page, counts, status, zone } = useLoaderData<typeof loader>();
  const shown = status ?? "all";
  const filter = status ? `status=${status}&` : "";
  return (
    <Page title={LIST_HEADINGS[shown]}>
      <SubmissionTally counts={counts} current={shown} />
      <SubmissionTable
        rows={page.rows}
        total={counts[shown]}
        zone={zone}
        clearTo={status ? "/admin/submissions" : null}
      />
      <Pagination
        newerTo={page.newer && `?${filter}before=${page.newer}`}
        olderTo={page.older && `?${filter}after=${page.older}`}
      />
    </Page>
  );
}
