import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { ContentForm } from "~/features/settings-management/content-page";
import { contentActions, readContentPage } from "~/features/settings-management/content-page.server";
import { General, SettingsTabs } from "~/features/settings-management/settings-page";
import { FIRST_HOUR_PATH } from "~/lib/addresses";
import { runFormAction } from "~/platform/form-actions.server";
import { Link } from "~/ui/link";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Site content");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "settings.change");
  return json(await readContentPage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return runFormAction(context, contentActions, { actor, request, params: null });
}

export default function SiteContentPage() {
  const { tabs, parts, general, isFirstHour, ...form } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Site content"
      actions={isFirstHour ? <Link to={FIRST_HOUR_PATH}>Back to the first hour</Link> : null}
      breadcrumb={<Breadcrumb items={[{ label: "Settings", to: SETTINGS_PATH }, { label: "Site content" }]} />}
    >
      <General parts={general}>
        <SettingsTabs tabs={tabs} parts={parts} />
        <ContentForm key={form.group.id} {...form} />
      </General>
    </Page>
  );
}
