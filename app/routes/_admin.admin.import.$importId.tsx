import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { importActions } from "~/features/import/actions.server";
import { readImport } from "~/features/import/import-page.server";
import { ImportRecord, ImportSteps } from "~/features/import/import-record";
import { IMPORT_FAILED, IMPORT_KIND_LABELS, IMPORT_TITLE } from "~/features/import/labels";
import { IMPORT_PATH } from "~/features/import/paths";
import { adminTitle } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { readOrFail } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, IMPORT_TITLE);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "import.run");
  const read = await readOrFail(context, IMPORT_FAILED, readImport(context, actor, idParam("imp", params.importId)));
  return json({ view: orNotFound(read), hasErrors: context.form.isRejected });
}

export async function action({ context, request, params }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "import.run");
  return runFormAction(context, importActions, {
    actor,
    request,
    params: { importId: idParam("imp", params.importId) },
  });
}

export default function ImportPage() {
  const { view } = useLoaderData<typeof loader>();
  return (
    <Page
      title={`Import ${IMPORT_KIND_LABELS[view.kind].toLowerCase()}`}
      breadcrumb={
        <Breadcrumb
          dense
          items={[
            { label: "Settings", to: SETTINGS_PATH },
            { label: IMPORT_TITLE, to: IMPORT_PATH },
            { label: view.fileName },
          ]}
        />
      }
    >
      <ImportSteps state={view.state} />
      <ImportRecord view={view} />
    </Page>
  );
}
