import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readArchives, staffArchiveActions } from "~/features/archives/actions.server";
import { ArchivePanel } from "~/features/archives/archive-panel";
import { EVERYTHING } from "~/features/archives/model";
import { archiveFilePath } from "~/features/archives/paths";
import { requireStaff } from "~/features/auth/guards.server";
import { EVERYTHING_PATH } from "~/features/privacy/model";
import { adminTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Download all");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  return json(await readArchives(context, actor, EVERYTHING));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  return runFormAction(context, staffArchiveActions, { actor, request, params: { organizationId: EVERYTHING } });
}

export default function EverythingPage() {
  const { archives, zone, token } = useLoaderData<typeof loader>();
  return (
    <Page title="Download all">
      <ArchivePanel
        {...{ archives, zone, token }}
        path={EVERYTHING_PATH}
        filePath={archiveFilePath}
        about="Organizations, people, submissions, tickets with all messages, internal notes and files, letters, settings and the record of who changed what: a page for each ticket, and a JSON file for each table. Left out are passwords, codes, keys and links. Keep it where only you can open it."
      />
    </Page>
  );
}
