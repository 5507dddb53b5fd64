import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { clientArchiveActions, readArchives } from "~/features/archives/actions.server";
import { ArchivePanel } from "~/features/archives/archive-panel";
import { clientArchiveFilePath } from "~/features/archives/paths";
import { requireMember } from "~/features/auth/guards.server";
import { ARCHIVE_PATH } from "~/features/organization-settings/model";
import { requireFormMember } from "~/features/organizations/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, "Download all data");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "organization.archive");
  const { organizationId, organizationName } = actor.membership;
  return json({ ...(await readArchives(context, actor, organizationId)), organizationId, organizationName });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireFormMember(context, "organization.archive", request);
  return runFormAction(context, clientArchiveActions, { actor, request, params: null });
}

export default function ArchivePage() {
  const { archives, zone, token, organizationId, organizationName } = useLoaderData<typeof loader>();
  return (
    <Page title="Download all data">
      <ArchivePanel
        {...{ archives, zone, token, organizationId }}
        path={ARCHIVE_PATH}
        filePath={clientArchiveFilePath}
        about={`All that belongs to ${organizationName}: a page for each ticket with its conversation and files, private tickets too, people, letters, and the same as lines of JSON.`}
      />
    </Page>
  );
}
