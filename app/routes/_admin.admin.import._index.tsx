import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { uploadActions } from "~/features/import/actions.server";
import { LastImports, NeverPanel, UploadPanel } from "~/features/import/import-list";
import { readImports } from "~/features/import/import-page.server";
import { IMPORT_FAILED, IMPORT_TITLE, INVITE_PEOPLE } from "~/features/import/labels";
import { INVITE_PEOPLE_PATH } from "~/features/import/paths";
import { adminTitle } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { readOrFail } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { Link } from "~/ui/link";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, IMPORT_TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "import.run");
  const read = await readOrFail(context, IMPORT_FAILED, readImports(context));
  return json({ ...read, hasErrors: context.form.isRejected });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "import.run");
  return runFormAction(context, uploadActions, { actor, request, params: null });
}

export default function ImportsPage() {
  const { imports, zone, token } = useLoaderData<typeof loader>();
  return (
    <Page
      title={IMPORT_TITLE}
      breadcrumb={<Breadcrumb dense items={[{ label: "Settings", to: SETTINGS_PATH }, { label: IMPORT_TITLE }]} />}
    >
      <UploadPanel token={token} />
      <LastImports imports={imports} zone={zone} />
      <NeverPanel />
      <p>
        <Link to={INVITE_PEOPLE_PATH}>{INVITE_PEOPLE}</Link> who have no account yet, when you are ready.
      </p>
    </Page>
  );
}
