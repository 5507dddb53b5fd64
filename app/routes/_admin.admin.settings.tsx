import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { MfaPanel } from "~/features/account/mfa";
import { requireStaff } from "~/features/auth/guards.server";
import { HealthReport, InstallationReport, MissingPaths, PageViewTable } from "~/features/health/health-report";
import { listMissingPaths, listPageViews } from "~/features/health/requests.server";
import { readHealthReport, readInstallation } from "~/features/health/system-status.server";
import { MailSetup } from "~/features/mail-setup/setup-page";
import { PreferenceForm } from "~/features/notifications/preference-form";
import { adminTitle } from "~/features/settings/brand";
import {
  AccountTab,
  DangerZone,
  DataTab,
  FullExport,
  General,
  SettingsForm,
  SettingsTabs,
} from "~/features/settings-management/settings-page";
import { readSettingsPage, settingsActions } from "~/features/settings-management/settings-page.server";
import { readOrNull } from "~/features/workspace/load-list.server";
import { FIRST_HOUR_PATH } from "~/lib/addresses";
import { runFormAction } from "~/platform/form-actions.server";
import { Link } from "~/ui/link";
import { ErrorPanel, Page, Panel } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Settings");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  const tab = context.request.url.searchParams.get("tab");
  const [page, views, advanced] = await Promise.all([
    readSettingsPage(context, actor),
    tab === "data" ? readOrNull(context, "page_views_failed", listPageViews(context)) : null,
    tab === "advanced"
      ? Promise.all([
          readHealthReport(context),
          readOrNull(context, "missing_paths_failed", listMissingPaths(context)),
          readOrNull(context, "installation_failed", readInstallation(context)),
        ])
      : null,
  ]);
  return json({
    ...page,
    views,
    advanced: advanced && { checks: advanced[0], missing: advanced[1], installed: advanced[2] },
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return runFormAction(context, settingsActions, { actor, request, params: null });
}

export default function SettingsPage() {
  const { tab, tabs, parts, zone, isFirstHour, group, own, preferences, mailSetup, submissionsFile, links, ...read } =
    useLoaderData<typeof loader>();
  const { views, advanced } = read;
  const form = group ? <SettingsForm key={group.id} group={group} zone={zone} token={group.token} /> : null;
  return (
    <Page title="Settings" actions={isFirstHour ? <Link to={FIRST_HOUR_PATH}>Back to the first hour</Link> : null}>
      <SettingsTabs tabs={tabs} parts={tab === "general" ? [] : parts} />
      {tab === "account" && own ? <AccountTab path={links.account} {...own} /> : null}
      {tab === "general" ? (
        <General parts={parts}>
          {form}
          {mailSetup ? <MailSetup {...mailSetup} zone={zone} /> : null}
        </General>
      ) : (
        form
      )}
      {tab === "security" && own ? (
        <Panel id="two-step" title="Your two-step sign-in">
          <MfaPanel
            isEnabled={own.mfaEnabled}
            mfaNotice={null}
            mayDisable
            codesLeft={own.codesLeft}
            codesUnsaved={false}
          />
        </Panel>
      ) : null}
      {preferences ? (
        <Panel id="own-mail" title="Your notification settings">
          <PreferenceForm action={links.notifications} {...preferences} />
        </Panel>
      ) : null}
      {tab === "data" ? (
        <DataTab submissionsFile={submissionsFile} privacy={links.privacy} moveIn={links.moveIn} />
      ) : null}
      {views ? <PageViewTable pages={views} /> : null}
      {advanced ? <HealthReport checks={advanced.checks} zone={zone} path={links.advanced} /> : null}
      {advanced?.installed ? <InstallationReport {...advanced.installed} zone={zone} /> : null}
      {advanced?.missing ? <MissingPaths {...advanced.missing} /> : null}
      {advanced && !advanced.missing ? (
        <ErrorPanel message="Failed to load missing pages" retryTo={links.advanced} />
      ) : null}
      {advanced ? <FullExport to={links.everything} /> : null}
      {advanced ? <DangerZone links={links.danger} /> : null}
    </Page>
  );
}
