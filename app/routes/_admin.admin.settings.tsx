import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { readHealthReport } from "~/features/health/health-report.server";
import { listMissingPaths } from "~/features/health/missing-paths.server";
import { HealthReport } from "~/features/health/ui/health-report";
import { MissingPaths } from "~/features/health/ui/missing-paths";
import { SETTINGS_PATH } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { keepingLoader } from "~/live/page-refresh";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

const ADVANCED = `${SETTINGS_PATH}?tab=advanced`;

export const meta: MetaFunction = ({ matches }) => [{ title: `Settings | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "settings.change");
  const [checks, settings, missing] = await Promise.all([
    readHealthReport(context),
    getSettings(context.db),
    readOrNull(context, "missing_paths_failed", listMissingPaths(context)),
  ]);
  return json({ checks, zone: settings.timeZone, missing });
}

export default function SettingsPage() {
  const { checks, zone, missing } = useLoaderData<typeof loader>();
  return (
    <Page title="Settings">
      <LinkTabs scroll label="Settings" items={[{ to: ADVANCED, label: "Advanced", current: true }]} />
      <HealthReport checks={checks} zone={zone} path={ADVANCED} />
      {missing ? (
        <MissingPaths paths={missing} />
      ) : (
        <ErrorPanel message="Failed to load missing pages" retryTo={ADVANCED} />
      )}
    </Page>
  );
}
