import {
  type ActionFunctionArgs,
  type HeadersArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { readHealthReport } from "~/features/health/health-report.server";
import { listMissingPaths } from "~/features/health/missing-paths.server";
import { HealthReport } from "~/features/health/ui/health-report";
import { MissingPaths } from "~/features/health/ui/missing-paths";
import { getSettings } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { settingsActions } from "~/features/settings-management/actions.server";
import { TAB_LABELS } from "~/features/settings-management/copy";
import { ADVANCED_PATH, GENERAL_PATH } from "~/features/settings-management/model";
import { findSignUpSettings } from "~/features/settings-management/queries.server";
import { SignUpForm } from "~/features/settings-management/ui/sign-up-form";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { keepingLoader } from "~/live/page-refresh";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { retryHeaders } from "~/platform/respond.server";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data?.hasErrors ? "Error: " : ""}Settings | ${rootBrand(matches).name} Admin` },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  const isAdvanced = context.request.url.searchParams.get("tab") === "advanced";
  const [{ timeZone: zone }, general, advanced] = await Promise.all([
    getSettings(context.db),
    isAdvanced ? null : findSignUpSettings(context.db),
    isAdvanced
      ? Promise.all([readHealthReport(context), readOrNull(context, "missing_paths_failed", listMissingPaths(context))])
      : null,
  ]);
  return json({
    zone,
    general,
    advanced: advanced && { checks: advanced[0], missing: advanced[1] },
    tokens: formTokens(context, actor, settingsActions),
    identity: identityRequest(context, actor),
    /** A form that was accepted has led elsewhere. */
    hasErrors: context.request.method === "POST",
  });
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return runFormAction(context, settingsActions, { actor, request, params: null });
}

export default function SettingsPage() {
  const { zone, general, advanced, tokens, identity } = useLoaderData<typeof loader>();
  return (
    <Page title="Settings">
      <LinkTabs
        scroll
        label="Settings"
        items={[
          { to: GENERAL_PATH, label: TAB_LABELS.general, current: general !== null },
          { to: ADVANCED_PATH, label: TAB_LABELS.advanced, current: advanced !== null },
        ]}
      />
      {general ? <SignUpForm settings={general} zone={zone} token={tokens["sign-up"]} identity={identity} /> : null}
      {advanced ? <HealthReport checks={advanced.checks} zone={zone} path={ADVANCED_PATH} /> : null}
      {advanced?.missing ? <MissingPaths paths={advanced.missing} /> : null}
      {advanced && !advanced.missing ? (
        <ErrorPanel message="Failed to load missing pages" retryTo={ADVANCED_PATH} />
      ) : null}
    </Page>
  );
}
