import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { holdActions } from "~/features/privacy/actions.server";
import { ClosureRequests } from "~/features/privacy/closure-requests";
import { PRIVACY_FAILED } from "~/features/privacy/labels";
import { CONSENTS_PATH } from "~/features/privacy/model";
import { HoldForm, HoldPanel, LiftPanel, PeopleFound, RetentionPanel } from "~/features/privacy/privacy-page";
import { readPrivacy } from "~/features/privacy/read-privacy.server";
import { adminTitle } from "~/features/settings/brand";
import { groupPath } from "~/features/settings-management/model";
import { readOrFail } from "~/features/workspace/load-list.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { Link } from "~/ui/link";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Privacy");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const read = await readOrFail(context, PRIVACY_FAILED, readPrivacy(context, actor));
  const tokens = formTokens(context, actor, holdActions);
  return json({ ...read, tokens, settingsPath: groupPath("retention"), hasErrors: context.form.isRejected });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  return runFormAction(context, holdActions, { actor, request, params: null });
}

export default function PrivacyPage() {
  const { text, people, closures, holds, runs, lifting, retention, zone, identity, tokens, settingsPath } =
    useLoaderData<typeof loader>();
  return (
    <Page title="Privacy" actions={<Link to={CONSENTS_PATH}>Consents</Link>}>
      <ClosureRequests requests={closures} zone={zone} />
      <PeopleFound text={text} people={people} />
      {lifting ? <LiftPanel key={lifting.id} hold={lifting} token={tokens.lift ?? ""} identity={identity} /> : null}
      <HoldPanel holds={holds} zone={zone} />
      {lifting ? null : <HoldForm token={tokens.hold ?? ""} identity={identity} />}
      <RetentionPanel retention={retention} runs={runs} zone={zone} settingsPath={settingsPath} />
    </Page>
  );
}
