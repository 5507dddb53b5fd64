import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { readHealthReport } from "~/features/health/health-report.server";
import { HealthReport } from "~/features/health/ui/health-report";
import { rootBrand } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { Page } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";

export { shouldRevalidate } from "~/ui/not-saved";

const ADVANCED = `${SETTINGS_PATH}?tab=advanced`;

export const meta: MetaFunction = ({ matches }) => [{ title: `Settings | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "settings.change");
  const [checks, settings] = await Promise.all([readHealthReport(context), getSettings(context.db)]);
  return json({ checks, zone: settings.timeZone });
}

export default function SettingsPage() {
  const { checks, zone } = useLoaderData<typeof loader>();
  return (
    <Page title="Settings">
      <LinkTabs scroll label="Settings" items={[{ to: ADVANCED, label: "Advanced", current: true }]} />
      <HealthReport checks={checks} zone={zone} path={ADVANCED} />
    </Page>
  );
}
