import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readArchives, staffArchiveActions } from "~/features/archives/actions.server";
import { ArchivePanel } from "~/features/archives/archive-panel";
import { archiveFilePath } from "~/features/archives/paths";
import { requireStaff } from "~/features/auth/guards.server";
import { archivePath } from "~/features/organization-management/paths";
import { findDetails } from "~/features/organization-management/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Download all data");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const id = idParam("org", params.organizationId);
  const [found, read] = await Promise.all([findDetails(context.db, id), readArchives(context, actor, id)]);
  return json({ ...read, id, name: orNotFound(found).name });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const organizationId = idParam("org", params.organizationId);
  return runFormAction(context, staffArchiveActions, { actor, request, params: { organizationId } });
}

export default function OrganizationArchivePage() {
  const { archives, zone, token, id, name } = useLoaderData<typeof loader>();
  return (
    <Page title={`All data of ${name}`}>
      <ArchivePanel
        {...{ archives, zone, token }}
        path={archivePath(id)}
        filePath={archiveFilePath}
        about="A page for each ticket with its conversation and files, people, letters, and the same as lines of JSON."
        hasChoice
      />
    </Page>
  );
}
